#pragma once

// Whether a ray along z, from a point, crosses a triangle: by exact arithmetic.

#include "lamella/math.hpp"

namespace lamella::proof {

/// Where the line along z through a point meets a triangle, if it does.
struct PointCrossing {
  int turn = 0;             ///< 1: the triangle looks towards larger z, -1: towards smaller; 0: the line misses it
  bool above = false;       ///< it is crossed above the point, at a larger z
  bool on_surface = false;  ///< the point lies on the triangle, edges and vertices included; `turn` then says nothing
};

/// The line counts as moved by (e, e * e) along x and y, with e below any positive number: it never meets an edge or
/// a vertex, and crosses a closed surface as often upwards as downwards. Coordinates must be finite.
[[nodiscard]] PointCrossing cross_triangle(Vec3 point, const Vec3 (&corner)[3]);

}  // namespace lamella::proof
