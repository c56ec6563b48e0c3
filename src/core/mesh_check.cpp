#include "core/mesh_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/positions.hpp"
#include "lamella/error.hpp"

namespace lamella {

void fail_index(MeshView mesh) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles[i][k] >= mesh.vertex_count())
        throw Error(fmt::format("triangle {} names vertex {}, but the mesh has only {} vertices", i,
                                mesh.triangles[i][k], mesh.vertex_count()));
  throw Error("a triangle named a vertex that the mesh does not have, and the mesh was changed meanwhile");
}

std::size_t count_broken(MeshView mesh) {
  if (!mesh.positions.empty() && inspect_positions(mesh.positions).usable) return 0;
  const auto broken = [&](const Triangle& t) {
    return std::max({t.a, t.b, t.c}) >= mesh.positions.size() || !usable(mesh, t);
  };
  return static_cast<std::size_t>(std::count_if(mesh.triangles.begin(), mesh.triangles.end(), broken));
}

void check_indices(MeshView mesh) {
  check_triangle_count(mesh);
  if (!mesh.triangles.empty() && max_index(mesh.triangles) >= mesh.vertex_count()) fail_index(mesh);
}

void check_vertex_count(std::size_t before, std::size_t now) {
  if (before == now) return;
  throw Error(
      fmt::format("{} positions for a mesh of {} vertices: to change their number, remove the mesh and add it "
                  "again",
                  now, before));
}

void check_triangle_count(MeshView mesh) {
  if (mesh.triangles.size() > 0xffffffffu) throw Error("a mesh may have at most 2^32 - 1 triangles; split it");
}

}  // namespace lamella
