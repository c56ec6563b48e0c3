#pragma once

#include "lamella/image_collide.hpp"

namespace lamella {

/// What every query of a collider begins and ends with, and the memory that it keeps.
struct ImageCollider::State {
  ImageCollision result;
  Transform relative;  ///< b in a's frame
  std::chrono::steady_clock::time_point deadline;
  std::vector<Vec3> placed;  ///< a mesh's vertices in a's frame

  /// The result, empty. Throws Error when a pose is not finite.
  ImageCollision& begin(const Transform& pose_a, const Transform& pose_b, const ImageCollideOptions& options);
  /// The verdict where no collision was found, and the place in the world.
  const ImageCollision& end(const Transform& pose_a);
};

}  // namespace lamella
