#include "lamella/mesh.hpp"

#include "core/mesh_check.hpp"
#include "core/origin.hpp"
#include "core/placement.hpp"
#include "core/positions.hpp"

namespace lamella {

Aabb bounds(MeshView mesh) { return inspect_positions(mesh.positions).box; }

double signed_volume(MeshView mesh) {
  const Aabb box = bounds(mesh);
  if (box.empty()) return 0;
  const Vec3d middle = to_double(center(box));
  double six_volumes = 0;
  for (const Triangle& t : mesh.triangles) {
    if (!usable(mesh, t)) continue;
    const Vec3d a = to_double(mesh.positions[t.a]) - middle, b = to_double(mesh.positions[t.b]) - middle,
                c = to_double(mesh.positions[t.c]) - middle;
    six_volumes += dot(a, cross(b, c));
  }
  return six_volumes / 6;
}

Mesh transformed(MeshView mesh, const Transform& pose) {
  Mesh out;
  out.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  out.positions.resize(mesh.positions.size());
  (void)place_positions(mesh.positions, placement_of(pose), out.positions.data());
  return out;
}

Mesh rounded(MeshView mesh) {
  Mesh out{{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}, mesh.origin};
  if (mesh.wide.empty()) return out;
  out.origin = origin_for(wide_box(mesh));
  out.positions.resize(mesh.wide.size());
  (void)place_mesh(mesh, {}, out.origin, out.positions.data());
  return out;
}

}  // namespace lamella
