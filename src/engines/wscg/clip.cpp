#include "engines/wscg/clip.hpp"

#include <algorithm>

namespace lamella::wscg {
namespace {

/// Where the edge passes through the plane. Always computed from the inner end to the outer one, so that the two
/// triangles at an edge, which see it in opposite directions, get the same point.
Vec3 cut_edge(Vec3 inner, Vec3 outer, const Plane& plane) {
  const double from = inner[plane.axis], to = outer[plane.axis], t = (plane.at - from) / (to - from);
  Vec3 p;
  for (int k = 0; k < 3; ++k)
    p[k] = static_cast<float>(inner[k] + t * (static_cast<double>(outer[k]) - static_cast<double>(inner[k])));
  p[plane.axis] = plane.at;
  return p;
}

Polygon clip(const Polygon& polygon, const Plane& plane) {
  Polygon out;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Vec3 p = polygon.corners[i], q = polygon.corners[(i + 1) % polygon.count];
    const bool p_inside = plane.keeps(p), q_inside = plane.keeps(q);
    if (p_inside) out.add(p);
    if (p_inside && !q_inside) out.add(cut_edge(p, q, plane));
    if (!p_inside && q_inside) out.add(cut_edge(q, p, plane));
  }
  return out;
}

}  // namespace

bool is_beyond(std::span<const Vec3> corners, std::span<const Plane> planes) {
  return std::any_of(planes.begin(), planes.end(), [&](const Plane& plane) {
    return std::none_of(corners.begin(), corners.end(), [&](Vec3 p) { return plane.keeps(p); });
  });
}

Polygon clip(const Polygon& polygon, std::span<const Plane> planes) {
  Polygon out = polygon;
  for (const Plane& plane : planes) {
    const auto points = out.points();
    if (std::all_of(points.begin(), points.end(), [&](Vec3 p) { return plane.keeps(p); })) continue;
    out = clip(out, plane);
  }
  return out;
}

}  // namespace lamella::wscg
