#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lamella/mesh.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {

/// Puts a point that has left the surface by at most `reach` back onto it.
using Projector = std::function<Vec3d(Vec3d p, double reach)>;

/// A closed mesh that can be edited in place. Every step keeps it closed, and refuses what would fold it.
struct Remesh {
  std::vector<Vec3d> points;
  std::vector<Triangle> triangles;                 ///< a dead one is all zeros
  std::vector<std::vector<std::uint32_t>> around;  ///< live triangles of each vertex
  std::size_t live = 0;                            ///< triangles

  explicit Remesh(const Mesh& mesh);

  /// Merges the shortest edges first, until `faces` triangles are left or no edge may be merged.
  void collapse(std::size_t faces, const Projector& onto_surface);
  /// Turns edges whose opposite angles add up to more than half a turn (Delaunay's criterion).
  void flip();
  /// Moves every vertex towards the middle of its neighbours, along the surface.
  void relax(const Projector& onto_surface);

  [[nodiscard]] Mesh to_mesh() const;
};

/// Cuts each triangle into n * n.
[[nodiscard]] Mesh subdivide(const Mesh& mesh, std::uint32_t n);

}  // namespace lamella::scenes
