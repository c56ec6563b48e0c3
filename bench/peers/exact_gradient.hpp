#pragma once

#include <optional>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::bench::peers {

/// How the exact shared volume changes when b moves. By CGAL's corefinement: the boundary of the intersection, with the
/// triangle of a or b that each of its faces is a part of. The derivative for a motion is the integral of its component
/// along the normal over b's part.
struct ExactGradient {
  double volume = 0;
  Vec3d force;                  ///< for a translation
  Vec3d torque;                 ///< for a rotation about the origin
  double area = 0;              ///< of b inside a
  std::vector<Vec3d> vertices;  ///< for each vertex of b
};

/// None where a mesh is not closed or meets itself.
[[nodiscard]] std::optional<ExactGradient> exact_gradient(const Mesh& a, const Mesh& b);

/// The shared volume once b has moved: shifted, and turned about the origin by an angle around an axis of length 1. In
/// doubles, so that differences of volumes keep their digits.
struct SmallMotion {
  Vec3d shift;
  int axis = 0;
  double angle = 0;
};
[[nodiscard]] std::optional<double> exact_moved_volume(const Mesh& a, const Mesh& b, const SmallMotion& motion);

}  // namespace lamella::bench::peers
