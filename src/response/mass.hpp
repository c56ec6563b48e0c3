#pragma once

#include "lamella/mesh.hpp"
#include "lamella/response.hpp"

namespace lamella::response {

/// Twice the distance a body may move per step without tunnelling: the thinnest side of its box, or 4 volume / area
/// where that is less (a tube's diameter, two thirds of a sphere's).
[[nodiscard]] double thickness_of(MeshView mesh);

/// Distance of the farthest usable vertex (see core/lattice.hpp) from `center`.
[[nodiscard]] double reach_of(MeshView mesh, Vec3d center);

}  // namespace lamella::response
