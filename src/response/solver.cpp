// Collisions and contacts, after Guendelman, Bridson and Fedkiw, "Nonconvex Rigid Bodies with Stacking", 2003, sections
// 5 to 7. Departures:
// - All contacts of a pair are resolved in one collision: they are brought to rest together, then the same impulses are
//   given again, times the restitution (Poisson's law for a manifold). The paper resolves one point after another,
//   which makes a box that lands flat spin.
// - In the contact phase impulses accumulate over the sweeps (see contact_law.cpp); the paper raises the restitution
//   from -0.9 to 0 over the sweeps to the same end.
// - The contact phase starts from the impulses of the last substep (warm_start.cpp).
// - Contacts are found once, on the predicted poses. A contact whose surfaces are still apart at the start may close
//   its gap: the body comes to rest on the surface and not above it.
// - Both bodies get their impulse at the same point of space, not each at its own point of the predicted pose; those
//   points are apart before the step. So angular momentum is conserved to rounding.

#include "response/solver.hpp"

#include <algorithm>

#include "response/algebra.hpp"

namespace lamella::response {
namespace {

constexpr int kPairSweeps = 8;  ///< over a pair's contacts, to bring them to rest together

/// Position at the start of the body's point that is at `p` in the predicted pose.
Vec3d brought_back(const SolverBody& body, Vec3d p) {
  return apply(body.pose, rotate(conjugate(body.predicted.rotation), p - body.predicted.translation));
}

/// Whether the shared volume fits the contact's depth: even the corner of a cube that is in by d shares 0.87 d^3. With
/// far less, rays saw a sliver from the side, and the depth is the length of the way through the body.
bool plausible(const ScenePair& pair, const Contact& contact) {
  const double depth = contact.depth;
  return !pair.volume || *pair.volume > depth * depth * depth / 16;
}

/// Whether the pair's contacts approach each other faster than `least`.
bool approaching(std::span<const SolverContact> contacts, std::span<const SolverBody> bodies, double least) {
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const SolverContact& c) { return dot(relative_velocity(c, bodies), c.law.normal) < -least; });
}

/// Brings the pair's contacts to rest.
void compress(std::span<SolverContact> contacts, std::span<SolverBody> bodies) {
  for (SolverContact& c : contacts) c.impulse = {};
  EnergyBudget budget;
  for (int sweep = 0; sweep < kPairSweeps; ++sweep) {
    Convergence convergence;
    for (SolverContact& c : contacts) {
      const Vec3d added = added_impulse(c.law, relative_velocity(c, bodies), c.impulse, 0, budget);
      c.impulse += added;
      give(c, added, bodies);
      convergence.see(added, c.impulse);
    }
    if (convergence.reached()) break;
  }
}

/// The fraction of the impulses so far that may be given again. Giving the fraction s changes the energy by
/// loss + s slope + s^2 curve / 2, where loss is the change by the compression (0 or below).
double restitution_share(std::span<const SolverContact> contacts, std::span<const SolverBody> bodies,
                         std::span<const Vec3d> before, double restitution) {
  double loss = 0, slope = 0, curve = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3d now = relative_velocity(contacts[i], bodies), j = contacts[i].impulse;
    loss += dot(j, now + before[i]) / 2;
    slope += dot(j, now);
    curve += dot(j, now - before[i]);
  }
  if (loss + restitution * (slope + restitution * curve / 2) <= 0) return restitution;
  if (!(curve > 0) || loss > 0) return 0;
  const double root = std::sqrt(std::max(0.0, slope * slope - 2 * curve * loss));
  return std::clamp((root - slope) / curve, 0.0, restitution);
}

}  // namespace

Vec3d relative_velocity(const SolverContact& c, std::span<const SolverBody> bodies) {
  const SolverBody &a = bodies[c.a], &b = bodies[c.b];
  return a.velocity + cross(a.angular_velocity, c.arm_a) - b.velocity - cross(b.angular_velocity, c.arm_b);
}

void give(const SolverContact& c, Vec3d impulse, std::span<SolverBody> bodies) {
  SolverBody &a = bodies[c.a], &b = bodies[c.b];
  a.velocity += impulse * a.inverse_mass;
  a.angular_velocity += a.inverse_inertia * cross(c.arm_a, impulse);
  b.velocity -= impulse * b.inverse_mass;
  b.angular_velocity -= b.inverse_inertia * cross(c.arm_b, impulse);
}

Matrix3 response_of(const SolverContact& c, const SolverBody& a, const SolverBody& b) {
  const Matrix3 ra = cross_matrix(c.arm_a), rb = cross_matrix(c.arm_b);
  return diagonal(a.inverse_mass + b.inverse_mass) + ra * a.inverse_inertia * transposed(ra) +
         rb * b.inverse_inertia * transposed(rb);
}

void gather(std::span<const ScenePair> pairs, std::span<const Contact> found, const BodySlots& slots,
            std::span<const SolverBody> bodies, std::span<const RigidBody> shapes, ContactSet& out) {
  out.contacts.clear();
  out.pairs.clear();
  out.impulse_count = 0;
  for (const ScenePair& pair : pairs) {
    const auto slot_a = slots.find(pair.a), slot_b = slots.find(pair.b);
    if (!slot_a || !slot_b) continue;
    const std::uint32_t a = *slot_a, b = *slot_b;
    const double weight = bodies[a].inverse_mass + bodies[b].inverse_mass;
    if (weight == 0) continue;
    const auto first = static_cast<std::uint32_t>(out.contacts.size());
    for (const Contact& contact : found.subspan(pair.first_contact, pair.contact_count)) {
      const Vec3d normal = to_double(contact.normal), position = contact.position;
      const double size = length(normal);
      if (!(size > 0.5 && size < 2) || !plausible(pair, contact)) continue;
      SolverContact& c = out.contacts.emplace_back();
      c.a = a;
      c.b = b;
      c.id = contact.id;
      c.law.normal = normal * (1 / size);
      c.law.friction = std::max(shapes[a].friction, shapes[b].friction);
      const Vec3d on_a = brought_back(bodies[a], position), on_b = brought_back(bodies[b], position);
      // Weighted towards the lighter body's own point; against a fixed body it is that point.
      const Vec3d point = (on_a * bodies[a].inverse_mass + on_b * bodies[b].inverse_mass) * (1 / weight);
      c.arm_a = point - bodies[a].center;
      c.arm_b = point - bodies[b].center;
      c.slop = kSlop * std::min(shapes[a].thickness, shapes[b].thickness);
      c.gap = dot(c.law.normal, on_a - on_b) - contact.depth;
      c.law.response = response_of(c, bodies[a], bodies[b]);
      c.law.inverse = inverse(c.law.response);
    }
    const auto count = static_cast<std::uint32_t>(out.contacts.size()) - first;
    if (count == 0) continue;
    out.pairs.push_back({pair.a, pair.b, a, b, first, count, std::min(shapes[a].restitution, shapes[b].restitution)});
  }
}

void collision_phase(ContactSet& set, std::span<SolverBody> bodies, unsigned rounds, double least) {
  for (unsigned round = 0; round < rounds; ++round) {
    bool any = false;
    for (const SolverPair& pair : set.pairs) {
      const std::span<SolverContact> contacts = set.of(pair);
      if (!approaching(contacts, bodies, least)) continue;
      set.before.clear();
      for (const SolverContact& c : contacts) set.before.push_back(relative_velocity(c, bodies));
      compress(contacts, bodies);
      any = true;
      set.impulse_count += pair.count;
      const double share = restitution_share(contacts, bodies, set.before, pair.restitution);
      if (share > 0)
        for (const SolverContact& c : contacts) give(c, c.impulse * share, bodies);
    }
    if (!any) return;
  }
}

void contact_phase(ContactSet& set, std::span<SolverBody> bodies, double seconds, unsigned sweeps) {
  EnergyBudget budget = start_warm(set, bodies, seconds);
  for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
    Convergence convergence;
    for (SolverContact& c : set.contacts) {
      const Vec3d added = added_impulse(c.law, relative_velocity(c, bodies), c.impulse, c.allowed(seconds), budget);
      if (dot(added, added) == 0) continue;
      c.impulse += added;
      give(c, added, bodies);
      convergence.see(added, c.impulse);
      ++set.impulse_count;
    }
    if (convergence.reached()) break;
  }
  for (int sweep = 0; sweep < kNormalSweeps; ++sweep)
    for (SolverContact& c : set.contacts) stop_approach(c, bodies, seconds);
  remember(set, seconds);
}

void stop_approach(SolverContact& c, std::span<SolverBody> bodies, double seconds) {
  const double excess = -dot(relative_velocity(c, bodies), c.law.normal) - c.allowed(seconds);
  if (excess <= 0) return;
  const Vec3d added = c.law.normal * (excess / dot(c.law.normal, c.law.response * c.law.normal));
  c.impulse += added;
  give(c, added, bodies);
}

}  // namespace lamella::response
