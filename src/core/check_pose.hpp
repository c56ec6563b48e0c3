#pragma once

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// Sampling is robust to a rotation that is exact to three digits.
inline constexpr double kPoseTolerance = 1e-3;

/// Throws Error when a pose is not finite, or the square of its quaternion's length is further than `tolerance` from 1.
inline void check_pose(const Transform& pose, double tolerance) {
  const auto [x, y, z, w] = pose.rotation;
  const Vec3d t = pose.translation;
  if (!std::isfinite(t.x + t.y + t.z + x + y + z + w))
    throw Error("the pose is not finite: use finite numbers for translation and rotation");
  if (std::abs(x * x + y * y + z * z + w * w - 1) > tolerance)
    throw Error("the rotation's quaternion is not of length 1: normalise it");
}

}  // namespace lamella
