#include "measure/frame.hpp"

#include "core/origin.hpp"

namespace lamella {
namespace {

MeshView place_at(Vec3d origin, MeshView mesh, std::vector<Vec3>& room) {
  if (mesh.wide.empty() && mesh.origin == origin) return mesh;
  room.resize(mesh.vertex_count());
  (void)place_mesh(mesh, {}, origin, room.data());
  return {.positions = room, .triangles = mesh.triangles, .origin = origin};
}

}  // namespace

void PairFrame::settle(MeshView a, MeshView b) {
  const bool together = a.wide.empty() && b.wide.empty() && a.origin == b.origin;
  origin_ = together ? a.origin : origin_for(shared_box(wide_box(a), wide_box(b)));
  a_ = place_at(origin_, a, room_a_);
  b_ = place_at(origin_, b, room_b_);
}

}  // namespace lamella
