#pragma once

#include <optional>

#include "lamella/math.hpp"

namespace lamella {

/// Corners in a view: the motion is along z.
struct ViewTriangle {
  Vec3d at[3];

  /// Twice the area of its image: above 0 where it looks along the motion.
  [[nodiscard]] double area() const {
    const Vec3d p = at[1] - at[0], q = at[2] - at[0];
    return p.x * q.y - p.y * q.x;
  }
};

struct TriangleTouch {
  double shift = 0;       ///< of the first along the motion, 0 or more
  Vec3d position;         ///< in the view, on the second: the middle of what touches, or of the line where they cross
  Vec3d normal;           ///< unit, against the motion
  bool crossing = false;  ///< they cross as they are; the shift is 0
};

/// How far the first triangle goes until it touches the second one. Nothing where it is beyond it already, or where
/// their images share no area but for rounding: triangles that slide along each other do not touch.
[[nodiscard]] std::optional<TriangleTouch> sweep_triangle(const ViewTriangle& moving, const ViewTriangle& fixed);

}  // namespace lamella
