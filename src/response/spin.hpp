#pragma once

#include "lamella/response.hpp"

namespace lamella::response {

/// A free body's orientation and angular velocity, in the world.
struct Spin {
  Quaternion rotation;
  Vec3d angular_velocity;
};

/// `seconds` later, without torque. Conserves angular momentum and energy to rounding, whatever the step; a body that
/// turns by many radians in a step loses only its phase. `inertia` in the body's axes.
[[nodiscard]] Spin advance(const Spin& spin, const Matrix3& inertia, double seconds);

/// The same at constant angular velocity, for fixed bodies, which the caller moves.
[[nodiscard]] Spin advance(const Spin& spin, double seconds);

}  // namespace lamella::response
