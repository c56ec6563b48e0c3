#pragma once

// The vector kernels of triangle trees; compiled for every instruction set, with the same results.

#include <cstdint>
#include <span>

#include "lamella/math.hpp"

namespace lamella::measure {

/// Triangles in a tree's order: coordinate k of corner c is corners[3 * c + k].
struct TriangleColumns {
  const float* at[9];
};

/// Normals times twice the areas, of the triangles from `begin` to before `end`.
void write_normals(const TriangleColumns& triangles, std::size_t begin, std::size_t end, float* x, float* y, float* z);

/// The middle of a box along an axis, as all kernels compute it.
constexpr float middle_of(float low, float high) { return low + (high - low) * 0.5f; }

/// A disc: all points within `thick` of the plane through a centre, and within `radius` of the axis there.
struct DiscSize {
  float radius = 0, thick = 0;
};
/// How large a disc around some triangles must be, with room for rounding.
[[nodiscard]] DiscSize disc_around(const TriangleColumns& triangles, std::size_t begin, std::size_t end, Vec3 center,
                                   Vec3 normal);

/// dot(direction, position) of each position, in floats: wrong by 2^-21 of the direction's length times the largest
/// coordinate at most, and NaN or infinite for positions that cannot be used.
void write_along(std::span<const Vec3> positions, Vec3 direction, float* out);

}  // namespace lamella::measure
