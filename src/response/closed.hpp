#pragma once

#include "lamella/mesh.hpp"

namespace lamella::response {

/// Whether the mesh bounds a solid: along every edge as many triangles run one way as the other. Vertices with equal
/// coordinates count as one, so triangles need not share indices, and parts may touch in an edge; `MeshReport::closed`
/// asks for more than this. Linear time, no memory. Indices must be in range.
[[nodiscard]] bool is_closed(MeshView mesh);

}  // namespace lamella::response
