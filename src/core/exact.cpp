// Orientation predicates in three stages: doubles with a bound on their error, 128-bit integers, expansions.
//
// After Shewchuk: "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997. Where we
// depart from it: coordinates are floats, so that no double here can overflow or underflow (products of three are
// between 2^-447 and 2^390, and sums are multiples of the lower bound). The last stage needs no product of expansions:
// the determinant is written out as 24 products of three floats. In the middle stage, where Shewchuk corrects by the
// tails of differences, we compute the differences as integers. Points that share coordinates or lie on a lattice, the
// usual reason for an exact 0, are then decided in some tens of nanoseconds.
#include "core/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/expansion.hpp"

namespace lamella {
namespace {

// With u = 2^-53, each of the six monomials of the determinant passes eight roundings: three differences (of floats;
// each rounds once at most), two products, the subtraction in a 2 x 2 minor and two additions. The error is then at
// most 8u / (1 - 8u) of the sum of the monomials' sizes. That sum is computed too, with as many roundings: 10u times
// the computed sum is above the error. In two dimensions there are four roundings: two differences, a product, a
// subtraction.
constexpr double kRounding = 0x1p-53, kBound3d = 10 * kRounding, kBound2d = 6 * kRounding;

/// Whether the sign of (p x q) . r is beyond doubt in doubles, each of whose numbers was rounded once at most; and then
/// the sign.
inline bool determinant_by_doubles(Vec3d p, Vec3d q, Vec3d r, int& sign) {
  const double yz = p.y * q.z, zy = p.z * q.y, zx = p.z * q.x, xz = p.x * q.z, xy = p.x * q.y, yx = p.y * q.x;
  const double determinant = (yz - zy) * r.x + (zx - xz) * r.y + (xy - yx) * r.z;
  const double size = (std::abs(yz) + std::abs(zy)) * std::abs(r.x) + (std::abs(zx) + std::abs(xz)) * std::abs(r.y) +
                      (std::abs(xy) + std::abs(yx)) * std::abs(r.z);
  const double bound = kBound3d * size;
  sign = sign_of(determinant);
  return determinant > bound || determinant < -bound || size == 0;
}

/// x - y, and whether that is exact.
bool exact_difference(double x, double y, double& difference) {
  difference = x - y;
  const double part = x - difference;
  return (x - (difference + part)) + (part - y) == 0;  // also false for values that are not finite
}

}  // namespace

namespace exact_stage {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // __int128
bool orient3d_integers(Vec3 a, Vec3 b, Vec3 c, Vec3 d, int& sign) {
  double difference[9];
  double largest = 0;
  const Vec3* points[3] = {&b, &c, &d};
  for (int i = 0; i < 9; ++i) {
    if (!exact_difference((*points[i / 3])[i % 3], a[i % 3], difference[i])) return false;
    largest = std::max(largest, std::abs(difference[i]));
  }
  sign = 0;
  if (largest == 0) return true;
  // Scales all differences below 2^40 by a power of two: the determinant then has at most 123 bits.
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52) - 1023;
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 39 - exponent) << 52);
  std::int64_t v[9];
  for (int i = 0; i < 9; ++i) {
    v[i] = static_cast<std::int64_t>(difference[i] * scale);
    if (static_cast<double>(v[i]) != difference[i] * scale) return false;
  }
  using Wide = __int128;
  const auto minor = [&v](int x, int y) { return Wide{v[x]} * v[3 + y] - Wide{v[y]} * v[3 + x]; };
  const Wide determinant = minor(1, 2) * v[6] + minor(2, 0) * v[7] + minor(0, 1) * v[8];
  sign = (determinant > 0) - (determinant < 0);
  return true;
}
#pragma GCC diagnostic pop

int orient3d_expansion(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  Expansion<48> sum;
  add_determinant(sum, 1, b, c, d);
  add_determinant(sum, -1, a, c, d);
  add_determinant(sum, 1, a, b, d);
  add_determinant(sum, -1, a, b, c);
  return sum.sign();
}

int orient2d_expansion(Vec3 a, Vec3 b, Vec3 c, int axis) {
  const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
  Expansion<6> sum;
  const auto add_cross = [&sum, u, v](Vec3 p, Vec3 q) {
    sum.add(static_cast<double>(p[u]) * q[v]);
    sum.add(-static_cast<double>(p[v]) * q[u]);
  };
  add_cross(a, b);
  add_cross(b, c);
  add_cross(c, a);
  return sum.sign();
}

int orient3d_wide_expansion(Vec3 a, Vec3 b, Vec3 c, Vec3d p) {
  Expansion<48> sum;
  add_determinant(sum, -1, a, b, c);
  const auto add_normal = [&sum, p](Vec3 q, Vec3 r) {  // (q x r) . p
    for (int k = 0; k < 3; ++k) {
      const int u = k == 2 ? 0 : k + 1, v = k == 0 ? 2 : k - 1;
      add_rounded_product(sum, static_cast<double>(q[u]) * r[v], p[k]);
      add_rounded_product(sum, -static_cast<double>(q[v]) * r[u], p[k]);
    }
  };
  add_normal(a, b);
  add_normal(b, c);
  add_normal(c, a);
  return sum.sign();
}

int orient2d_wide_expansion(Vec3 a, Vec3 b, Vec3d p, int axis) {
  const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
  Expansion<10> sum;
  sum.add(static_cast<double>(a[u]) * b[v]);
  sum.add(-static_cast<double>(a[v]) * b[u]);
  add_rounded_product(sum, b[u], p[v]);
  add_rounded_product(sum, -b[v], p[u]);
  add_rounded_product(sum, p[u], a[v]);
  add_rounded_product(sum, -p[v], a[u]);
  return sum.sign();
}

}  // namespace exact_stage

int orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  const Vec3d o = to_double(a);
  const Vec3d p = to_double(b) - o, q = to_double(c) - o, r = to_double(d) - o;
  int sign = 0;
  if (determinant_by_doubles(p, q, r, sign)) return sign;
  return exact_stage::orient3d_integers(a, b, c, d, sign) ? sign : exact_stage::orient3d_expansion(a, b, c, d);
}

int orient2d(Vec3 a, Vec3 b, Vec3 c, int axis) {
  const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
  const double au = a[u], av = a[v];
  const double left = (b[u] - au) * (c[v] - av), right = (b[v] - av) * (c[u] - au);
  const double bound = kBound2d * (std::abs(left) + std::abs(right));
  const double determinant = left - right;
  if (determinant > bound || determinant < -bound || bound == 0) return sign_of(determinant);
  return exact_stage::orient2d_expansion(a, b, c, axis);
}

int orient3d_wide(Vec3 a, Vec3 b, Vec3 c, Vec3d p) {
  const Vec3d o = to_double(a), q = to_double(b) - o, r = to_double(c) - o, s = p - o;
  int sign = 0;
  if (determinant_by_doubles(q, r, s, sign)) return sign;
  return exact_stage::orient3d_wide_expansion(a, b, c, p);
}

int orient2d_wide(Vec3 a, Vec3 b, Vec3d p, int axis) {
  const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
  const double left = (a[u] - p[u]) * (b[v] - p[v]), right = (a[v] - p[v]) * (b[u] - p[u]);
  const double bound = kBound2d * (std::abs(left) + std::abs(right));
  const double determinant = left - right;
  if (determinant > bound || determinant < -bound || bound == 0) return sign_of(determinant);
  return exact_stage::orient2d_wide_expansion(a, b, p, axis);
}

int determinant_sign(Edge x, Edge y, Edge z) {
  const auto along = [](Edge e) { return to_double(e.to) - to_double(e.from); };
  const Vec3d p = along(x), q = along(y), r = along(z);
  int sign = 0;
  if (determinant_by_doubles(p, q, r, sign)) return sign;
  Expansion<96> sum;
  for (int i = 0; i < 8; ++i) {
    const double parity = ((i ^ i >> 1 ^ i >> 2) & 1) != 0 ? -1 : 1;
    add_determinant(sum, parity, (i & 1) != 0 ? x.from : x.to, (i & 2) != 0 ? y.from : y.to,
                    (i & 4) != 0 ? z.from : z.to);
  }
  return sum.sign();
}

}  // namespace lamella
