#pragma once

// The vector kernels that read the arrays of a mesh once. All return the same bits on every instruction set.

#include <cstdint>
#include <limits>
#include <span>

#include "lamella/mesh.hpp"

namespace lamella {

/// Box of the usable positions (see usable() in core/lattice.hpp), and whether all are usable.
struct PositionFacts {
  Aabb box;
  bool usable = true;
};
constexpr PositionFacts unite(const PositionFacts& a, const PositionFacts& b) {
  return {unite(a.box, b.box), a.usable && b.usable};
}

[[nodiscard]] PositionFacts inspect_positions(std::span<const Vec3> positions);
/// Also copies the positions, in the same pass.
PositionFacts copy_positions(std::span<const Vec3> positions, Vec3* to);

/// A pose as a matrix: row r of the image is dot(rows[r], p) + translation[r].
struct Placement {
  Vec3d rows[3];
  Vec3d translation;
};
/// Writes the placed positions, computed in double and rounded once. The facts are those of the placed positions.
PositionFacts place_positions(std::span<const Vec3> positions, const Placement& placement, Vec3* to);

/// Largest distance from `center` to a usable position, rounded up a little.
[[nodiscard]] float reach_from(Vec3 center, std::span<const Vec3> positions);

/// Least and largest dot(direction, position) over the usable positions, in float: each may be wrong by 2^-21 of the
/// direction's length times the largest coordinate. Least above largest when there are none.
struct Reach {
  float least = std::numeric_limits<float>::infinity(), largest = -std::numeric_limits<float>::infinity();
};
[[nodiscard]] Reach reach_along(Vec3 direction, std::span<const Vec3> positions);

/// Largest vertex index of the triangles; 0 when there are none.
[[nodiscard]] std::uint32_t max_index(std::span<const Triangle> triangles);

}  // namespace lamella
