#pragma once

#include "lamella/mesh.hpp"

namespace lamella {

/// Throws the Error that names the first triangle with a vertex that the mesh does not have. For when one was seen.
[[noreturn]] void fail_index(MeshView mesh);

/// Triangles and crossings have 32-bit numbers.
void check_triangle_count(MeshView mesh);

}  // namespace lamella
