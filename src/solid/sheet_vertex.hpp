#pragma once

// Where the vertex of a sheet goes: the point nearest to the planes of its crossings (Ju, Losasso, Schaefer, Warren,
// "Dual Contouring of Hermite Data", 2002), in steps of the lattice, so that flat cells are no harder than cubes.
//
// They leave out small singular values. We pull the vertex towards the middle of the crossings, and repeat that from
// where it ends: a direction in which planes say much is solved exactly, one in which they say little stays where the
// crossings are, and there is no threshold between. The vertex may leave the cell for one that the surface does not
// pass, as at the tip of a corner; else it goes to the best place in its own.

#include <array>

#include "lamella/math.hpp"

namespace lamella::solid {

class SheetVertex {
 public:
  /// `place`: of a crossing in its cell, 0 to 1 along each axis.
  void add_place(Vec3d place, double weight = 1) {
    middle_ += place * weight;
    count_ += weight;
  }
  /// `normal`: unit. The plane is where dot(normal, x) is `offset`.
  void add_plane(Vec3d normal, double offset, double weight = 1);

  // At least one place must have been added.

  [[nodiscard]] Vec3d best() const;
  /// In the cell; `near`: where to begin.
  [[nodiscard]] Vec3d best_in_cell(Vec3d near) const;

 private:
  struct Solver;
  [[nodiscard]] Vec3d middle() const { return middle_ * (1 / count_); }

  std::array<double, 6> sums_{};  ///< of products of normals: xx, yy, zz, xy, xz, yz
  Vec3d right_{};                 ///< of normals times offsets
  Vec3d middle_{};                ///< of places
  double count_ = 0;
};

}  // namespace lamella::solid
