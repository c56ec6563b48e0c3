// Brings the meshes of a query into one frame: positions as floats, relative to one origin. Meshes that share an origin
// already, as almost all do, are left as they are.

#include "core/origin.hpp"
#include "engines/query_parts.hpp"

namespace lamella {

/// The mesh in main memory, with positions that are only on a device read into `positions`.
MeshView Engine::on_host(MeshRef mesh, std::vector<Vec3>& positions) const {
  if (mesh.kept == nullptr || !mesh.view.triangles.empty()) return mesh.view;
  mesh.kept->read_positions(positions);
  return {.positions = positions, .triangles = mesh.kept->triangles(), .origin = mesh.kept->origin()};
}

/// Replaces a mesh by a view of a copy relative to `origin`, unless it is that already.
void Engine::place_at(MeshRef& mesh, Vec3d origin, std::vector<Vec3>& positions) {
  if (mesh.view.wide.empty() && mesh.view.origin == origin) return;
  std::vector<Vec3> memory;
  const MeshView view = on_host(mesh, memory);
  positions.resize(view.vertex_count());
  (void)place_mesh(view, {}, origin, positions.data());
  mesh = MeshView{.positions = positions, .triangles = view.triangles, .origin = origin};
}

/// Returns the origin.
Vec3d Engine::settle(MeshRef& mesh) {
  if (mesh.view.wide.empty()) return mesh.view.origin;
  const Vec3d origin = origin_for(wide_box(mesh.view));
  place_at(mesh, origin, scratch().settled_a);
  return origin;
}

/// The same for two. The origin depends on what they have in common, and not on their order.
Vec3d Engine::settle(MeshRef& a, MeshRef& b) {
  const bool wide = !a.view.wide.empty() || !b.view.wide.empty();
  if (!wide && a.view.origin == b.view.origin) return a.view.origin;
  Scratch& s = scratch();
  std::vector<Vec3> memory_a, memory_b;
  const Vec3d origin = origin_for_thin(shared_box(wide_box(on_host(a, memory_a)), wide_box(on_host(b, memory_b))));
  place_at(a, origin, s.settled_a);
  place_at(b, origin, s.settled_b);
  return origin;
}

}  // namespace lamella
