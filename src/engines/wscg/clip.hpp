#pragma once

// Clipping of triangles against a box: I. E. Sutherland, G. W. Hodgman, "Reentrant Polygon Clipping", Communications of
// the ACM 17 (1974).

#include <array>
#include <cstddef>
#include <span>

#include "lamella/math.hpp"

namespace lamella::wscg {

/// One side of a box.
struct Plane {
  int axis = 0;
  float at = 0;
  bool keeps_above = true;  ///< the inside is where coordinates are larger

  /// Points on the plane are inside.
  [[nodiscard]] bool keeps(Vec3 p) const { return keeps_above ? p[axis] >= at : p[axis] <= at; }
};

/// A convex polygon. Each of six planes adds at most one corner to the three of a triangle.
struct Polygon {
  std::array<Vec3, 9> corners;
  std::size_t count = 0;

  void add(Vec3 corner) { corners[count++] = corner; }
  [[nodiscard]] std::span<const Vec3> points() const { return {corners.data(), count}; }
};

/// Whether one of the planes has all corners on its outer side: nothing would be left.
[[nodiscard]] bool is_beyond(std::span<const Vec3> corners, std::span<const Plane> planes);

/// The part inside all planes; the order of the corners stays. Without corners when there is none. Where two triangles
/// share an edge, their new corners on it are the same.
[[nodiscard]] Polygon clip(const Polygon& polygon, std::span<const Plane> planes);

}  // namespace lamella::wscg
