#pragma once

#include <cstddef>

#include "core/lattice.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// Throws Error when an index is out of range, or when the mesh has more than 2^32 - 1 triangles.
void check_indices(MeshView mesh);

/// Throws Error for more triangles than 32-bit numbers can count.
void check_triangle_count(MeshView mesh);

/// Throws an Error that names the first triangle with an index out of range. Call it after an index out of range was
/// seen.
[[noreturn]] void fail_index(MeshView mesh);

/// Throws Error when the number of vertices would change.
void check_vertex_count(std::size_t before, std::size_t now);

/// Whether all corners are usable (see core/lattice.hpp). Their indices must be in range.
inline bool usable(MeshView mesh, const Triangle& t) {
  return usable(mesh.positions[t.a]) && usable(mesh.positions[t.b]) && usable(mesh.positions[t.c]);
}

/// Number of triangles with a vertex that is not usable, or with an index out of range.
[[nodiscard]] std::size_t count_broken(MeshView mesh);

}  // namespace lamella
