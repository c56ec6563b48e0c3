// One contact with Coulomb friction, after section 7 of Guendelman, Bridson and Fedkiw, "Nonconvex Rigid Bodies with
// Stacking", 2003: stick if the impulse for that lies in the friction cone, slide otherwise. Departures:
// - Impulses accumulate over the sweeps, and the sum must lie in the cone, so that a later sweep can take back what an
//   earlier one gave too much.
// - The direction of sliding is found over the sweeps as well, by projected gradient steps across the normal. The paper
//   uses the velocity before the impulse; the contact's own normal impulse changes that direction when it spins the
//   body.
// - An addition that would raise the energy is reduced. The old and the new sum lie in the cone, which is convex, so
//   every sum between them does too.

#include "response/contact_law.hpp"

#include <algorithm>

namespace lamella::response {
namespace {

bool in_cone(const ContactLaw& law, Vec3d impulse) {
  const double along = dot(impulse, law.normal);
  const Vec3d across = impulse - law.normal * along;
  return along >= 0 && dot(across, across) <= law.friction * along * law.friction * along;
}

/// First along the normal, then across it: against the sliding, within the cone.
Vec3d sliding_impulse(const ContactLaw& law, Vec3d shifted, Vec3d impulse) {
  const Vec3d n = law.normal, kn = law.response * n;
  const double stiffness = dot(n, kn), before = dot(impulse, n);
  const double along = std::max(0.0, before - dot(shifted, n) / stiffness);
  const Vec3d velocity = shifted + kn * (along - before);
  // The trace across the normal is no less than the larger eigenvalue: the step never overshoots.
  const double trace = law.response[0].x + law.response[1].y + law.response[2].z - stiffness;
  const Vec3d slip = velocity - n * dot(velocity, n);
  const Vec3d across = impulse - n * before - slip * (1 / trace);
  const double size = length(across), most = law.friction * along;
  return n * along + (size > most ? across * (most / size) : across);
}

}  // namespace

double harmless_part(const Matrix3& response, Vec3d velocity, Vec3d impulse, double room) {
  const double slope = dot(impulse, velocity), curve = dot(impulse, response * impulse);
  if (slope + curve / 2 <= room) return 1;
  if (!(curve > 0)) return 0;
  // The larger root of slope s + curve s^2 / 2 = room.
  return std::clamp((std::sqrt(slope * slope + 2 * curve * room) - slope) / curve, 0.0, 1.0);
}

Vec3d added_impulse(const ContactLaw& law, Vec3d velocity, Vec3d impulse, double allowed, EnergyBudget& budget) {
  const Vec3d shifted = velocity + law.normal * allowed;
  if (impulse == Vec3d{} && dot(shifted, law.normal) >= 0) return {};
  const Vec3d sticking = impulse - law.inverse * shifted;
  const Vec3d wanted = in_cone(law, sticking) ? sticking : sliding_impulse(law, shifted, impulse);
  Vec3d added = wanted - impulse;
  added = added * harmless_part(law.response, shifted, added, -budget.change);
  budget.change = std::min(0.0, budget.change + dot(added, shifted) + dot(added, law.response * added) / 2);
  return added;
}

}  // namespace lamella::response
