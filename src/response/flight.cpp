// How far fast bodies may go: conservative advancement to the first touch, by exact sweeps of one body's mesh against
// another's along their relative translation. A substep must not be long when bodies collide in it: they then move with
// their new velocities for all of it, as if they had collided at its start. So a body first flies until a quarter of
// the allowed depth is left, and collides in a substep of its own.
//
// The sweep's touch becomes a contact beside those of the rays, which may miss a tip or a grazing edge.
//
// Only pairs are swept of which one moves further than half its thickness, or which move further than one and a half
// times the thinner one's thickness relative to each other. Spins are not
// swept: where a body's bounding sphere comes to another's box, it may turn by half its thickness only.

#include "response/flight.hpp"

#include <algorithm>
#include <cmath>

#include "response/algebra.hpp"

namespace lamella::response {
namespace {

/// Of contacts from sweeps; those of a scene count up from 1.
constexpr std::uint32_t kSweptContact = ~0u;

/// Bodies that move by up to half of their own thickness in a substep collide with one that is a third as thick.
constexpr double kHarmless = 3;

/// Whether it moves further than half its thickness.
bool is_fast(const Flyer& b, double seconds) {
  return (length(b.velocity) + b.spin) * seconds > b.thickness / 2 * (1 + 1e-9);
}

/// Whether bounding spheres meet while a moves by `way` relative to b.
bool spheres_meet(const Flyer& a, const Flyer& b, Vec3d way) {
  const Vec3d apart = b.center - a.center;
  const double part = std::clamp(dot(apart, way) / dot(way, way), 0.0, 1.0);
  return length(apart - way * part) <= (a.reach + b.reach) * (1 + 1e-6);
}

double distance_to(const Aabb& box, Vec3d p) {
  Vec3d outside;
  for (int i = 0; i < 3; ++i) outside[i] = std::max({box.min[i] - p[i], p[i] - box.max[i], 0.0});
  return length(outside);
}

/// Whether a's bounding sphere meets b's box within `seconds`. The distance of a point from a box is convex, so that
/// halving an interval finds the least on a line.
bool reaches(const Flyer& a, const Flyer& b, double seconds) {
  const Quaternion back = conjugate(b.pose.rotation);
  const Vec3d start = rotate(back, a.center - b.pose.translation);
  const Vec3d way = rotate(back, (a.velocity - b.velocity) * seconds);
  const auto distance = [&](double part) { return distance_to(b.box, start + way * part); };
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (distance(left) <= distance(right) ? high : low) = distance(left) <= distance(right) ? right : left;
  }
  return std::min({distance(low), distance(0), distance(1)}) <= a.reach * (1 + 1e-6);
}

bool comes_before(const SolverPair& pair, ObjectId a, ObjectId b) {
  return pair.object_a != a ? pair.object_a < a : pair.object_b < b;
}

template <class Pairs>
auto find_pair(Pairs& pairs, ObjectId a, ObjectId b) {
  return std::lower_bound(pairs.begin(), pairs.end(), 0,
                          [&](const SolverPair& p, int) { return comes_before(p, a, b); });
}

bool is_pair(const SolverPair& pair, ObjectId a, ObjectId b) { return pair.object_a == a && pair.object_b == b; }

/// Whether a pair has contacts, in either order.
bool holds(const ContactSet& contacts, ObjectId a, ObjectId b) {
  if (b < a) std::swap(a, b);
  const auto known = find_pair(contacts.pairs, a, b);
  return known != contacts.pairs.end() && is_pair(*known, a, b);
}

/// Whether rays found the touch too; then their contacts, which are several on a face, do without it.
bool sees(std::span<const SolverContact> contacts, const Touch& touch) {
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const SolverContact& c) { return dot(c.law.normal, touch.normal) > 0.5; });
}

}  // namespace

double Flight::limit_spins(const Question& question, const Flyer& a, const Flyer& b, double seconds) {
  double most = seconds;
  if (a.spin * seconds > a.thickness / 2 && reaches(a, b, seconds)) most = std::min(most, a.safe_spin());
  if (b.spin * seconds > b.thickness / 2 && reaches(b, a, seconds)) most = std::min(most, b.safe_spin());
  if (!(most < question.least) || !holds(question.contacts, a.object, b.object)) return most;
  // It stands on the other, as a top does, and turns on.
  const auto now = question.scene.sweep(a.object, b.object, {});
  if (!now || !now->overlapping) return most;
  spins_too_fast_ = true;
  return question.least;
}

double Flight::limit_pair(const Question& question, std::uint32_t i, std::uint32_t k, double seconds) {
  const Flyer &a = bodies[i], &b = bodies[k];
  if (!a.exists || !b.exists || !(a.movable || b.movable)) return seconds;
  seconds = limit_spins(question, a, b, seconds);
  const Vec3d velocity = a.velocity - b.velocity;
  const double speed = length(velocity), depth = std::min(a.thickness, b.thickness) / 2;
  if (!is_fast(a, seconds) && !is_fast(b, seconds) && speed * seconds <= kHarmless * depth) return seconds;
  const Vec3d way = velocity * seconds;
  if (!spheres_meet(a, b, way)) return seconds;
  ++sweep_count_;
  const auto hit = question.scene.sweep(a.object, b.object, way);
  if (!hit) return seconds;
  if (hit->overlapping) {
    const double own = std::min(a.safe_seconds(), b.safe_seconds());
    if (holds(question.contacts, a.object, b.object)) return std::max(own, question.least);
    return std::min(own, std::max(depth, question.cell / 2) / speed);
  }
  const double touch = hit->time * seconds, near = depth / (2 * speed);
  // The sweep moved a, and b stayed.
  Touch t{i, k, a.object, b.object, touch, hit->position - velocity * touch, hit->position, hit->normal};
  if (t.object_b < t.object_a) {
    std::swap(t.a, t.b);
    std::swap(t.object_a, t.object_b);
    std::swap(t.on_a, t.on_b);
    t.normal = -t.normal;
  }
  touches_.push_back(t);
  return touch > near ? touch - near / 2 : touch + near;
}

double Flight::limit(Scene& scene, double seconds, double least, double cell, const ContactSet& contacts) {
  clear();
  const Question question{scene, least, cell, contacts};
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    for (std::uint32_t k = i + 1; k < bodies.size(); ++k)
      seconds = std::min(seconds, limit_pair(question, i, k, seconds));
  std::erase_if(touches_, [&](const Touch& t) { return t.seconds > seconds; });
  return seconds;
}

void add_touches(std::span<const Touch> touches, double seconds, std::span<const SolverBody> bodies,
                 std::span<const RigidBody> shapes, ContactSet& out) {
  for (const Touch& t : touches) {
    if (t.seconds > seconds) continue;
    const SolverBody &a = bodies[t.a], &b = bodies[t.b];
    auto pair = find_pair(out.pairs, t.object_a, t.object_b);
    const bool known = pair != out.pairs.end() && is_pair(*pair, t.object_a, t.object_b);
    if (known && sees(out.of(*pair), t)) continue;
    if (!known) {
      const std::uint32_t first =
          pair != out.pairs.end() ? pair->first : static_cast<std::uint32_t>(out.contacts.size());
      const double restitution = std::min(shapes[t.a].restitution, shapes[t.b].restitution);
      pair = out.pairs.insert(pair, {t.object_a, t.object_b, t.a, t.b, first, 0, restitution});
    }
    SolverContact c;
    c.a = t.a;
    c.b = t.b;
    c.id = kSweptContact;
    c.law.normal = t.normal;
    c.law.friction = std::max(shapes[t.a].friction, shapes[t.b].friction);
    const Vec3d point = (t.on_a * a.inverse_mass + t.on_b * b.inverse_mass) * (1 / (a.inverse_mass + b.inverse_mass));
    c.arm_a = point - a.center;
    c.arm_b = point - b.center;
    c.slop = kSlop * std::min(shapes[t.a].thickness, shapes[t.b].thickness);
    c.gap = dot(t.normal, t.on_a - t.on_b);
    c.law.response = response_of(c, a, b);
    c.law.inverse = inverse(c.law.response);
    out.contacts.insert(out.contacts.begin() + pair->first + pair->count, c);
    ++pair->count;
    for (++pair; pair != out.pairs.end(); ++pair) ++pair->first;
  }
}

}  // namespace lamella::response
