// The contact phase starts from the normal impulses of the last substep: a heap at rest then carries its weight from
// the first sweep on, and does not creep. Friction starts from 0: an impulse that stopped a body sideways in one
// substep would set it in motion in the next. Contacts keep their ids while they last. All impulses together, as the
// first addition of the phase, are scaled so that they do not raise the energy.

#include <algorithm>

#include "response/algebra.hpp"
#include "response/solver.hpp"

namespace lamella::response {
namespace {

/// Fraction of the remembered impulses that is used. Less than 1, because loads move: under a rolling ball all the
/// time.
constexpr double kTrust = 0.9;

/// Sets the contacts' impulses to the remembered ones, scaled to this substep's length.
void recall(ContactSet& set, double seconds) {
  const double share = set.remembered_seconds > 0 ? kTrust * seconds / set.remembered_seconds : 0;
  auto known = set.remembered.begin();
  for (const SolverPair& pair : set.pairs) {
    const auto before = [](const RememberedImpulse& r, const SolverPair& p) {
      return r.a != p.object_a ? r.a < p.object_a : r.b < p.object_b;
    };
    while (known != set.remembered.end() && before(*known, pair)) ++known;
    for (SolverContact& c : set.of(pair)) {
      c.impulse = {};
      for (auto r = known; r != set.remembered.end() && r->a == pair.object_a && r->b == pair.object_b; ++r)
        if (r->id == c.id) c.impulse = c.law.normal * (r->impulse * share);
    }
  }
}

}  // namespace

void remember(ContactSet& set, double seconds) {
  set.remembered.clear();
  set.remembered_seconds = seconds;
  for (const SolverPair& pair : set.pairs)
    for (const SolverContact& c : set.of(pair))
      set.remembered.push_back({pair.object_a, pair.object_b, c.id, dot(c.impulse, c.law.normal)});
}

EnergyBudget start_warm(ContactSet& set, std::span<SolverBody> bodies, double seconds) {
  recall(set, seconds);
  double slope = 0, curve = 0;
  for (const SolverContact& c : set.contacts) {
    const double velocity = dot(c.impulse, relative_velocity(c, bodies));
    slope += velocity + dot(c.impulse, c.law.normal) * c.allowed(seconds);
    curve -= velocity;
  }
  for (const SolverContact& c : set.contacts) give(c, c.impulse, bodies);
  for (const SolverContact& c : set.contacts) curve += dot(c.impulse, relative_velocity(c, bodies));
  // Scaled by s they change the energy by s slope + s^2 curve / 2, least at -slope / curve.
  const double share = slope + curve / 2 <= 0 ? 1 : slope < 0 ? -slope / curve : 0;
  if (share < 1)
    for (SolverContact& c : set.contacts) {
      give(c, c.impulse * (share - 1), bodies);
      c.impulse = c.impulse * share;
    }
  return {std::min(0.0, share * (slope + share * curve / 2))};
}

}  // namespace lamella::response
