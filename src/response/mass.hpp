#pragma once

#include "lamella/mesh.hpp"
#include "lamella/response.hpp"

namespace lamella::response {

/// How far a body may move and still be met by what it moves into, doubled: the thinnest side of its box, or
/// 4 volume / area where that is less: the diameter of a tube, two thirds of that of a sphere.
[[nodiscard]] double thickness_of(MeshView mesh);

/// The farthest a vertex is from `center`.
[[nodiscard]] double reach_of(MeshView mesh, Vec3d center);

}  // namespace lamella::response
