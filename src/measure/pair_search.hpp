#pragma once

// The nearest pair of triangles of two trees.

#include <cstdint>
#include <limits>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/mesh.hpp"
#include "measure/triangle_tree.hpp"

namespace lamella::measure {

/// One of two meshes.
struct PairSide {
  const TriangleTree* tree = nullptr;
  MeshView given;     ///< as the caller gave it: distances are those of its positions, also if they are doubles
  Vec3d tree_origin;  ///< what the tree's floats are relative to
};

struct PairQuery {
  PairSide a, b;
  /// Both trees have the same origin, and their triangles may meet: that is tested exactly, on the trees' floats.
  bool may_meet = false;
  double slack = 0;  ///< how far the trees' floats of both meshes together may be from the positions given
};

struct FoundPair {
  double square = std::numeric_limits<double>::infinity();  ///< of the distance
  Vec3d on_a, on_b;                                         ///< relative to the origin of a's tree
  std::uint32_t triangle_a = 0, triangle_b = 0;             ///< of the meshes
};

struct PairTask {
  double square;       ///< no two triangles in it are nearer
  std::uint32_t a, b;  ///< nodes
};
struct PairScratch {
  std::vector<PairTask> tasks, next;
  std::vector<FoundPair> found;
};

/// The nearest pair, if one is nearer than `best`; else `best`. The same for any number of threads.
[[nodiscard]] FoundPair find_nearest_pair(const PairQuery& query, const FoundPair& best, Workers& workers,
                                          PairScratch& scratch);

/// The nearest points of two triangles, given by their numbers in the meshes.
[[nodiscard]] FoundPair pair_of(const PairQuery& query, std::uint32_t a, std::uint32_t b);

}  // namespace lamella::measure
