#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "lamella/math.hpp"

namespace lamella::scenes {

inline constexpr double kPi = std::numbers::pi;

/// `a` must not be zero.
inline Vec3d normalize(Vec3d a) { return a * (1.0 / length(a)); }
constexpr Vec3d mix(Vec3d a, Vec3d b, double t) { return a + (b - a) * t; }

/// 0 below `low`, 1 above `high`, smooth between.
inline double smoothstep(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// Angle of time `t` in a period of 1, 0 to 2 pi; in double, so that large times keep their phase.
inline double phase(float t) {
  const double turns = t;
  return std::isfinite(turns) ? 2 * kPi * (turns - std::floor(turns)) : 0.0;
}

/// Box of the finite points.
inline Aabb box_of(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3 p : points) {
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) box = extend(box, p);
  }
  return box;
}

}  // namespace lamella::scenes
