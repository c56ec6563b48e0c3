#pragma once

#include <functional>
#include <vector>

#include "bench/peers/method.hpp"

// Distances by other libraries: points and a mesh, two meshes.

namespace lamella::bench::peers {

struct DistanceMethod {
  Method method;
  std::function<std::vector<double>()> distances;  ///< of the last run, without signs: one for each point, or one
};
using DistanceMethods = std::vector<DistanceMethod>;

[[nodiscard]] DistanceMethods embree_closest(const PointsWork& work);
/// Nearest of all vertices of either mesh to the other's triangles. Pairs of edges are left out, so that it is less
/// than the whole work, and the distance may be too large.
[[nodiscard]] DistanceMethods embree_distance(const PairWork& work);
[[nodiscard]] DistanceMethods fcl_distance(const PairWork& work);

}  // namespace lamella::bench::peers
