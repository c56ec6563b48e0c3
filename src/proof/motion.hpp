#pragma once

// Whether two triangles still meet once one of them has moved by an infinitely small step.

#include "lamella/math.hpp"

namespace lamella::proof {

/// A step of the second triangle's mesh. By `t` times e, or towards the point `t` by the e-th part of the way, where e
/// is above 0 and as small as need be.
struct Motion {
  enum class Kind : unsigned char { shift, shrink };
  Kind kind = Kind::shift;
  Vec3 t;
};

/// For all e below some bound: false when the moved triangle b shares no point with a. True when it may. Triangles
/// without area count as nothing: what they cover is covered by others.
[[nodiscard]] bool meet_after(const Motion& motion, const Vec3 a[3], const Vec3 b[3]);

/// Which way the motion goes at points of a plane through three points: 1 along its normal, -1 against it, 0 along it.
[[nodiscard]] int goes_up(const Motion& motion, const Vec3 plane[3]);

}  // namespace lamella::proof
