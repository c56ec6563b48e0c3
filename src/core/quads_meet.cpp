// Which triangles of two quads share a point: triangles_meet for four pairs at once, optimised for pairs that mostly do
// not.
//
// Boxes are tested first. Then the four corners of each quad are tested against both planes of the other, in floats,
// all four in a vector. The pairs left are tested by the two orientations of Devillers and Guigue. A sign that rounding
// could have changed is not used: then triangles_meet decides the pair of triangles, or orient3d the orientation.
//
// Vectors have four lanes because quads have four corners: the compiler's vector types have that width on every
// machine, and run-time dispatch would cost more than wider vectors could gain.
#include <cmath>

#include "core/exact.hpp"
#include "core/four.hpp"
#include "core/sides.hpp"
#include "core/triangles_meet.hpp"
#include "lamella/triangles_meet.hpp"

namespace lamella {
namespace {

using FourInts [[gnu::vector_size(16)]] = int;

constexpr unsigned kCorners[2][3] = {{0, 1, 2}, {0, 2, 3}};

// Below, u = 2^-24, and v is the volume of the box about both quads, whose sides bound every difference of coordinates.
// Each of the six monomials of an orientation is at most v and passes eight roundings (see exact.cpp): their total
// error is below 49 u v. Products may also underflow, by 2^-150 each; with sides up to 2^40 that comes to less than
// 2^-100, and nothing overflows.
constexpr float kBound = 64 * 0x1p-24f, kUnderflow = 0x1p-100f, kLongest = 0x1p40f;

inline Four smaller(Four a, Four b) { return a < b ? a : b; }
inline Four larger(Four a, Four b) { return a > b ? a : b; }
inline Four rotate(Four a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
inline Four cross(Four a, Four b) { return rotate(a * rotate(b) - rotate(a) * b); }

inline unsigned any_bits(FourInts bits) {
  bits |= __builtin_shufflevector(bits, bits, 2, 3, 0, 1);
  bits |= __builtin_shufflevector(bits, bits, 1, 0, 3, 2);
  return static_cast<unsigned>(bits[0]);
}

/// The fourth lane of a corner is not used.
struct Quad {
  Four corner[4];
  Four low, high;  ///< of its box
  Four x, y, z;    ///< of all corners
};

inline void load_quad(const Vec3 p[4], Quad& quad) {
  const float* xyz = reinterpret_cast<const float*>(p);
  for (int i = 0; i < 3; ++i) quad.corner[i] = load(xyz + 3 * i);
  const Four last = load(xyz + 8);  // from 9 on it would read beyond the end
  quad.corner[3] = __builtin_shufflevector(last, last, 1, 2, 3, 0);
  quad.low = smaller(smaller(quad.corner[0], quad.corner[1]), smaller(quad.corner[2], quad.corner[3]));
  quad.high = larger(larger(quad.corner[0], quad.corner[1]), larger(quad.corner[2], quad.corner[3]));
}

inline void transpose_quad(Quad& q) {
  Four unused = q.corner[3];
  q.x = q.corner[0];
  q.y = q.corner[1];
  q.z = q.corner[2];
  transpose(q.x, q.y, q.z, unused);
}

/// For the planes of triangles 0 and 1 of `of`: bits 0 to 3 of a byte, which corners of `points` are above plane 0, 4
/// to 7 which are below; the next byte for plane 1. Neither bit: too close to decide.
inline unsigned sides_of_planes(const Quad& of, const Quad& points, float bound) {
  const Four edge1 = of.corner[1] - of.corner[0], edge2 = of.corner[2] - of.corner[0];
  const Four edge3 = of.corner[3] - of.corner[0];
  const Four normal0 = cross(edge1, edge2), normal1 = cross(edge2, edge3);
  const Four x = points.x - all(of.corner[0][0]), y = points.y - all(of.corner[0][1]);
  const Four z = points.z - all(of.corner[0][2]);
  const Four side0 = all(normal0[0]) * x + all(normal0[1]) * y + all(normal0[2]) * z;
  const Four side1 = all(normal1[0]) * x + all(normal1[1]) * y + all(normal1[2]) * z;
  const Four above = all(bound), below = all(-bound);
  constexpr FourInts kBits{1, 2, 4, 8};
  return any_bits(((side0 > above) & kBits) | ((side0 < below) & (kBits << 4)) | ((side1 > above) & (kBits << 8)) |
                  ((side1 < below) & (kBits << 12)));
}

/// Sides of triangle `number`'s corners, from the sides of its quad's corners of plane `plane`.
inline Sides sides_of_triangle(unsigned bits, unsigned plane, unsigned number) {
  bits >>= 8 * plane;
  const unsigned above = bits & 15, below = bits >> 4 & 15;
  if (number == 0) return {above & 7, below & 7};
  return {(above & 1) | (above >> 1 & 6), (below & 1) | (below >> 1 & 6)};
}

int orient3d_within(Vec3 a, Vec3 b, Vec3 c, Vec3 d, float bound) {
  const Vec3 p = b - a, q = c - a, r = d - a;
  const float side = dot(cross(p, q), r);
  if (side > bound) return 1;
  if (side < -bound) return -1;
  return orient3d(a, b, c, d);
}

bool pair_meets(const Vec3 a[4], unsigned i, Sides sides_a, const Vec3 b[4], unsigned j, Sides sides_b, float bound) {
  const auto& in_a = kCorners[i];
  const auto& in_b = kCorners[j];
  if ((sides_a.above | sides_a.below) != 7 || (sides_b.above | sides_b.below) != 7) {
    const Vec3 of_a[3] = {a[in_a[0]], a[in_a[1]], a[in_a[2]]}, of_b[3] = {b[in_b[0]], b[in_b[1]], b[in_b[2]]};
    return triangles_meet(of_a, of_b);
  }
  const CrossingEdges e = crossing_edges(sides_a, sides_b);
  const Vec3 from_a = a[in_a[e.a]], from_b = b[in_b[e.b]];
  return orient3d_within(from_a, a[in_a[e.a1]], from_b, b[in_b[e.b1]], bound) <= 0 &&
         orient3d_within(from_a, a[in_a[e.a2]], from_b, b[in_b[e.b2]], bound) >= 0;
}

/// Bits of those pairs in `wanted` that no plane separates.
inline unsigned pairs_left(unsigned bits_a, unsigned bits_b, unsigned wanted) {
  unsigned left = 0;
  for (unsigned pair = 0; pair < 4; ++pair) {
    const bool apart = sides_of_triangle(bits_b, pair >> 1, pair & 1).all_on_one_side() ||
                       sides_of_triangle(bits_a, pair & 1, pair >> 1).all_on_one_side();
    left |= unsigned{!apart} << pair;
  }
  return left & wanted;
}

unsigned pairs_meet(const Vec3 a[4], const Vec3 b[4], unsigned wanted) {
  Quad quad_a, quad_b;
  load_quad(a, quad_a);
  load_quad(b, quad_b);
  constexpr FourInts kThree{-1, -1, -1, 0};
  if (any_bits(((quad_a.high < quad_b.low) | (quad_b.high < quad_a.low)) & kThree) != 0) return 0;
  const Four sides = larger(quad_a.high, quad_b.high) - smaller(quad_a.low, quad_b.low);
  // NaN where a sign must not be used: comparisons with it are false.
  const bool in_range = sides[0] <= kLongest && sides[1] <= kLongest && sides[2] <= kLongest;
  // In doubles: a float would lose the product of a tiny side with the bound, however long the other sides are.
  const double volume = double{sides[0]} * double{sides[1]} * double{sides[2]};
  const float bound = in_range ? static_cast<float>(double{kBound} * volume) + kUnderflow : NAN;

  transpose_quad(quad_b);
  const unsigned bits_b = sides_of_planes(quad_a, quad_b, bound);
  unsigned left = pairs_left(0, bits_b, wanted);
  if (left == 0) return 0;
  transpose_quad(quad_a);
  const unsigned bits_a = sides_of_planes(quad_b, quad_a, bound);
  left = pairs_left(bits_a, bits_b, left);

  unsigned meeting = 0;
  for (unsigned pair = 0; pair < 4; ++pair) {
    if ((left >> pair & 1) == 0) continue;
    const unsigned i = pair >> 1, j = pair & 1;
    const Sides sides_a = sides_of_triangle(bits_a, j, i), sides_b = sides_of_triangle(bits_b, i, j);
    meeting |= unsigned{pair_meets(a, i, sides_a, b, j, sides_b, bound)} << pair;
  }
  return meeting;
}

}  // namespace

unsigned quads_meet(const Vec3 a[4], const Vec3 b[4]) { return pairs_meet(a, b, 0b1111); }

unsigned triangle_meets_quad(const Vec3 a[3], const Vec3 b[4]) {
  const Vec3 padded[4] = {a[0], a[1], a[2], a[2]};
  return pairs_meet(padded, b, 0b0011);
}

}  // namespace lamella
