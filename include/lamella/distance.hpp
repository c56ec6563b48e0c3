#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/mesh.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Instead of a triangle's number: there is no triangle.
inline constexpr std::uint32_t kNoTriangle = ~std::uint32_t{0};

/// The smallest distance of two meshes.
struct MeshDistance {
  /// Of the surfaces; 0 where they meet, or where one mesh is inside the other. Infinite when a mesh has no triangle
  /// that can be used.
  double distance = 0;
  Vec3d on_a, on_b;  ///< the two points, in world coordinates; a common point where the distance is 0
  /// The triangles that these points are on. Where one mesh is inside the other and no surfaces meet: kNoTriangle.
  std::uint32_t triangle_a = kNoTriangle, triangle_b = kNoTriangle;
  /// colliding: they share a volume, proved by exact arithmetic; `distance` is 0. clear: they do not; where `distance`
  /// is 0 they touch. undecided: triangles were skipped, or a mesh is where the inside of the other, which is open, may
  /// be; `distance` is still that of the surfaces.
  Verdict verdict = Verdict::clear;
  std::uint64_t skipped_triangles = 0;  ///< of both meshes: NaN, infinite or too far away
  Timings ms;                           ///< broad: trees; query: distance; contacts: verdict
};

/// The smallest distance of two meshes, with its points: exact to rounding, whatever the meshes' shapes. Keeps nothing
/// between calls, so that deforming meshes cost no more. Throws Error when an index is out of range.
[[nodiscard]] LAMELLA_API MeshDistance distance(MeshView a, MeshView b, unsigned threads = 0);

/// The point of a mesh's surface nearest to a given point.
struct ClosestPoint {
  /// Below 0 for a point inside the mesh, where its winding number is 1 or more. NaN for a point that is NaN, infinite
  /// or too far away (2^100), and infinite for a mesh without a triangle that can be used.
  double distance = 0;
  Vec3d position;  ///< in world coordinates; NaN where there is none
  Vec3 normal;     ///< unit, outwards, of the surface there; at edges and corners the mean by angle; 0 if there is none
  std::uint32_t triangle = kNoTriangle;
};

struct ClosestPoints {
  std::vector<ClosestPoint> points;  ///< one for each point given
  /// Health of the test whether points are inside. If that is unknown for a point (`untrusted_points`), its distance is
  /// above 0; points that are NaN are counted there too.
  Health health;
  Timings ms;  ///< broad: tree; query: nearest points; points: which are inside
};

/// For each point: the nearest point of the mesh's surface, exact to rounding. Throws Error when an index is out of
/// range.
[[nodiscard]] LAMELLA_API ClosestPoints closest(MeshView mesh, std::span<const Vec3> points, unsigned threads = 0);
[[nodiscard]] LAMELLA_API ClosestPoints closest(MeshView mesh, std::span<const Vec3d> points, unsigned threads = 0);

/// The same queries for every frame of a simulation. Keeps its memory between calls, but nothing about the meshes; on
/// one thread it allocates nothing once warm, except to prove the verdicts of meshes whose boxes overlap. Results stay
/// valid until the next call of the same query. Use it from one thread at a time.
class LAMELLA_API DistanceFinder {
 public:
  explicit DistanceFinder(unsigned threads = 0);
  ~DistanceFinder();
  DistanceFinder(DistanceFinder&&) noexcept;
  DistanceFinder& operator=(DistanceFinder&&) noexcept;

  const MeshDistance& distance(MeshView a, MeshView b);
  const ClosestPoints& closest(MeshView mesh, std::span<const Vec3> points);
  const ClosestPoints& closest(MeshView mesh, std::span<const Vec3d> points);

 private:
  struct LAMELLA_LOCAL State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella
