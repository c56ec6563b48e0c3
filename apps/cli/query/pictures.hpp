#pragma once

#include <span>
#include <string>
#include <vector>

#include "lamella/query.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

// Answers as pictures: the objects shaded and translucent, overlap red, self-overlap green, inside-out violet, points
// inside red and the others small and grey. `scene` has the picture's size, view and captions.

[[nodiscard]] picture::Image draw_intersect(MeshView a, MeshView b, const Overlap& overlap, picture::Picture scene,
                                            unsigned threads);

[[nodiscard]] picture::Image draw_self(MeshView mesh, const SelfOverlap& overlap, picture::Picture scene,
                                       unsigned threads);

[[nodiscard]] picture::Image draw_contain(MeshView mesh, std::span<const Vec3> points, const Containment& containment,
                                          picture::Picture scene, unsigned threads);

/// The meshes, and their vertices inside the other red.
[[nodiscard]] picture::Image draw_vertices(MeshView a, MeshView b, const VerticesInside& vertices,
                                           picture::Picture scene, unsigned threads);

}  // namespace lamella::cli
