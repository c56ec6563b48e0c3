#pragma once

#include "lamella/query.hpp"

namespace lamella::cli {

// Overlaps as surfaces, for pictures: smooth, as overlap_solid() makes them. Where much of the overlap is too thin for
// that, the columns' prisms instead. Empty without spans. Relative to what the overlap's grid is relative to, as the
// meshes must be.

[[nodiscard]] Mesh shared_surface(MeshView a, MeshView b, const Overlap& overlap, unsigned threads,
                                  bool close_holes = true);
[[nodiscard]] Mesh self_surface(MeshView mesh, const SelfOverlap& overlap, unsigned threads, bool close_holes = true);

}  // namespace lamella::cli
