#pragma once

// Which translations along a direction are free: what separation() and free_shifts() ask an engine.
//
// In one column, a stretch [a0, a1] inside mesh a and a stretch [b0, b1] inside mesh b forbid the shifts t of a with
// b0 - a1 < t < b1 - a0. The union of these intervals over all columns of a view is the set of forbidden shifts.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella {

/// The free shifts next to 0 along a direction, of those that the sampled columns see.
struct FreeShift {
  /// The least t >= 0 that no column forbids: moving a by t along the direction takes it out of b. 0 where t = 0 is not
  /// forbidden.
  float forward = 0;
  /// The same against the direction, 0 or more.
  float backward = 0;
  /// The larger edge of a cell: what lies between rays is at most half of its diagonal away from one.
  float cell = 0;
  bool open = false;  ///< a column of either mesh does not close; it was left out
  // How much further a may go from there before a column forbids it: infinite when none ever does.
  float room_forward = std::numeric_limits<float>::infinity();
  float room_backward = std::numeric_limits<float>::infinity();
};

/// Finds the free shifts along many directions for one pair of meshes. Keeps its memory between calls; use each from
/// one thread at a time. Meshes are relative to one origin, with indices in range.
class ShiftFinder {
 public:
  virtual ~ShiftFinder() = default;

  /// For each direction (of length 1): the meshes are turned so that rays run along it, and sampled with `resolution`
  /// columns and rows over the part of the image that both cover. Columns reach through all of both meshes. The same
  /// for any number of threads, and on every engine within rounding of depths.
  virtual void find(MeshView a, MeshView b, std::span<const Vec3d> directions, std::uint32_t resolution,
                    std::vector<FreeShift>& out) = 0;

  /// The same with all columns where `window` is in the image: for a small overlap of large meshes. An engine that
  /// cannot do so looks at all that both cover.
  virtual void find_within(const Aabb& window, MeshView a, MeshView b, std::span<const Vec3d> directions,
                           std::uint32_t resolution, std::vector<FreeShift>& out) {
    (void)window;
    find(a, b, directions, resolution, out);
  }
};

/// A rotation that takes `direction` to +z, the same for every engine: rows of its matrix. Along +z it is the identity;
/// along every axis its entries are 0, 1 and -1.
struct ViewRotation {
  Vec3d u, v, w;
};
[[nodiscard]] ViewRotation rotation_to(Vec3d direction);

}  // namespace lamella
