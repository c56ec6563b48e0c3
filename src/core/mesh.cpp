#include "lamella/mesh.hpp"

namespace lamella {

Mesh transformed(MeshView mesh, const Transform& pose) {
  Mesh out;
  out.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  out.positions.reserve(mesh.positions.size());
  for (const Vec3 p : mesh.positions) out.positions.push_back(to_float(apply(pose, to_double(p))));
  return out;
}

}  // namespace lamella
