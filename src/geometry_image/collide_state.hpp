#pragma once

#include "lamella/image_collide.hpp"

namespace lamella {

/// The beginning and the end of every query, and the memory that the collider keeps.
struct ImageCollider::State {
  ImageCollision result;
  Transform relative;  ///< b in a's frame
  std::chrono::steady_clock::time_point deadline;
  std::vector<Vec3> placed;  ///< a mesh's vertices in a's frame

  /// Returns the emptied result. Throws Error for a bad pose.
  ImageCollision& begin(const Transform& pose_a, const Transform& pose_b, const ImageCollideOptions& options);
  /// Sets the verdict where no collision was found, and converts the position to the world.
  const ImageCollision& end(const Transform& pose_a);
};

}  // namespace lamella
