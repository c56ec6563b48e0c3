#pragma once

// The vector kernels that read triangles' corners through their indices; compiled for every instruction set, with the
// same results.

#include <cstdint>
#include <span>

#include "lamella/mesh.hpp"
#include "measure/morton.hpp"
#include "measure/sort_keys.hpp"

namespace lamella::measure {

/// So many items behind the last are written.
inline constexpr std::size_t kCornerPad = 64;

/// Which triangles of a mesh: `some` of them, or all.
struct ChosenTriangles {
  MeshView mesh;
  std::span<const std::uint32_t> some;
  bool all = true;

  [[nodiscard]] std::size_t count() const { return all ? mesh.triangles.size() : some.size(); }
  [[nodiscard]] std::uint32_t id(std::size_t i) const { return all ? static_cast<std::uint32_t>(i) : some[i]; }
};

/// In place of a size: a corner cannot be used.
inline constexpr std::uint8_t kBrokenSize = 255;

/// Of each triangle twice the middle of its box, and the binary exponent of the box's longest side. The halves of a
/// quad have the same box, and so stay together.
struct MiddleColumns {
  float* sum[3];
  std::uint8_t* size;
};
/// From `begin`, a multiple of kCornerPad, to before `end`. Returns the box of the sums of triangles that can be used.
[[nodiscard]] Aabb write_middles(const ChosenTriangles& triangles, std::size_t begin, std::size_t end,
                                 const MiddleColumns& out);

/// Keys along a curve through the middles.
void write_keys(const ChosenTriangles& triangles, const MiddleColumns& middles, const MortonGrid& grid,
                std::size_t begin, std::size_t end, KeyedId* out);

/// The corners of sorted triangles, coordinate k of corner c as at[3 * c + k], and their normals times twice the areas.
struct CornerColumns {
  float *at[9], *normal[3];
  std::uint32_t* ids;
};
/// From `begin`, a multiple of kCornerPad, to before `end`.
void write_corners(MeshView mesh, std::span<const KeyedId> sorted, std::size_t begin, std::size_t end,
                   const CornerColumns& out);

}  // namespace lamella::measure
