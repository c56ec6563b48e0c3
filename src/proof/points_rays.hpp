#pragma once

// Winding numbers of points by rays along w, where points and triangles crowd together so that bins of one size do not
// part them.

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"
#include "proof/points_hits.hpp"

namespace lamella::proof {

/// What the line through a point found.
struct RayWinding {
  std::int32_t winding = 0;
  std::int32_t unbalanced = 0;  ///< not 0 where the line enters the mesh more often than it leaves it
  std::int32_t on_surface = 0;  ///< how many triangles it lies on
};

class RayCaster {
 public:
  /// The triangles, which must be usable, and the axes u, v, w.
  void start(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3]);
  /// The windings of some points, in the points' order, which changes.
  std::span<const RayWinding> cast(std::span<RayStart> points);

 private:
  struct Corners {
    Vec3 at[3], low, high;
  };
  void split(std::span<RayStart> points, std::size_t first, std::size_t end, int depth);
  void meet_all(std::span<RayStart> points, std::size_t first, std::size_t end);

  std::vector<Corners> triangles_;
  std::vector<std::uint32_t> lists_;  ///< indices of triangles_: the lists of a node and those above it
  std::vector<RayWinding> windings_;
  const RayStart* first_point_ = nullptr;
};

}  // namespace lamella::proof
