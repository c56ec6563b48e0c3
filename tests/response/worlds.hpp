#pragma once

#include <cstdint>
#include <vector>

#include "lamella/response.hpp"
#include "scenes/models.hpp"
#include "scenes/random.hpp"
#include "scenes/vec.hpp"

// What the tests of rigid bodies share.

namespace lamella {

using scenes::kPi;

inline constexpr double kFrame = 1.0 / 60;

/// Cells of a twentieth of a unit and one thread: quick, and as coarse as a careful user would go with bodies of about
/// one unit.
inline SceneOptions coarse(float cell = 0.05f) {
  SceneOptions options;
  options.cell = cell;
  options.threads = 1;
  options.points = false;
  return options;
}

inline Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

inline BodyOptions material(double restitution, double friction) {
  BodyOptions options;
  options.restitution = restitution;
  options.friction = friction;
  return options;
}

inline BodyOptions fixed(double restitution = 1, double friction = 0) {
  BodyOptions options = material(restitution, friction);
  options.fixed = true;
  return options;
}

/// A slab with its upper side at z = 0.
inline ObjectId add_ground(RigidWorld& world, double restitution = 1, double friction = 0, float half_side = 5) {
  return world.add(scenes::box(12, {half_side, half_side, 0.5f}), at(0, 0, -0.5), fixed(restitution, friction));
}

inline Vec3d center_of(const RigidBody& b) { return apply(b.pose, b.center); }
inline Vec3d center_of(const RigidWorld& world, ObjectId id) { return center_of(world.body(id)); }

inline void run(RigidWorld& world, double seconds, double step = kFrame) {
  for (int i = 0; i < static_cast<int>(seconds / step + 0.5); ++i) world.step(step);
}

}  // namespace lamella
