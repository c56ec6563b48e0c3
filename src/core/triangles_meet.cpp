// Whether two triangles share a point.
//
// After Devillers, Guigue: "Faster Triangle-Triangle Intersection Tests", INRIA RR-4488, 2002: each triangle's corners
// are tested against the other's plane; then two more orientations decide whether the triangles' intervals on the line
// shared by both planes overlap. Where we depart from it: every orientation is exact; for triangles in one plane we
// look for a separating edge among their six, which needs no case analysis; and triangles without area, which the paper
// does not cover, are treated as segments.
#include "core/triangles_meet.hpp"

#include "core/exact.hpp"
#include "core/sides.hpp"
#include "lamella/triangles_meet.hpp"

namespace lamella {
namespace {

Sides sides_of_plane(const Vec3 plane[3], const Vec3 points[3]) {
  Sides sides;
  for (unsigned i = 0; i < 3; ++i) {
    const int side = orient3d(plane[0], plane[1], plane[2], points[i]);
    sides.above |= unsigned{side > 0} << i;
    sides.below |= unsigned{side < 0} << i;
  }
  return sides;
}

// ---- triangles in one plane or without area

/// An axis along which a, b, c project to a triangle with area; -1 when they lie on a line.
int axis_with_area(Vec3 a, Vec3 b, Vec3 c) {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(a, b, c, axis) != 0) return axis;
  return -1;
}

/// Along `axis`, a and b both project to triangles with area. If two closed convex polygons share no point, the line of
/// one of their edges separates them.
bool separated_by_edge(const Vec3 a[3], const Vec3 b[3], int axis) {
  const int inside = orient2d(a[0], a[1], a[2], axis);
  for (int i = 0; i < 3; ++i) {
    const Vec3 from = a[i], to = a[i == 2 ? 0 : i + 1];
    if (orient2d(from, to, b[0], axis) == -inside && orient2d(from, to, b[1], axis) == -inside &&
        orient2d(from, to, b[2], axis) == -inside)
      return true;
  }
  return false;
}

bool segments_meet(Vec3 p, Vec3 q, Vec3 r, Vec3 s) {
  if (orient3d(p, q, r, s) != 0) return false;
  int axis = axis_with_area(p, q, r);
  if (axis < 0) axis = axis_with_area(r, s, p);
  // If neither has area, either all points are on one line and the segments meet if their boxes do, or p equals r and
  // they meet. Otherwise all lie in one plane, and the segments meet unless one is wholly on one side of the other.
  if (axis < 0) {
    const Vec3 first[2] = {p, q}, second[2] = {r, s};
    return !boxes_apart<2, 2>(first, second);
  }
  return orient2d(p, q, r, axis) * orient2d(p, q, s, axis) <= 0 &&
         orient2d(r, s, p, axis) * orient2d(r, s, q, axis) <= 0;
}

/// `axis` is from axis_with_area(); -1: the triangle has no area and is treated as its three edges.
bool segment_meets_triangle(Vec3 p, Vec3 q, const Vec3 t[3], int axis) {
  for (int i = 0; i < 3; ++i)
    if (segments_meet(p, q, t[i], t[i == 2 ? 0 : i + 1])) return true;
  if (axis < 0) return false;
  const int above = orient3d(t[0], t[1], t[2], p), below = orient3d(t[0], t[1], t[2], q);
  if (above * below > 0) return false;
  if (above == 0 && below == 0) {  // in its plane and across no edge: wholly inside or wholly outside
    const int turn = orient2d(t[0], t[1], t[2], axis);
    return orient2d(t[0], t[1], p, axis) == turn && orient2d(t[1], t[2], p, axis) == turn &&
           orient2d(t[2], t[0], p, axis) == turn;
  }
  const int first = orient3d(p, q, t[0], t[1]), second = orient3d(p, q, t[1], t[2]), third = orient3d(p, q, t[2], t[0]);
  return (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
}

/// For any two triangles; slow. If they share a point, an edge of one of them shares a point with the other.
bool meet_by_edges(const Vec3 a[3], const Vec3 b[3]) {
  const int axis_a = axis_with_area(a[0], a[1], a[2]), axis_b = axis_with_area(b[0], b[1], b[2]);
  for (int i = 0; i < 3; ++i) {
    const int next = i == 2 ? 0 : i + 1;
    if (segment_meets_triangle(a[i], a[next], b, axis_b) || segment_meets_triangle(b[i], b[next], a, axis_a))
      return true;
  }
  return false;
}

/// One lies in the plane of the other, or has no area.
bool flat_triangles_meet(const Vec3 a[3], const Vec3 b[3]) {
  const int axis = axis_with_area(a[0], a[1], a[2]);
  if (axis < 0 || axis_with_area(b[0], b[1], b[2]) < 0) return meet_by_edges(a, b);
  return !separated_by_edge(a, b, axis) && !separated_by_edge(b, a, axis);
}

}  // namespace

bool triangles_meet(const Vec3 a[3], const Vec3 b[3]) {
  if (boxes_apart<3, 3>(a, b)) return false;
  // For a triangle without area, every point counts as in its plane.
  const Sides sides_b = sides_of_plane(a, b);
  if (sides_b.all_on_one_side()) return false;
  if (sides_b.all_in_plane()) return flat_triangles_meet(a, b);
  const Sides sides_a = sides_of_plane(b, a);
  if (sides_a.all_on_one_side()) return false;
  if (sides_a.all_in_plane()) return flat_triangles_meet(a, b);
  const CrossingEdges e = crossing_edges(sides_a, sides_b);
  return orient3d(a[e.a], a[e.a1], b[e.b], b[e.b1]) <= 0 && orient3d(a[e.a], a[e.a2], b[e.b], b[e.b2]) >= 0;
}

}  // namespace lamella
