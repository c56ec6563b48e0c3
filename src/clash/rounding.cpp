#include "clash/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "clash/film.hpp"
#include "clash/triangle_box.hpp"
#include "core/mesh_check.hpp"
#include "core/placement.hpp"

namespace lamella::clash {

double rounding_of(const MeshView& exact, const Transform& pose, const MeshView& as_sampled, const Aabb& near,
                   Frame frame) {
  if (exact.wide.empty() && exact.positions.data() == as_sampled.positions.data()) return 0;
  const Placement p = placement_between(pose, exact.origin, as_sampled.origin);
  const auto moved_by = [&](std::uint32_t i) {
    const Vec3d from = exact.wide.empty() ? to_double(exact.positions[i]) : exact.wide[i];
    Vec3d moved;
    for (int k = 0; k < 3; ++k) moved[k] = dot(p.rows[k], from) + p.translation[k] - as_sampled.positions[i][k];
    return frame == Frame::film ? std::abs(moved.z) : length(moved);
  };
  double most = 0;
  for (const Triangle& t : as_sampled.triangles) {
    if (!usable(as_sampled, t) || !meets(near, as_sampled, t)) continue;
    if (frame == Frame::film && !is_across(as_sampled, t)) continue;
    most = std::max({most, moved_by(t.a), moved_by(t.b), moved_by(t.c)});
  }
  return most;
}

double largest_coordinate(const WideBox& box, Vec3d origin) {
  double most = 0;
  for (int k = 0; k < 3; ++k)
    most = std::max({most, std::abs(box.min[k] - origin[k]), std::abs(box.max[k] - origin[k])});
  return most;
}

}  // namespace lamella::clash
