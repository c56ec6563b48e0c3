#pragma once

// Exact signs for any finite coordinates. About 7 ns where rounding leaves no doubt, 30 ns where it does and
// differences of coordinates have at most 40 bits in all, 0.3 microseconds otherwise. Coordinates must not be infinite
// or NaN: the sign is then meaningless.

#include "lamella/math.hpp"

namespace lamella {

/// On which side of the plane through a, b, c the point d is: the sign of ((b - a) x (c - a)) . (d - a). 0 when the
/// four points lie in one plane.
[[nodiscard]] int orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

/// The sign of component `axis` of (b - a) x (c - a): which way a, b, c turn, seen along that axis. 0 when they lie on
/// one line in that view.
[[nodiscard]] int orient2d(Vec3 a, Vec3 b, Vec3 c, int axis);

namespace exact_stage {

/// The fallback stages of orient3d, separate for tests. The integer stage returns whether it could decide, and then the
/// sign.
[[nodiscard]] bool orient3d_integers(Vec3 a, Vec3 b, Vec3 c, Vec3 d, int& sign);
[[nodiscard]] int orient3d_expansion(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
[[nodiscard]] int orient2d_expansion(Vec3 a, Vec3 b, Vec3 c, int axis);

}  // namespace exact_stage
}  // namespace lamella
