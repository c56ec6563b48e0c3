#include "engines/software/kernels.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

Aabb bounds(MeshView mesh) { return software::bounds(mesh.positions); }

}  // namespace lamella
