#pragma once

// The vector kernels of nearest points; compiled for every instruction set, with the same results.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "measure/triangle_tree.hpp"

namespace lamella::measure {

/// The triangle nearest to a point.
struct NearestTriangle {
  double square = std::numeric_limits<double>::infinity();  ///< of the distance
  std::uint32_t place = 0;                                  ///< in the tree's order
};

/// For each point the nearest triangle; of several that are equally near, the one with the lowest number in the mesh.
/// Points must be usable, the tree not empty. Fastest when points that are near each other follow each other.
void find_nearest(const TriangleTree& tree, std::span<const Vec3d> points, NearestTriangle* out);

/// Places of the triangles that have a corner at exactly this position.
void find_around(const TriangleTree& tree, Vec3 corner, std::vector<std::uint32_t>& out);

}  // namespace lamella::measure
