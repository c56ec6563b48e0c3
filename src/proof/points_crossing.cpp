// Signs of areas and of a volume decide; they are computed relative to the point, in doubles, and where rounding leaves
// doubt by core/exact.hpp. Ties are broken by a symbolic move of the point: Edelsbrunner and Mücke, "Simulation of
// Simplicity", 1990, for the point alone, since only the point has to be in general position.

#include "proof/points_crossing.hpp"

#include <algorithm>
#include <cmath>

#include "core/exact.hpp"

namespace lamella::proof {
namespace {

// As in core/exact.cpp: the same numbers of roundings, differences included.
constexpr double kBound2d = 6 * 0x1p-53, kBound3d = 10 * 0x1p-53;

constexpr int sign_of(double x) { return (x > 0) - (x < 0); }

/// An edge seen along z: on which side the point is.
struct Side {
  int sign = 0;
  double value = 0, size = 0;  ///< rounded: a cross product, and the sum of its terms' sizes
};

Side side_of(Vec3d a, Vec3d b) {
  const double left = a.x * b.y, right = a.y * b.x;
  return {0, left - right, std::abs(left) + std::abs(right)};
}

/// Of the edge from a to b, for a point on the edge's line that is moved by (e, e * e).
int moved_side(Vec3 a, Vec3 b) {
  const int along_x = (a.y > b.y) - (a.y < b.y);
  return along_x != 0 ? along_x : (b.x > a.x) - (b.x < a.x);
}

bool between(float x, float a, float b) { return std::min(a, b) <= x && x <= std::max(a, b); }

bool on_segment(Vec3 p, Vec3 a, Vec3 b) {
  for (int axis = 0; axis < 3; ++axis)
    if (!between(p[axis], a[axis], b[axis]) || orient2d(a, b, p, axis) != 0) return false;
  return true;
}

/// For a point in the triangle's plane. Looks along each axis until it sees the triangle from a side.
bool on_triangle(Vec3 p, const Vec3 (&c)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const int turn = orient2d(c[0], c[1], c[2], axis);
    if (turn == 0) continue;
    for (int k = 0; k < 3; ++k)
      if (orient2d(c[k], c[(k + 1) % 3], p, axis) * turn < 0) return false;
    return true;
  }
  return on_segment(p, c[0], c[1]) || on_segment(p, c[1], c[2]) || on_segment(p, c[2], c[0]);
}

/// 1: the point is on the side that the corners' normal points away from.
int depth_sign(Vec3 p, const Vec3 (&c)[3], const Vec3d (&q)[3], const Side (&side)[3]) {
  const double volume = q[0].z * side[1].value + q[1].z * side[2].value + q[2].z * side[0].value;
  const double size =
      std::abs(q[0].z) * side[1].size + std::abs(q[1].z) * side[2].size + std::abs(q[2].z) * side[0].size;
  if (std::abs(volume) > kBound3d * size) return sign_of(volume);
  return -orient3d(c[0], c[1], c[2], p);
}

}  // namespace

PointCrossing cross_triangle(Vec3 p, const Vec3 (&c)[3]) {
  const Vec3d o = to_double(p);
  const Vec3d q[3] = {to_double(c[0]) - o, to_double(c[1]) - o, to_double(c[2]) - o};
  Side side[3];
  bool left = false, right = false, tie = false;
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    side[k] = side_of(q[k], q[next]);
    // Both terms are 0 only where a factor of each is, and differences are 0 only of equal numbers.
    const bool sure = std::abs(side[k].value) > kBound2d * side[k].size || side[k].size == 0;
    side[k].sign = sure ? sign_of(side[k].value) : orient2d(c[k], c[next], p, 2);
    left = left || side[k].sign > 0;
    right = right || side[k].sign < 0;
    tie = tie || side[k].sign == 0;
    if (left && right) return {};
  }
  const double low = std::min({q[0].z, q[1].z, q[2].z}), high = std::max({q[0].z, q[1].z, q[2].z});
  const bool level = low <= 0 && high >= 0;
  const int depth = level ? depth_sign(p, c, q, side) : 0;
  if (level && depth == 0) {
    if (left || right || on_triangle(p, c)) return {.on_surface = true};
    return {};
  }
  if (tie)
    for (int k = 0; k < 3; ++k) {
      const int sign = side[k].sign != 0 ? side[k].sign : moved_side(c[k], c[k == 2 ? 0 : k + 1]);
      left = left || sign > 0;
      right = right || sign < 0;
      if (sign == 0 || (left && right)) return {};
    }
  const int turn = left ? 1 : -1;
  return {.turn = turn, .above = level ? depth * turn > 0 : low > 0};
}

}  // namespace lamella::proof
