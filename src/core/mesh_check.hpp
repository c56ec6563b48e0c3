#pragma once

#include <cstddef>

#include "core/lattice.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// Throws Error when an index is out of range, or when the mesh has more than 2^32 - 1 triangles.
void check_indices(MeshView mesh);

/// Triangles and crossings have 32-bit numbers: throws Error for more.
void check_triangle_count(MeshView mesh);

/// Throws the Error that names the first triangle whose index is out of range. Call it when one was seen.
[[noreturn]] void fail_index(MeshView mesh);

/// Throws Error when a mesh would change its number of vertices.
void check_vertex_count(std::size_t before, std::size_t now);

/// Whether all corners can be computed with. Their indices must be in range.
inline bool usable(MeshView mesh, const Triangle& t) {
  return usable(mesh.positions[t.a]) && usable(mesh.positions[t.b]) && usable(mesh.positions[t.c]);
}

/// Triangles with a vertex that cannot be computed with, or with an index out of range.
[[nodiscard]] std::size_t count_broken(MeshView mesh);

}  // namespace lamella
