#pragma once

// The first touch of a mesh that moves along a line: both meshes are turned into a view along the motion, boxes of
// triangles that may touch are searched in the order in which they could (sweep_cells.hpp), and pairs are tested in
// doubles, from the positions as they are given (triangle_sweep.hpp).
//
// A solid is first touched where its front, the triangles that look along the motion, meets triangles of the other that
// look against it. Only those are kept of meshes that close and look outwards: so solids that touch at the start can
// part, or slide. Of others both sides are tested.

#include <optional>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "core/positions.hpp"
#include "engines/shift_finder.hpp"
#include "lamella/separation.hpp"
#include "measure/sweep_cells.hpp"
#include "measure/triangle_sweep.hpp"

namespace lamella {

/// Whether a mesh closes and looks outwards. Indices must be in range. A translation does not change it.
[[nodiscard]] bool is_solid(MeshView mesh, Workers& workers);

/// A mesh in the view.
class SweptMesh {
 public:
  /// `facing`: 1 where triangles that look along the motion can touch, -1 where those against it. `solid`: is_solid(),
  /// where that is known.
  void turn(MeshView mesh, const ViewRotation& view, Vec3d origin, double facing, std::optional<bool> solid,
            Workers& workers);
  /// A box of the mesh that holds all of it.
  [[nodiscard]] Aabb box() const;
  /// Finds the boxes of the triangles that can touch and that meet `window`, in order.
  void collect(const Aabb& window, Workers& workers);
  [[nodiscard]] std::span<const SweptBox> boxes() const { return boxes_; }
  [[nodiscard]] ViewTriangle triangle(std::uint32_t i) const;
  /// Exactly, where the boxes' test was not sure.
  [[nodiscard]] bool can_touch(const ViewTriangle& t) const { return facing_ == 0 || facing_ * t.area() > 0; }

 private:
  void add_box(std::uint32_t i, const Aabb& window, std::vector<SweptBox>& out) const;
  [[nodiscard]] Vec3d vertex(std::uint32_t i) const;
  [[nodiscard]] bool looks_away(Vec3 a, Vec3 b, Vec3 c, const Aabb& box) const;

  MeshView mesh_;
  ViewRotation view_;
  Vec3d offset_;
  double facing_ = 0;
  std::vector<Vec3> turned_;
  PositionFacts facts_;
  std::vector<std::vector<SweptBox>> parts_;  ///< boxes of consecutive triangles
  std::vector<SweptBox> boxes_;
};

/// Keeps its memory between calls.
class FirstTouch {
 public:
  struct Motion {
    Vec3d direction;      ///< unit
    double distance = 0;  ///< above 0
    Vec3d origin;         ///< of the view, near the meshes
  };
  /// is_solid(), where it is known.
  struct Known {
    std::optional<bool> solid_a = std::nullopt, solid_b = std::nullopt;
  };

  /// Of meshes that do not cross at the start. Indices must be in range. The same for any number of threads.
  std::optional<SweepHit> find(MeshView a, MeshView b, const Motion& motion, const Known& known, Workers& workers);

  /// Two triangles that cross as they are: surfaces that merely touch, or coincide, do not. `origin` as in a motion.
  std::optional<SweepHit> find_crossing(MeshView a, MeshView b, Vec3d origin, Workers& workers);

 private:
  void turn(MeshView a, MeshView b, const ViewRotation& view, Vec3d origin, const Known& known, Workers& workers);

  SweptMesh moving_, fixed_;
  SweepCells cells_;
};

}  // namespace lamella
