#include "clash/film.hpp"

#include <cmath>

#include "clash/triangle_box.hpp"
#include "core/mesh_check.hpp"
#include "core/unit.hpp"

namespace lamella::clash {
namespace {

/// The least length of a mean normal of a wall that is nearly flat; and the least cosine between normals of walls that
/// are nearly parallel, or of triangles and their wall.
constexpr double kFlat = 0.95;

/// As long as its area.
Vec3d normal_of(MeshView mesh, const Triangle& t) {
  const Vec3d a = to_double(mesh.positions[t.a]);
  return cross(to_double(mesh.positions[t.b]) - a, to_double(mesh.positions[t.c]) - a) * 0.5;
}

/// Of the triangles of a mesh in the box that face nearly as `mean`: the sum of their normals, as long as their areas.
Vec3d sum_of_normals(MeshView mesh, const Aabb& box, Vec3d mean) {
  Vec3d sum;
  for (const Triangle& t : mesh.triangles) {
    if (!usable(mesh, t) || !meets(box, mesh, t)) continue;
    const Vec3d normal = normal_of(mesh, t);
    if (dot(normal, mean) > kFlat * length(normal)) sum += normal;
  }
  return sum;
}

}  // namespace

std::optional<Vec3d> film_normal(const InnerSurface& a, const InnerSurface& b) {
  const bool flat = length(a.normal) > kFlat && length(b.normal) > kFlat;
  if (!flat || dot(unit(a.normal), unit(b.normal)) > -kFlat) return std::nullopt;
  return unit(unit(a.normal) - unit(b.normal));
}

Vec3d refined_normal(MeshView a, MeshView b, const Aabb& box, Vec3d mean) {
  const Vec3d both = unit(sum_of_normals(a, box, mean)) - unit(sum_of_normals(b, box, -mean));
  return both == Vec3d{} ? mean : unit(both);
}

bool is_across(MeshView mesh, const Triangle& t) {
  const Vec3d normal = normal_of(mesh, t);
  return std::abs(normal.z) > kFlat * length(normal);
}

Quaternion turn_to_z(Vec3d direction) {
  const Vec3d d = direction.z < 0 ? -direction : direction;
  return normalized({d.y, -d.x, 0, 1 + d.z});  // cross(d, z), and one more than the cosine
}

}  // namespace lamella::clash
