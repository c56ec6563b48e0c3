#pragma once

#include "lamella/response.hpp"

namespace lamella::response {

/// A free body's orientation and angular velocity, in the world.
struct Spin {
  Quaternion rotation;
  Vec3d angular_velocity;
};

/// `seconds` later, without torque. Angular momentum and energy are kept to rounding, whatever the step; a body that
/// turns by many radians in the step keeps them too, but not its phase. `inertia` in the body's axes.
[[nodiscard]] Spin advance(const Spin& spin, const Matrix3& inertia, double seconds);

/// Likewise at constant angular velocity: what moves by hand.
[[nodiscard]] Spin advance(const Spin& spin, double seconds);

}  // namespace lamella::response
