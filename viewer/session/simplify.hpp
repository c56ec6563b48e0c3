#pragma once

#include <cstddef>

#include "lamella/mesh.hpp"

namespace lamella::session {

/// A mesh with at most `most` triangles, for drawing and for small files: vertices in one cell of a grid become one,
/// at their mean, and triangles that lose a corner go. The cells are chosen so that not many more go than must. A mesh
/// that bounds a solid still does, for along every edge as many triangles run one way as before. Linear time, about 0.3
/// s for a million triangles at worst; vertices that are not finite, and their triangles, are left out. With no more
/// than `most` triangles, the mesh itself.
[[nodiscard]] Mesh simplified(MeshView mesh, std::size_t most);

}  // namespace lamella::session
