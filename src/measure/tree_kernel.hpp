#pragma once

// The vector kernels of triangle trees; compiled for every instruction set, with the same results.

#include <cstdint>
#include <limits>
#include <span>

#include "lamella/math.hpp"

namespace lamella::measure {

/// A set of triangles and a box around them: a leaf, or a node whose children are in a row.
struct TreeNode {
  std::uint32_t begin = 0;  ///< of its triangles in the tree's order, or of its children among the nodes
  std::uint32_t count = 0;
  bool leaf = true;
};
inline constexpr std::uint32_t kMostInLeaf = 8;

/// Triangles in a tree's order: coordinate k of corner c is corners[3 * c + k].
struct TriangleColumns {
  const float* at[9];
};

/// Makes normals unit vectors, and 0 those of triangles that are too small to have one.
void make_units(std::size_t begin, std::size_t end, float* x, float* y, float* z);

/// The middle of a box along an axis, as all kernels compute it.
constexpr float middle_of(float low, float high) { return low + (high - low) * 0.5f; }

/// Shapes of a tree's nodes.
struct NodeColumns {
  float *low[3], *high[3], *normal[3], *radius, *thick;
};
/// The boxes of the leaves among the nodes from `begin` to before `end`, and as their normals the sums of those of
/// their triangles.
void fit_boxes(std::span<const TreeNode> nodes, std::size_t begin, std::size_t end, const TriangleColumns& triangles,
               const float* const normals[3], const NodeColumns& out);

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

/// The point nearest to p, and the square of its distance; of equal ones the first.
struct NearestPoint {
  std::size_t index = 0;
  double square = std::numeric_limits<double>::infinity();
};
[[nodiscard]] NearestPoint nearest_point(std::span<const Vec3d> points, Vec3d p);

}  // namespace lamella::measure
