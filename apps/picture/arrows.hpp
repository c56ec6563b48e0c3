#pragma once

#include "lamella/mesh.hpp"

namespace lamella::picture {

// Solids for directions and distances, to be drawn as layers.

/// A round closed bar from `from` to `to`. Empty where the two coincide, or are not finite.
[[nodiscard]] Mesh rod(Vec3 from, Vec3 to, float radius);

/// A bar with a cone at its end, whose tip is at `to`. `radius` is the bar's; the cone is wider and as long as looks
/// well, at most 60 % of the whole. Empty like rod().
[[nodiscard]] Mesh arrow(Vec3 from, Vec3 to, float radius);

/// A flat round disk about `center`, seen from both sides. Empty for a normal of 0.
[[nodiscard]] Mesh disk(Vec3 center, Vec3 normal, float radius);

/// Adds the triangles of one mesh to another.
void append(Mesh& to, const Mesh& more);

}  // namespace lamella::picture
