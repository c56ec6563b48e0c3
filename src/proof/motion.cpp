// The test of triangles_meet.cpp with every orientation as a function of the step e. They are all linear in e, up to a
// factor that is above 0: the sign is that of the orientation at rest, or where that is 0, of its derivative. So the
// signs are exact, and where even the derivative is 0 the points stay in one plane.
//
// When b shrinks towards a point, b = t + (1 - e)(b - t), orientations of three points of b and one of a are those of b
// at rest and a grown by 1 / (1 - e); those of two and two are (1 - e) times a linear function.

#include "proof/motion.hpp"

#include "core/exact.hpp"
#include "core/sides.hpp"

namespace lamella::proof {
namespace {

bool has_area(const Vec3 p[3]) {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(p[0], p[1], p[2], axis) != 0) return true;
  return false;
}

/// On which side of a's plane the moved point of b is.
int side_of_a(const Motion& m, const Vec3 a[3], Vec3 b) {
  if (const int sign = orient3d(a[0], a[1], a[2], b); sign != 0) return sign;
  const Edge x{a[0], a[1]}, y{a[0], a[2]};
  return m.kind == Motion::Kind::shift ? determinant_sign(x, y, {{}, m.t}) : determinant_sign(x, y, {b, m.t});
}

/// On which side of the moved plane of b a point of a is.
int side_of_b(const Motion& m, const Vec3 b[3], Vec3 a) {
  if (const int sign = orient3d(b[0], b[1], b[2], a); sign != 0) return sign;
  const Edge x{b[0], b[1]}, y{b[0], b[2]};
  return m.kind == Motion::Kind::shift ? determinant_sign(x, y, {m.t, {}}) : determinant_sign(x, y, {m.t, a});
}

/// The orientation of an edge of a and a moved edge of b.
int side_of_edges(const Motion& m, Vec3 a, Vec3 a1, Vec3 b, Vec3 b1) {
  if (const int sign = orient3d(a, a1, b, b1); sign != 0) return sign;
  const Edge along{a, a1};
  return m.kind == Motion::Kind::shift ? determinant_sign(along, {{}, m.t}, {b, b1})
                                       : -determinant_sign(along, {m.t, b}, {m.t, b1});
}

template <class SideOf>
Sides sides_of(const Vec3 points[3], const SideOf& side_of) {
  Sides sides;
  for (unsigned i = 0; i < 3; ++i) {
    const int side = side_of(points[i]);
    sides.above |= unsigned{side > 0} << i;
    sides.below |= unsigned{side < 0} << i;
  }
  return sides;
}

}  // namespace

bool meet_after(const Motion& motion, const Vec3 a[3], const Vec3 b[3]) {
  if (!has_area(a) || !has_area(b)) return false;
  const Sides sides_b = sides_of(b, [&](Vec3 p) { return side_of_a(motion, a, p); });
  if (sides_b.all_on_one_side()) return false;
  if (sides_b.all_in_plane()) return true;
  const Sides sides_a = sides_of(a, [&](Vec3 p) { return side_of_b(motion, b, p); });
  if (sides_a.all_on_one_side()) return false;
  if (sides_a.all_in_plane()) return true;
  const CrossingEdges e = crossing_edges(sides_a, sides_b);
  return side_of_edges(motion, a[e.a], a[e.a1], b[e.b], b[e.b1]) <= 0 &&
         side_of_edges(motion, a[e.a], a[e.a2], b[e.b], b[e.b2]) >= 0;
}

int goes_up(const Motion& motion, const Vec3 plane[3]) {
  return motion.kind == Motion::Kind::shift
             ? determinant_sign({plane[0], plane[1]}, {plane[0], plane[2]}, {{}, motion.t})
             : orient3d(plane[0], plane[1], plane[2], motion.t);
}

}  // namespace lamella::proof
