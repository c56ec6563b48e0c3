#pragma once

// Winding numbers of points that share a column of cells: rays along w against the triangles that touch the column.

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "proof/points_kernel.hpp"

namespace lamella::proof {

/// What a ray found.
struct RayWinding {
  std::int32_t winding = 0;
  std::int32_t unbalanced = 0;  ///< Way::both: not 0 where the line enters the mesh more often than it leaves it
  bool on_surface = false;
};

/// One for each worker; keeps its memory.
class RayCaster {
 public:
  /// The triangles of a column, and the axes u, v, w. They must be usable.
  void start(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3]);
  /// The windings of some points; in the points' order afterwards, which changes.
  std::span<const RayWinding> cast(std::span<RayStart> points, Way way);

 private:
  struct Corners {
    Vec3 at[3], low, high;
  };
  void split(std::span<RayStart> points, Way way, std::size_t first, std::size_t end, int depth);
  void meet_all(std::span<RayStart> points, Way way, std::size_t first, std::size_t end);
  void evaluate(std::span<const RayStart> points, Way way, std::span<const BoxHit> hits, std::size_t first,
                RayWinding* out) const;

  std::vector<Corners> triangles_;
  std::vector<std::uint32_t> lists_;  ///< indices of triangles_: the lists of a node and those above it
  std::vector<float> boxes_;
  std::vector<BoxHit> hits_;
  std::vector<RayWinding> windings_;
  const RayStart* first_point_ = nullptr;
};

}  // namespace lamella::proof
