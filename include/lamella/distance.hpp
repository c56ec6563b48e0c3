#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// The smallest distance of two meshes.
struct MeshDistance {
  double distance = 0;  ///< 0 where surfaces meet or one mesh is inside the other
  Vec3d on_a, on_b;     ///< the two points, in world coordinates
  std::uint32_t triangle_a = 0, triangle_b = 0;
  Verdict verdict = Verdict::clear;  ///< colliding: they overlap, and `distance` is 0
  Timings ms;
};

/// The smallest distance of two meshes, with its points: exact to rounding, whatever the meshes' shapes. Keeps nothing
/// between calls, so that deforming meshes cost no more.
[[nodiscard]] LAMELLA_API MeshDistance distance(MeshView a, MeshView b, unsigned threads = 0);

/// The point of a mesh's surface nearest to a given point.
struct ClosestPoint {
  double distance = 0;  ///< below 0 for a point inside the mesh
  Vec3d position;       ///< in world coordinates
  Vec3 normal;          ///< unit, outwards, of the surface there; at edges and corners the mean by angle
  std::uint32_t triangle = 0;
};

struct ClosestPoints {
  std::vector<ClosestPoint> points;  ///< one for each point given
  Health health;                     ///< of the test which of them are inside
  Timings ms;
};

/// For each point: the nearest point of the mesh's surface, exact to rounding.
[[nodiscard]] LAMELLA_API ClosestPoints closest(MeshView mesh, std::span<const Vec3> points, unsigned threads = 0);
[[nodiscard]] LAMELLA_API ClosestPoints closest(MeshView mesh, std::span<const Vec3d> points, unsigned threads = 0);

}  // namespace lamella
