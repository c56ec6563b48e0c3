#include "lamella/mesh.hpp"

#include "core/placement.hpp"

namespace lamella {

Mesh transformed(MeshView mesh, const Transform& pose) {
  Mesh out;
  out.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  out.positions.resize(mesh.positions.size());
  (void)software::transform(mesh.positions, placement_of(pose), out.positions.data());
  return out;
}

}  // namespace lamella
