#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/positions.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// The matrix of a pose. All code that transforms vertices to world coordinates uses it, so that results are the same
/// bits.
constexpr Placement placement_of(const Transform& pose) {
  const double x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z, w = pose.rotation.w;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
          pose.translation};
}

inline Transform normalised(const Transform& pose) { return {pose.translation, normalized(pose.rotation)}; }

/// The way back: from world coordinates into the frame of what `pose` places. The quaternion's length is normalised.
inline Placement placement_into(const Transform& pose) {
  const Quaternion back = conjugate(normalized(pose.rotation));
  return placement_of({-rotate(back, pose.translation), back});
}

/// First `first`, then `second`.
constexpr Placement chain(const Placement& first, const Placement& second) {
  Placement both;
  for (int i = 0; i < 3; ++i) {
    const Vec3d r = second.rows[i];
    both.rows[i] = first.rows[0] * r.x + first.rows[1] * r.y + first.rows[2] * r.z;
    both.translation[i] = dot(r, first.translation) + second.translation[i];
  }
  return both;
}

/// Whether the pose moves nothing: placing can then be skipped.
constexpr bool is_identity(const Transform& pose) {
  const Quaternion& r = pose.rotation;
  return pose.translation == Vec3d{} && r.x == 0 && r.y == 0 && r.z == 0;
}

/// A box around the contents of `box` placed by `pose`, without reading the vertices: around the rotated box, or around
/// the ball of `radius` about its centre where that is tighter. It is wider than either by the rounding of placed
/// vertices, so it is never flat.
inline Aabb placed_box(const Aabb& box, const Transform& pose,
                       double radius = std::numeric_limits<double>::infinity()) {
  if (box.empty()) return box;
  const Placement p = placement_of(pose);
  const Vec3d middle = (to_double(box.min) + to_double(box.max)) * 0.5;
  const Vec3d half = (to_double(box.max) - to_double(box.min)) * 0.5;
  Aabb placed;
  for (int i = 0; i < 3; ++i) {
    const Vec3d r = p.rows[i];
    const double at = dot(r, middle) + p.translation[i];
    const double turned = std::abs(r.x) * half.x + std::abs(r.y) * half.y + std::abs(r.z) * half.z;
    const double rounding = 0x1p-20 * (std::abs(at) + turned) + std::numeric_limits<float>::min();
    const double reach = std::min(turned, radius) + rounding;
    placed.min[i] = static_cast<float>(at - reach);
    placed.max[i] = static_cast<float>(at + reach);
  }
  return placed;
}

}  // namespace lamella
