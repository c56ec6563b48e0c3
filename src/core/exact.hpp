#pragma once

#include "lamella/math.hpp"

namespace lamella {

/// Signs that are those of exact arithmetic, for any finite coordinates. About 7 ns where rounding leaves no doubt,
/// 30 ns where it does and differences of coordinates have at most 40 bits in all, 0.3 microseconds otherwise. Should a
/// coordinate be infinite or no number, the caller's mistake, the sign means nothing.

/// On which side of the plane through a, b, c the point d is: the sign of ((b - a) x (c - a)) . (d - a). 0 where the
/// four lie in a plane.
[[nodiscard]] int orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

/// The sign of component `axis` of (b - a) x (c - a): which way a, b, c turn, seen along that axis. 0 where they then
/// lie on a line.
[[nodiscard]] int orient2d(Vec3 a, Vec3 b, Vec3 c, int axis);

namespace exact_stage {

/// What orient3d falls back on, each apart for tests. By integers: whether it could, and then the sign.
[[nodiscard]] bool orient3d_integers(Vec3 a, Vec3 b, Vec3 c, Vec3 d, int& sign);
[[nodiscard]] int orient3d_expansion(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
[[nodiscard]] int orient2d_expansion(Vec3 a, Vec3 b, Vec3 c, int axis);

}  // namespace exact_stage
}  // namespace lamella
