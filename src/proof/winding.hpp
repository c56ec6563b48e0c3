#pragma once

// How often a mesh winds around points, by exact arithmetic.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "proof/kernels.hpp"

namespace lamella::proof {

/// In place of a winding number: the point lies on a triangle.
inline constexpr int kOnSurface = std::numeric_limits<int>::min();

struct WindingPoint {
  Vec3d at;  ///< usable, and a multiple of kFinestDouble: see settled()
  /// A triangle that is left out for this point: it lies on it.
  std::uint32_t without = ~std::uint32_t{0};
};

struct WindingScratch {
  std::vector<std::uint8_t> codes;
  std::vector<std::vector<std::uint32_t>> chunks;
  std::vector<std::uint32_t> order;
};

/// The point with coordinates that exact arithmetic can take.
[[nodiscard]] Vec3d settled(Vec3d p);

/// Whether the point lies on the triangle. Never on one without area.
[[nodiscard]] bool lies_on(Vec3d p, const Vec3 triangle[3]);

/// The winding number of each point, or kOnSurface, by rays along `axis`. Indices must be in range and the corners of
/// all triangles usable. A number means something only for a closed mesh. Triangles without area count for nothing.
/// `sums`, if not null, gets the sums of all edges, in the same pass.
void find_windings(MeshView mesh, std::span<const WindingPoint> points, int axis, Workers& workers,
                   WindingScratch& scratch, std::span<int> out, EdgeSums* sums = nullptr);

}  // namespace lamella::proof
