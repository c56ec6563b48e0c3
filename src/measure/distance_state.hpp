#pragma once

// What a DistanceFinder keeps between calls.

#include <memory>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/distance.hpp"
#include "lamella/engine.hpp"
#include "measure/closest_kernel.hpp"
#include "measure/near_parts.hpp"
#include "measure/pair_search.hpp"
#include "measure/sort_keys.hpp"
#include "measure/triangle_tree.hpp"
#include "proof/prove.hpp"

namespace lamella {

struct DistanceFinder::State {
  explicit State(unsigned threads_given) : threads(threads_given), workers(threads_given) {}

  unsigned threads;
  Workers workers;
  std::vector<Vec3> settled_a, settled_b;  ///< positions relative to the origin of a query
  measure::TriangleTree tree_a, tree_b;

  // Closest points
  std::unique_ptr<Engine> engine;  ///< tells which points are inside; made when it is first asked
  Containment inside;
  measure::KeySorter sorter;
  std::vector<measure::KeyedId> order;
  std::vector<Vec3d> sorted;  ///< points in the order of a curve, relative to the mesh's origin
  std::vector<measure::NearestTriangle> nearest;
  std::vector<std::vector<std::uint32_t>> around;  ///< of each worker
  ClosestPoints points;

  // Distances
  measure::NearParts parts;
  measure::PairScratch searching;
  proof::ProofScratch proving;
  MeshDistance pair;

  template <class Point>
  void find_closest(MeshView mesh, std::span<const Point> given);
  void find_distance(MeshView a, MeshView b);
  void prove_verdict(MeshView a, MeshView b);
};

}  // namespace lamella
