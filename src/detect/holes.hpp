#pragma once

// Meshes with holes, closed before they are sampled, and what closing means for an answer.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/origin.hpp"
#include "lamella/repair.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// A mesh with its holes, if any, closed by fans. Its own vertices come first, then the fan points.
class ClosedMesh {
 public:
  ClosedMesh(MeshView mesh, Closure closure);

  [[nodiscard]] MeshView view() const { return mesh_; }
  [[nodiscard]] std::size_t own_vertex_count() const { return closure_.vertex_count; }
  /// Takes new positions of the mesh's own vertices; returns those of the closed mesh.
  std::span<const Vec3> deform(std::span<const Vec3> positions);
  void set_origin(Vec3d origin) { mesh_.origin = origin; }

  /// Adds what was closed.
  void report(Health& health) const;
  /// The boxes around the rims, placed in the world.
  [[nodiscard]] std::vector<WideBox> rims(const Transform& pose) const;
  [[nodiscard]] std::uint64_t edge_count() const { return closure_.edge_count; }
  /// Gradients for all vertices of the closed mesh become those for its own: what a fan's point has goes to its rim,
  /// which it moves with. `positions`: of the closed mesh where it was sampled.
  void fold_gradients(std::span<const Vec3> positions, std::vector<Vec3>& gradients) const;

 private:
  [[nodiscard]] std::span<const Vec3> own_positions() const {
    return std::span(mesh_.positions).first(closure_.vertex_count);
  }
  Closure closure_;
  Mesh mesh_;
};

/// Null when the mesh has no holes. A mesh in doubles that has some is taken in floats, where it may have none: corners
/// that were meant to be one often differ in the last digits of a file. Throws Error when an index is out of range.
[[nodiscard]] std::unique_ptr<ClosedMesh> close_holes(MeshView mesh);

/// A mesh of a pair, as far as its holes matter.
struct HoledSide {
  const ClosedMesh* holes = nullptr;  ///< null: none
  Transform pose{};                   ///< where it stands
  std::function<MeshView()> view;     ///< the mesh as it was sampled, in main memory
};

/// Reports what was closed, and decides anew. An overlap that lies wholly in the box around a rim may be the fan's
/// alone; and where no overlap was found although the other mesh comes into such a box, the true surface may overlap.
void judge_holes(const HoledSide& a, const HoledSide& b, Overlap& out);
void judge_holes(const HoledSide& mesh, SelfOverlap& out);

/// Gradients are for the caller's vertices alone.
void fold_gradients(const HoledSide& side, std::vector<Vec3>& gradients);

/// Fan points are not vertices of the caller's.
void drop_fan_points(const ClosedMesh* holes, VerticesOfOne& found);

}  // namespace lamella
