#pragma once

#include "lamella/math.hpp"

// Whether two triangles cross, for libraries that leave it to the caller. In double, by signs of volumes: fast, and
// right but for rounding. Two of one plane count as apart.

namespace lamella::bench::peers {

/// Of a triangle.
struct Corners {
  const Vec3 *a, *b, *c;
};

struct Point {
  double x, y, z;
};

inline Point between(const Vec3& from, const Vec3& to) {
  return {double{to.x} - from.x, double{to.y} - from.y, double{to.z} - from.z};
}
inline double volume_of(const Point& a, const Point& b, const Point& c) {
  return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}
/// Six times the volume of the tetrahedron.
inline double volume_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return volume_of(between(a, b), between(a, c), between(a, d));
}

inline bool same_side(double a, double b, double c) { return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0); }

/// The line through p and q meets the triangle, edges and all.
inline bool goes_through(const Vec3& p, const Vec3& q, const Corners& t) {
  const double u = volume_of(p, q, *t.a, *t.b), v = volume_of(p, q, *t.b, *t.c), w = volume_of(p, q, *t.c, *t.a);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/// `a`, `b`, `c`: on which side of the plane of t the corners of s are.
inline bool an_edge_goes_through(const Corners& s, double a, double b, double c, const Corners& t) {
  const auto crosses = [](double from, double to) { return !(from > 0 && to > 0) && !(from < 0 && to < 0); };
  return (crosses(a, b) && goes_through(*s.a, *s.b, t)) || (crosses(b, c) && goes_through(*s.b, *s.c, t)) ||
         (crosses(c, a) && goes_through(*s.c, *s.a, t));
}

/// An edge of one goes through the other.
inline bool cross(const Corners& s, const Corners& t) {
  const double a = volume_of(*t.a, *t.b, *t.c, *s.a), b = volume_of(*t.a, *t.b, *t.c, *s.b),
               c = volume_of(*t.a, *t.b, *t.c, *s.c);
  if (same_side(a, b, c) || (a == 0 && b == 0 && c == 0)) return false;
  const double d = volume_of(*s.a, *s.b, *s.c, *t.a), e = volume_of(*s.a, *s.b, *s.c, *t.b),
               f = volume_of(*s.a, *s.b, *s.c, *t.c);
  if (same_side(d, e, f)) return false;
  return an_edge_goes_through(s, a, b, c, t) || an_edge_goes_through(t, d, e, f, s);
}

}  // namespace lamella::bench::peers
