#pragma once

#include "lamella/mesh.hpp"

namespace lamella::cli {

/// The part of a mesh's surface within the cube of half-side `reach` about `center` (world coordinates), relative to
/// `center`. Triangles that reach out of it are cut, so that a large triangle does not vanish from a picture of a small
/// place; what is cut stays open. Triangles with a vertex that is not finite are left out. Linear time; memory as the
/// result.
[[nodiscard]] Mesh cut_out(MeshView mesh, Vec3d center, double reach);

}  // namespace lamella::cli
