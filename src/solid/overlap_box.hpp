#pragma once

// The box of an overlap, so that the lattice of its surface has all its cells there.

#include <array>

#include "solid/lattice.hpp"

namespace lamella::solid {

/// Finds a box around the overlap by spans along one axis. An overlap that few rays meet is looked at again in the box
/// found so far.
class BoxFinder {
 public:
  BoxFinder(const Meshes& meshes, SpanSampler& sampler, std::uint32_t resolution)
      : meshes_(meshes), sampler_(sampler), resolution_(resolution) {}

  /// False when no ray meets an overlap.
  bool look();
  /// With a layer of points around the box.
  [[nodiscard]] PointLattice lattice() const;
  /// Rays see no further than their neighbours: the overlap may reach beyond the box. Given the sides where it does,
  /// makes the box larger. False when there is nothing to be done.
  bool grow(const std::array<std::array<bool, 2>, 3>& sides);
  /// Of the last look.
  [[nodiscard]] const Health& health() const { return view_.health; }

 private:
  void set_box(Aabb box);

  const Meshes& meshes_;
  SpanSampler& sampler_;
  std::uint32_t resolution_;
  int grown_ = 0;  ///< times
  Aabb shared_, box_;
  SpanView view_;
};

}  // namespace lamella::solid
