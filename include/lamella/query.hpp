#pragma once

#include <span>

#include "lamella/export.hpp"
#include "lamella/gradient.hpp"
#include "lamella/mesh.hpp"
#include "lamella/options.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Shared volume of two meshes. A mesh wholly inside the other collides with it; meshes that only touch do not collide.
[[nodiscard]] LAMELLA_API Overlap intersect(MeshView a, MeshView b, const Options& options = {});

/// Volume that a mesh covers more than once.
[[nodiscard]] LAMELLA_API SelfOverlap self_intersect(MeshView mesh, const Options& options = {});

/// Shared volume, and how it changes when the meshes move: for rigid motions, and for each vertex. Samples along all
/// three axes. Along an axis the gradient is exactly that of the volume sampled along it: each span ends on a triangle,
/// and moves with it.
[[nodiscard]] LAMELLA_API OverlapGradient volume_gradient(MeshView a, MeshView b, const Options& options = {},
                                                          const GradientOptions& parts = {});

/// The same of the volume that a mesh covers more than once.
[[nodiscard]] LAMELLA_API SelfGradient self_gradient(MeshView mesh, const Options& options = {},
                                                     const GradientOptions& parts = {});

/// Which points lie inside the mesh. A flag can be wrong only within one cell of the surface; with Options::exact none
/// is.
[[nodiscard]] LAMELLA_API Containment contains(MeshView mesh, std::span<const Vec3> points,
                                               const Options& options = {});

/// The same for points in doubles, which are rounded relative to the mesh's origin: far from the origin of the world
/// floats could not tell them apart.
[[nodiscard]] LAMELLA_API Containment contains(MeshView mesh, std::span<const Vec3d> points,
                                               const Options& options = {});

/// The same with sampling limited to a box: all columns go through the part of the mesh's box that lies in it. Points
/// outside the box are not looked at (Containment::not_looked_at). Throws Error for a box that encloses no volume.
[[nodiscard]] LAMELLA_API Containment contains(MeshView mesh, std::span<const Vec3> points, const Aabb& box,
                                               const Options& options = {});
[[nodiscard]] LAMELLA_API Containment contains(MeshView mesh, std::span<const Vec3d> points, const Aabb& box,
                                               const Options& options = {});

/// Which vertices of each mesh lie inside the other, and how deep along the rays. Both meshes are sampled in the pair's
/// volume of interest, the box of intersect(), and only vertices in that box are looked up: TR 395 stage 3b. A vertex
/// within `min_thickness` of the other's surface along its ray does not count. A vertex can be wrong only within one
/// cell of the other's surface.
[[nodiscard]] LAMELLA_API VerticesInside vertices_inside(MeshView a, MeshView b, const Options& options = {});

/// The overlap as a closed mesh: one box per span, with outward faces. Its signed volume is the overlap's volume.
[[nodiscard]] LAMELLA_API Mesh prisms(const Grid& grid, std::span<const Span> spans);

}  // namespace lamella
