#pragma once

#include <vector>

#include "geometry_image/make/surface.hpp"
#include "lamella/mesh.hpp"

namespace lamella::gi {

/// The parts of a mesh that hang together, largest area first; vertices and triangles of each keep their order, and
/// vertices that no triangle uses are left out. Throws Error unless the mesh is closed and manifold at edges and
/// vertices, consistently wound and finite, naming the first place where it is not. Triangles without area and
/// vertices at one place are let through, and so are parts that are inside out.
[[nodiscard]] std::vector<Surface> split_components(MeshView mesh);

}  // namespace lamella::gi
