#pragma once

#include <span>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Shared volume of two meshes. A mesh wholly inside the other collides with it; meshes that only touch do not collide.
[[nodiscard]] LAMELLA_API Overlap intersect(MeshView a, MeshView b, const Options& options = {});

/// Volume that a mesh covers more than once.
[[nodiscard]] LAMELLA_API SelfOverlap self_intersect(MeshView mesh, const Options& options = {});

/// Which points lie inside the mesh. A flag can be wrong only within one cell of the surface.
[[nodiscard]] LAMELLA_API Containment contains(MeshView mesh, std::span<const Vec3> points,
                                               const Options& options = {});

/// The overlap as a closed mesh: one box per span, with outward faces. Its signed volume is the overlap's volume.
[[nodiscard]] LAMELLA_API Mesh prisms(const Grid& grid, std::span<const Span> spans);

}  // namespace lamella
