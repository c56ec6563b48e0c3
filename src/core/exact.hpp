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

// The same with one point in doubles, which must be a multiple of 2^-240 (kFinestDouble) and usable: products of it
// then neither underflow nor overflow.

inline constexpr double kFinestDouble = 0x1p-240;

/// On which side of the plane through a, b, c the point p is.
[[nodiscard]] int orient3d_wide(Vec3 a, Vec3 b, Vec3 c, Vec3d p);
/// Which way a, b, p turn, seen along an axis.
[[nodiscard]] int orient2d_wide(Vec3 a, Vec3 b, Vec3d p, int axis);

/// The vector from one point to another.
struct Edge {
  Vec3 from, to;
};
/// The sign of x . (y x z).
[[nodiscard]] int determinant_sign(Edge x, Edge y, Edge z);

namespace exact_stage {

/// The fallback stages of orient3d, separate for tests. The integer stage returns whether it could decide, and then the
/// sign.
[[nodiscard]] bool orient3d_integers(Vec3 a, Vec3 b, Vec3 c, Vec3 d, int& sign);
[[nodiscard]] int orient3d_expansion(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
[[nodiscard]] int orient2d_expansion(Vec3 a, Vec3 b, Vec3 c, int axis);
[[nodiscard]] int orient3d_wide_expansion(Vec3 a, Vec3 b, Vec3 c, Vec3d p);
[[nodiscard]] int orient2d_wide_expansion(Vec3 a, Vec3 b, Vec3d p, int axis);

}  // namespace exact_stage
}  // namespace lamella
