// Moves bodies apart that are inside each other at the end of a substep, without changing their velocities, so that no
// kinetic energy is added: displacements from equal and opposite pseudo-impulses along the normals. Guendelman, Bridson
// and Fedkiw leave this to their contact phase, which only keeps penetrations from growing. Detection runs on predicted
// poses, before bodies are inside each other, so little is left to do: what later collisions of the same substep pushed
// into other bodies, and bodies that were added overlapping; those that are deep take a way out (ways_out.hpp).

#include <algorithm>

#include "response/algebra.hpp"
#include "response/solver.hpp"

namespace lamella::response {
namespace {

constexpr int kSweeps = 6;
constexpr double kShare = 0.3;  ///< of the depth, removed in one substep; the next substep's contacts see the rest
constexpr double kMost = 100;   ///< slops in one substep: bodies that were added overlapping are not thrown apart

double moved_apart(const SolverContact& c, std::span<const SolverBody> bodies) {
  const SolverBody &a = bodies[c.a], &b = bodies[c.b];
  return dot(c.law.normal, a.shift + cross(a.turn, c.arm_a) - b.shift - cross(b.turn, c.arm_b));
}

void push(const SolverContact& c, double amount, std::span<SolverBody> bodies) {
  SolverBody &a = bodies[c.a], &b = bodies[c.b];
  const Vec3d impulse = c.law.normal * amount;
  a.shift += impulse * a.inverse_mass;
  a.turn += a.inverse_inertia * cross(c.arm_a, impulse);
  b.shift -= impulse * b.inverse_mass;
  b.turn -= b.inverse_inertia * cross(c.arm_b, impulse);
}

/// Energies per mass, seen from the fixed body at the bottom.
void pay_for_lift(SolverBody& body, Vec3d gravity) {
  const double price = -dot(gravity, body.shift);
  if (price <= 0) return;
  const Vec3d velocity = body.velocity - body.base_velocity;
  const Vec3d spin = inverse(body.inverse_inertia) * body.angular_velocity;
  const double energy = (dot(velocity, velocity) + dot(body.angular_velocity, spin) * body.inverse_mass) / 2;
  const double rest = price < energy ? std::sqrt(1 - price / energy) : 0;
  body.velocity = body.base_velocity + velocity * rest;
  body.angular_velocity = body.angular_velocity * rest;
}

}  // namespace

std::uint32_t push_out(ContactSet& set, std::span<SolverBody> bodies, double seconds, Vec3d gravity) {
  std::uint32_t pushed = 0;
  for (SolverContact& c : set.contacts) {
    const double depth = -c.gap - seconds * dot(c.law.normal, relative_velocity(c, bodies));
    c.push = 0;
    c.excess = c.leaving ? 0 : std::min(kShare * (depth - c.slop), kMost * c.slop);
    pushed += c.excess > 0;
  }
  for (int sweep = 0; sweep < kSweeps && pushed > 0; ++sweep)
    for (SolverContact& c : set.contacts) {
      if (c.excess <= 0) continue;
      const double stiffness = dot(c.law.normal, c.law.response * c.law.normal);
      const double wanted = std::max(0.0, c.push + (c.excess - moved_apart(c, bodies)) / stiffness);
      push(c, wanted - c.push, bodies);
      c.push = wanted;
    }
  for (SolverBody& body : bodies)
    if (body.level > 0 && body.shift != Vec3d{}) pay_for_lift(body, gravity);
  return pushed;
}

}  // namespace lamella::response
