#pragma once

// Films: what two walls share that are nearly flat and parallel, as where parts are a tolerance too large. Turned
// against the axes, a film is thinner than what the lattice of the rays moves its walls by: a thousandth of a column,
// along the rays as far as the walls slope. Along the walls' normal they do not slope.

#include <optional>

#include "lamella/gradient.hpp"
#include "lamella/mesh.hpp"

namespace lamella::clash {

/// The mean normal of the wall of `a`, of length 1, if an overlap whose surfaces these are is a film.
[[nodiscard]] std::optional<Vec3d> film_normal(const InnerSurface& a, const InnerSurface& b);

/// The same from the triangles in `box`, which know it better than rays do: of those that face nearly as `mean` does,
/// or in `b` the other way.
[[nodiscard]] Vec3d refined_normal(MeshView a, MeshView b, const Aabb& box, Vec3d mean);

/// Whether a triangle of a film's walls is, in a frame where z is across the film.
[[nodiscard]] bool is_across(MeshView mesh, const Triangle& t);

/// The shortest rotation that turns a vector of length 1 into the z axis, one way or the other.
[[nodiscard]] Quaternion turn_to_z(Vec3d direction);

}  // namespace lamella::clash
