#include "core/origin.hpp"

#include "core/lattice.hpp"

namespace lamella {

WideBox wide_box(MeshView mesh) {
  if (mesh.wide.empty()) return wide_box(inspect_positions(mesh.positions).box, mesh.origin);
  WideBox box;
  for (const Vec3d& p : mesh.wide) {
    if (!usable(narrow(p))) continue;
    for (int i = 0; i < 3; ++i) {
      box.min[i] = std::min(box.min[i], p[i] + mesh.origin[i]);
      box.max[i] = std::max(box.max[i], p[i] + mesh.origin[i]);
    }
  }
  return box;
}

PositionFacts place_mesh(MeshView mesh, const Transform& pose, Vec3d origin, Vec3* to) {
  constexpr double kLargest = std::numeric_limits<float>::max();  // too large to compute with, as infinity is
  const Placement p = placement_between(pose, mesh.origin, origin);
  if (mesh.wide.empty()) return place_positions(mesh.positions, p, to);
  for (std::size_t i = 0; i < mesh.wide.size(); ++i) {
    const Vec3d v = mesh.wide[i];
    for (int k = 0; k < 3; ++k) {
      const Vec3d r = p.rows[k];
      const double at = r.x * v.x + r.y * v.y + r.z * v.z + p.translation[k];
      to[i][k] = static_cast<float>(std::clamp(at, -kLargest, kLargest));
    }
  }
  return inspect_positions({to, mesh.wide.size()});
}

}  // namespace lamella
