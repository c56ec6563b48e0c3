#pragma once

#include <cmath>

#include "geometry_image/make/disc.hpp"

namespace lamella::gi {

/// orient() computed exactly, then rounded once or twice; its sign is exact. Slow.
[[nodiscard]] double orient_exactly(Vec2d a, Vec2d b, Vec2d c);

/// Twice the signed area of a triangle in the map, positive when counter-clockwise; its sign is exact for coordinates
/// whose products do not underflow. (Shewchuk: "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", 1997, of which this is the first and the last stage.)
[[nodiscard]] inline double orient(Vec2d a, Vec2d b, Vec2d c) {
  const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), area = left - right;
  constexpr double kBound = 3.3306690738754716e-16;  // (3 + 16 eps) eps with eps = 2^-53
  const double error = kBound * (std::abs(left) + std::abs(right));
  return area > error || -area > error ? area : orient_exactly(a, b, c);
}

}  // namespace lamella::gi
