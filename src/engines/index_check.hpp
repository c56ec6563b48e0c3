#pragma once

#include "lamella/mesh.hpp"

namespace lamella {

/// Throws the Error that names the first triangle with a vertex that the mesh does not have. For when one was seen.
[[noreturn]] void fail_index(MeshView mesh);

/// Triangles with a vertex that cannot be computed with, or that is not there at all.
[[nodiscard]] std::size_t count_broken(MeshView mesh);

/// Triangles and crossings have 32-bit numbers.
void check_triangle_count(MeshView mesh);

}  // namespace lamella
