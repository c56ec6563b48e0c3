#pragma once

#include <vector>

#include "geometry_image/make/surface.hpp"
#include "lamella/mesh.hpp"

namespace lamella::gi {

/// The connected components of a mesh, largest area first. Vertices and triangles of each keep their order; unused
/// vertices are left out. Throws Error, with the first place, unless the mesh is closed, manifold at edges and
/// vertices, consistently wound and finite. Triangles without area, coinciding vertices and inside-out components are
/// accepted.
[[nodiscard]] std::vector<Surface> split_components(MeshView mesh);

}  // namespace lamella::gi
