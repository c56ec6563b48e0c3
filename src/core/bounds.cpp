#include "engines/software/kernels.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

// The one vectorised stream over positions that there is, shared with the software engine.
Aabb bounds(MeshView mesh) { return software::inspect(mesh.positions).box; }

}  // namespace lamella
