#pragma once

#include "lamella/math.hpp"

namespace lamella::bench {

/// Whether two boxes share a point.
[[nodiscard]] constexpr bool boxes_meet(const Aabb& a, const Aabb& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
         b.min.z <= a.max.z;
}

}  // namespace lamella::bench
