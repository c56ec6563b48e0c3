#include "lamella/mesh.hpp"

#include <algorithm>

#include "core/lattice.hpp"
#include "core/mesh_check.hpp"
#include "core/origin.hpp"

namespace lamella {
namespace {

/// Calls with positions as doubles, in the mesh's own frame; `at(vertex)` and whether it is usable.
template <class At, class Usable>
double volume_about(Vec3d middle, std::span<const Triangle> triangles, const At& at, const Usable& usable_at) {
  double six_volumes = 0;
  for (const Triangle& t : triangles) {
    if (!usable_at(t.a) || !usable_at(t.b) || !usable_at(t.c)) continue;
    six_volumes += dot(at(t.a) - middle, cross(at(t.b) - middle, at(t.c) - middle));
  }
  return six_volumes / 6;
}

/// Where a mesh is measured from when `pose` has placed it.
Vec3d placed_origin(MeshView mesh, const Transform& pose) {
  return origin_for(wide_box(wide_box(mesh), pose), kFarFromOrigin);
}

}  // namespace

MeshView exact_view(const Mesh& mesh) {
  const auto same = [](float x, float y) { return x == y || (x != x && y != y); };
  if (mesh.wide.empty() || mesh.wide.size() != mesh.positions.size()) return mesh;
  for (std::size_t i = 0; i < mesh.wide.size(); ++i) {
    const Vec3 p = mesh.positions[i], q = narrow(mesh.wide[i]);
    if (!same(p.x, q.x) || !same(p.y, q.y) || !same(p.z, q.z)) return mesh;
  }
  return {.positions = {}, .triangles = mesh.triangles, .origin = mesh.origin, .wide = mesh.wide};
}

Aabb bounds(MeshView mesh) {
  if (mesh.wide.empty()) return inspect_positions(mesh.positions).box;
  Aabb box;
  for (const Vec3d& p : mesh.wide) {
    if (const Vec3 rounded = narrow(p); usable(rounded)) box = extend(box, rounded);
  }
  return box;
}

double signed_volume(MeshView mesh) {
  if (mesh.wide.empty()) {
    const Aabb box = bounds(mesh);
    if (box.empty()) return 0;
    return volume_about(
        to_double(center(box)), mesh.triangles, [&](std::uint32_t v) { return to_double(mesh.positions[v]); },
        [&](std::uint32_t v) { return usable(mesh.positions[v]); });
  }
  const WideBox box = wide_box(MeshView{.positions = {}, .triangles = {}, .wide = mesh.wide});
  if (box.empty()) return 0;
  return volume_about((box.min + box.max) * 0.5, mesh.triangles, [&](std::uint32_t v) { return mesh.wide[v]; },
                      [&](std::uint32_t v) { return usable(narrow(mesh.wide[v])); });
}

Mesh transformed(MeshView mesh, const Transform& pose) {
  Mesh out;
  out.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  out.positions.resize(mesh.vertex_count());
  out.origin = placed_origin(mesh, pose);
  (void)place_mesh(mesh, pose, out.origin, out.positions.data());
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

std::vector<Vec3> placed_positions(MeshView mesh, const Transform& pose, Vec3d origin) {
  std::vector<Vec3> placed(mesh.vertex_count());
  (void)place_mesh(mesh, pose, origin, placed.data());
  return placed;
}

void transform(Mesh& mesh, const Transform& pose) {
  constexpr std::size_t kAtATime = std::size_t{1} << 14;  // the mesh may be most of the memory
  const Vec3d origin = placed_origin(mesh, pose);
  const Placement placement = placement_between(pose, mesh.origin, origin);
  std::vector<Vec3> placed(std::min(kAtATime, mesh.positions.size()));
  for (std::size_t begin = 0; begin < mesh.positions.size(); begin += kAtATime) {
    const auto some = std::span(mesh.positions).subspan(begin, std::min(kAtATime, mesh.positions.size() - begin));
    (void)place_positions(some, placement, placed.data());
    std::copy_n(placed.begin(), some.size(), some.begin());
  }
  mesh.origin = origin;
  mesh.wide = std::vector<Vec3d>();  // gives its memory back
}

Mesh in_world(Mesh mesh) {
  if (mesh.origin == Vec3d{}) return mesh;
  if (exact_view(mesh).wide.empty()) mesh.wide = std::vector<Vec3d>();
  for (Vec3& p : mesh.positions) p = narrow(to_double(p) + mesh.origin);
  for (Vec3d& p : mesh.wide) p += mesh.origin;
  for (std::size_t i = 0; i < mesh.wide.size(); ++i) mesh.positions[i] = narrow(mesh.wide[i]);
  mesh.origin = {};
  return mesh;
}

}  // namespace lamella
