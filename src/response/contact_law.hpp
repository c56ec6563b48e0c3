#pragma once

#include "lamella/response.hpp"
#include "response/algebra.hpp"

namespace lamella::response {

/// What one contact does to the relative velocity of two bodies there: an impulse j changes it by `response` j.
struct ContactLaw {
  Vec3d normal;      ///< from b to a
  Matrix3 response;  ///< K of the paper
  Matrix3 inverse;
  double friction = 0;
};

/// How much energy the impulses of a phase have taken so far, 0 or below: kinetic energy plus, for each contact, the
/// speed of approach that is allowed times its normal impulse. What one impulse takes another may give back in part;
/// since the sum stays at or below 0, no phase ends with more kinetic energy than it began.
struct EnergyBudget {
  double change = 0;
};

/// Moves a contact's impulse to where the bodies no longer approach faster than `allowed` (a speed, 0 or above) along
/// the normal and stick, if that lies in the friction cone; else to where they slide, opposed by the friction.
/// `velocity` is the relative velocity now, `impulse` what this contact has given so far. Returns what is to be added;
/// less than wanted where that would overdraw the budget.
[[nodiscard]] Vec3d added_impulse(const ContactLaw& law, Vec3d velocity, Vec3d impulse, double allowed,
                                  EnergyBudget& budget);

/// The part, 0 to 1, of `impulse` that can be given to a point moving at `velocity` without raising the energy by more
/// than `room`.
[[nodiscard]] double harmless_part(const Matrix3& response, Vec3d velocity, Vec3d impulse, double room);

}  // namespace lamella::response
