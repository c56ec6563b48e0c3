// The images of two triangles share a convex polygon. Over it the distance along the motion is linear, so it is least
// at a corner of the polygon: a corner of one triangle inside the other, or where two edges cross. Clipping one
// triangle at the edges of the other (Sutherland and Hodgman 1974) finds all of these alike, also where edges coincide.

#include "measure/triangle_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lamella {
namespace {

/// What rounding of doubles does, with room, as a part of the largest coordinate.
constexpr double kRounding = 0x1p-44;

double side(Vec3d from, Vec3d to, Vec3d p) {
  return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
}

/// At most three corners and one more for each edge it was clipped at. Corners have the depth of the clipped triangle.
struct Polygon {
  std::array<Vec3d, 6> at;
  int size = 0;
};

/// The part of a polygon to the left of an edge.
Polygon clip(const Polygon& polygon, Vec3d from, Vec3d to) {
  Polygon out;
  for (int i = 0; i < polygon.size; ++i) {
    const Vec3d p = polygon.at[i], q = polygon.at[(i + 1) % polygon.size];
    const double at_p = side(from, to, p), at_q = side(from, to, q);
    if (at_p >= 0 && out.size < 6) out.at[out.size++] = p;
    if ((at_p < 0) != (at_q < 0) && at_p != 0 && at_q != 0 && out.size < 6)
      out.at[out.size++] = p + (q - p) * (at_p / (at_p - at_q));
  }
  return out;
}

/// Twice the area by the longest extent: 0 of a polygon that is a point or a line.
double width(const Polygon& polygon) {
  double twice_area = 0, longest = 0;
  for (int i = 0; i < polygon.size; ++i) {
    const Vec3d p = polygon.at[i] - polygon.at[0];
    longest = std::max({longest, std::abs(p.x), std::abs(p.y)});
    if (i + 1 < polygon.size) {
      const Vec3d q = polygon.at[i + 1] - polygon.at[0];
      twice_area += p.x * q.y - p.y * q.x;
    }
  }
  return longest > 0 ? std::abs(twice_area) / longest : 0;
}

/// Weights of the corners at a point of the image, each between 0 and 1.
struct Weights {
  double of[3];
};
Weights weights_at(const ViewTriangle& t, Vec3d p) {
  const double sign = t.area() < 0 ? -1 : 1;
  Weights w{};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    w.of[i] = std::max(0.0, sign * side(t.at[(i + 1) % 3], t.at[(i + 2) % 3], p));
    sum += w.of[i];
  }
  for (double& weight : w.of) weight = sum > 0 ? weight / sum : 1.0 / 3;
  return w;
}
double depth_at(const ViewTriangle& t, const Weights& w) {
  return w.of[0] * t.at[0].z + w.of[1] * t.at[1].z + w.of[2] * t.at[2].z;
}
/// The corner that the point is not an inner point of the triangle without: -1 where it is one.
int edge_of(const Weights& w) {
  constexpr double kOnEdge = 1e-9;
  const int least = static_cast<int>(std::min_element(w.of, w.of + 3) - w.of);
  return w.of[least] > kOnEdge ? -1 : least;
}

/// The middle of what touches: of the corners with the least gap.
Vec3d middle_of_least(const Polygon& polygon, const double* gaps, double most) {
  Vec3d sum;
  int count = 0;
  for (int i = 0; i < polygon.size; ++i)
    if (gaps[i] <= most) sum += polygon.at[i], ++count;
  return sum * (1.0 / count);
}
/// The middle of the line on which the gap is 0: some gaps are below it and some above.
Vec3d middle_of_crossing(const Polygon& polygon, const double* gaps) {
  Vec3d sum;
  int count = 0;
  for (int i = 0; i < polygon.size; ++i) {
    const int k = (i + 1) % polygon.size;
    if ((gaps[i] < 0) == (gaps[k] < 0)) continue;
    sum += polygon.at[i] + (polygon.at[k] - polygon.at[i]) * (gaps[i] / (gaps[i] - gaps[k]));
    ++count;
  }
  return sum * (1.0 / count);
}

Vec3d normal_of(const ViewTriangle& t) { return cross(t.at[1] - t.at[0], t.at[2] - t.at[0]); }

/// Of the surface that is met: a face where a corner or an edge meets the inside of it, else across both edges.
Vec3d contact_normal(const ViewTriangle& moving, const ViewTriangle& fixed, Vec3d at) {
  const int on_fixed = edge_of(weights_at(fixed, at)), on_moving = edge_of(weights_at(moving, at));
  Vec3d n = normal_of(fixed);
  if (on_fixed >= 0 && on_moving < 0) n = normal_of(moving);
  if (on_fixed >= 0 && on_moving >= 0) {
    const Vec3d across = cross(fixed.at[(on_fixed + 2) % 3] - fixed.at[(on_fixed + 1) % 3],
                               moving.at[(on_moving + 2) % 3] - moving.at[(on_moving + 1) % 3]);
    if (std::abs(across.z) > 1e-9 * length(across)) n = across;
  }
  const double size = length(n);
  if (!(size > 0)) return {0, 0, -1};
  return n * ((n.z > 0 ? -1 : 1) / size);
}

}  // namespace

std::optional<TriangleTouch> sweep_triangle(const ViewTriangle& moving, const ViewTriangle& fixed) {
  double largest = 0;
  for (const ViewTriangle* t : {&moving, &fixed})
    for (const Vec3d& p : t->at) largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  const double rounding = kRounding * largest;

  const auto whole = [](const ViewTriangle& t) { return Polygon{{t.at[0], t.at[1], t.at[2]}, 3}; };
  if (!(width(whole(fixed)) > rounding)) return std::nullopt;
  Polygon shared = whole(moving);
  const bool turned = fixed.area() < 0;
  for (int i = 0; i < 3 && shared.size >= 3; ++i) {
    const Vec3d from = fixed.at[i], to = fixed.at[(i + 1) % 3];
    shared = turned ? clip(shared, to, from) : clip(shared, from, to);
  }
  if (shared.size < 3 || !(width(shared) > rounding)) return std::nullopt;

  double gaps[6], least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < shared.size; ++i) {
    gaps[i] = depth_at(fixed, weights_at(fixed, shared.at[i])) - shared.at[i].z;
    least = std::min(least, gaps[i]);
    most = std::max(most, gaps[i]);
  }
  if (most < -rounding || (least < -rounding && most <= rounding)) return std::nullopt;
  TriangleTouch touch;
  touch.crossing = least < -rounding;
  touch.shift = std::max(0.0, least);
  touch.position = touch.crossing ? middle_of_crossing(shared, gaps) : middle_of_least(shared, gaps, least + rounding);
  touch.position.z += touch.shift;
  touch.normal = contact_normal(moving, fixed, touch.position);
  return touch;
}

}  // namespace lamella
