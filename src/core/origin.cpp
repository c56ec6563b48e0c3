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
  const Placement p = placement_between(pose, mesh.origin, origin);
  if (mesh.wide.empty()) return place_positions(mesh.positions, p, to);
  for (std::size_t i = 0; i < mesh.wide.size(); ++i) {
    const Vec3d v = mesh.wide[i];
    for (int k = 0; k < 3; ++k) {
      const Vec3d r = p.rows[k];
      to[i][k] = static_cast<float>(r.x * v.x + r.y * v.y + r.z * v.z + p.translation[k]);
    }
  }
  return inspect_positions({to, mesh.wide.size()});
}

Mesh copied(MeshView mesh) {
  Mesh out;
  out.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  if (mesh.wide.empty()) {
    out.positions.assign(mesh.positions.begin(), mesh.positions.end());
    out.origin = mesh.origin;
  } else {
    out.origin = origin_for(wide_box(mesh));
    out.positions.resize(mesh.wide.size());
    (void)place_mesh(mesh, {}, out.origin, out.positions.data());
  }
  return out;
}

}  // namespace lamella
