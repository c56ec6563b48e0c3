#include "proof/meet_elsewhere.hpp"

#include "core/exact.hpp"
#include "lamella/triangles_meet.hpp"

namespace lamella::proof {
namespace {

bool has_area(const Vec3 p[3]) {
  return orient2d(p[0], p[1], p[2], 0) != 0 || orient2d(p[0], p[1], p[2], 1) != 0 || orient2d(p[0], p[1], p[2], 2) != 0;
}

/// A segment is a triangle without area to triangles_meet().
bool segment_meets(Vec3 p, Vec3 q, const Vec3 t[3]) {
  const Vec3 segment[3] = {p, q, q};
  return triangles_meet(segment, t);
}

/// The corners s0 and t0 are one. Elsewhere they meet where the edge opposite to it of one meets the other.
bool meet_beyond_corner(Vec3 s1, Vec3 s2, const Vec3 s[3], Vec3 t1, Vec3 t2, const Vec3 t[3]) {
  const int side = orient3d(t[0], t[1], t[2], s1);
  if (side != 0 && orient3d(t[0], t[1], t[2], s2) == side) return false;
  const int other = orient3d(s[0], s[1], s[2], t1);
  if (other != 0 && orient3d(s[0], s[1], s[2], t2) == other) return false;
  return has_area(s) && has_area(t) && (segment_meets(s1, s2, t) || segment_meets(t1, t2, s));
}

/// With an edge in common they overlap when one is folded onto the other.
bool folded(Vec3 p, Vec3 q, Vec3 s, Vec3 t) {
  if (orient3d(p, q, s, t) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const int turn = orient2d(p, q, s, axis);
    if (turn != 0) return orient2d(p, q, t, axis) == turn;
  }
  return false;
}

}  // namespace

bool meet_elsewhere(const Vec3 s[3], const Vec3 t[3]) {
  int shared = 0, of_s[3], of_t[3];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (shared < 3 && s[i] == t[k]) of_s[shared] = i, of_t[shared] = k, ++shared;
  switch (shared) {
    case 0:
      return triangles_meet(s, t) && has_area(s) && has_area(t);
    case 1: {
      const int i = of_s[0], k = of_t[0];
      return meet_beyond_corner(s[(i + 1) % 3], s[(i + 2) % 3], s, t[(k + 1) % 3], t[(k + 2) % 3], t);
    }
    case 2:
      if (of_s[0] == of_s[1] || of_t[0] == of_t[1]) return false;  // a corner twice: no area
      return folded(s[of_s[0]], s[of_s[1]], s[3 - of_s[0] - of_s[1]], t[3 - of_t[0] - of_t[1]]);
    default:
      return has_area(s) && has_area(t);
  }
}

}  // namespace lamella::proof
