#pragma once

#include "lamella/response.hpp"
#include "response/algebra.hpp"

namespace lamella::response {

/// How an impulse at one contact changes the relative velocity of the two bodies there: j changes it by `response` j.
struct ContactLaw {
  Vec3d normal;      ///< from b to a
  Matrix3 response;  ///< K of the paper
  Matrix3 inverse;
  double friction = 0;
};

/// Change of energy by the impulses of a phase so far, 0 or below. Energy is kinetic energy plus, for each contact, the
/// allowed speed of approach times its normal impulse. One impulse may add energy that another removed; since the sum
/// stays at or below 0, no phase ends with more kinetic energy than it began with.
struct EnergyBudget {
  double change = 0;
};

/// The impulse to add, so that the bodies no longer approach faster than `allowed` (a speed, 0 or above) along the
/// normal, and stick if the contact's whole impulse then lies in the friction cone; else slide against friction.
/// `velocity` is the relative velocity now, `impulse` what this contact has given so far. Returns less where the whole
/// would exceed the energy budget.
[[nodiscard]] Vec3d added_impulse(const ContactLaw& law, Vec3d velocity, Vec3d impulse, double allowed,
                                  EnergyBudget& budget);

/// The largest fraction, 0 to 1, of `impulse` that a point moving at `velocity` can be given without raising the energy
/// by more than `room`, which must be 0 or above.
[[nodiscard]] double harmless_part(const Matrix3& response, Vec3d velocity, Vec3d impulse, double room);

}  // namespace lamella::response
