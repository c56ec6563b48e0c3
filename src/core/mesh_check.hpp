#pragma once

#include "core/lattice.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// Throws the Error that names the first triangle with a vertex that the mesh does not have. For when one was seen.
[[noreturn]] void fail_index(MeshView mesh);

/// Whether all corners, which must be there, can be computed with.
inline bool usable(MeshView mesh, const Triangle& t) {
  return usable(mesh.positions[t.a]) && usable(mesh.positions[t.b]) && usable(mesh.positions[t.c]);
}

/// Triangles with a vertex that cannot be computed with, or that is not there at all.
[[nodiscard]] std::size_t count_broken(MeshView mesh);

/// Triangles and crossings have 32-bit numbers.
void check_triangle_count(MeshView mesh);

}  // namespace lamella
