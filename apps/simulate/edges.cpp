#include "simulate/edges.hpp"

#include "scenes/models.hpp"

namespace lamella::simulate {
namespace {

void append(Mesh& to, const Mesh& mesh) {
  const auto shift = static_cast<std::uint32_t>(to.positions.size());
  to.positions.insert(to.positions.end(), mesh.positions.begin(), mesh.positions.end());
  for (const Triangle t : mesh.triangles) to.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
}

}  // namespace

Mesh make_edges(float half, float thickness) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < 4; ++i) {
      Vec3 middle, size{thickness, thickness, thickness};
      size[axis] = half + thickness;
      middle[(axis + 1) % 3] = i & 1 ? half : -half;
      middle[(axis + 2) % 3] = i & 2 ? half : -half;
      append(mesh, in_world(transformed(scenes::box(12, size), {to_double(middle), {}})));
    }
  }
  return mesh;
}

}  // namespace lamella::simulate
