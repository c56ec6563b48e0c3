#pragma once

#include <span>
#include <string>
#include <vector>

#include "lamella/query.hpp"
#include "picture/picture.hpp"

namespace lamella::cli {

// Answers as pictures: the objects shaded and translucent, overlap red, self-overlap green, inside-out violet, points
// inside red and the others small and grey. `captions` are lines of ASCII for the top left.

[[nodiscard]] picture::Image draw_intersect(MeshView a, MeshView b, const Overlap& overlap,
                                            const std::vector<std::string>& captions, unsigned threads = 0);

[[nodiscard]] picture::Image draw_self(MeshView mesh, const SelfOverlap& overlap,
                                       const std::vector<std::string>& captions, unsigned threads = 0);

[[nodiscard]] picture::Image draw_contain(MeshView mesh, std::span<const Vec3> points, const Containment& containment,
                                          const std::vector<std::string>& captions, unsigned threads = 0);

}  // namespace lamella::cli
