#pragma once

// A mesh with fewer triangles for a coarse look: vertices in one cell of a grid become one, at their mean.

#include <cstdint>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

/// Keeps its memory between calls.
class MergedMesh {
 public:
  /// Merges the vertices that share a cube with edges of `cell`, above 0. Triangles with corners that became one are
  /// left out; what was closed stays closed. Indices must be in range. Linear time.
  void merge(MeshView mesh, float cell);
  /// Valid until the next merge().
  [[nodiscard]] MeshView view() const { return {.positions = positions_, .triangles = triangles_, .origin = origin_}; }

 private:
  std::uint32_t vertex_of(std::uint64_t cube);

  struct Entry {
    std::uint64_t cube;
    std::uint32_t vertex;
  };
  Vec3d origin_;
  std::vector<Entry> table_;
  std::vector<std::uint32_t> merged_;  ///< of each vertex
  std::vector<Vec3d> sums_;
  std::vector<std::uint32_t> counts_;
  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
};

}  // namespace lamella
