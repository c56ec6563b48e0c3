// The contact graph and shock propagation, after section 8 of Guendelman, Bridson and Fedkiw, "Nonconvex Rigid Bodies
// with Stacking", 2003. Departures:
// - Which body stands on which is read from the contact normals and the direction of gravity; the paper moves each body
//   by itself under gravity and detects again.
// - Two bodies that stand on each other are one group, as in the paper; a longer cycle is cut at its lowest body.
// - Impulses that would raise the energy of the upper body, as seen from the fixed body at the bottom, are reduced: a
//   body of infinite mass could otherwise throw it up.

#include "response/levels.hpp"

#include <algorithm>
#include <numeric>

#include "response/algebra.hpp"

namespace lamella::response {
namespace {

constexpr double kSupport = 0.1;  ///< the least upward component of a supporting contact's normal

}  // namespace

std::uint32_t ContactGraph::root(std::uint32_t body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

void ContactGraph::find_edges(ContactSet& set, std::span<const SolverBody> bodies, Vec3d up) {
  edges_.clear();
  parent_.resize(bodies.size());
  std::iota(parent_.begin(), parent_.end(), 0u);
  for (const SolverPair& pair : set.pairs) {
    bool a_on_b = false, b_on_a = false;
    for (const SolverContact& c : set.of(pair)) {
      const double height = dot(c.law.normal, up);
      a_on_b |= height > kSupport;
      b_on_a |= height < -kSupport;
    }
    // A fixed body stands on nothing.
    a_on_b &= bodies[pair.a].inverse_mass > 0;
    b_on_a &= bodies[pair.b].inverse_mass > 0;
    if (a_on_b && b_on_a)
      parent_[std::max(root(pair.a), root(pair.b))] = std::min(root(pair.a), root(pair.b));
    else if (a_on_b)
      edges_.push_back({pair.a, pair.b});
    else if (b_on_a)
      edges_.push_back({pair.b, pair.a});
  }
  for (Edge& e : edges_) e = {root(e.upper), root(e.lower)};
  std::erase_if(edges_, [](const Edge& e) { return e.upper == e.lower; });
}

/// Chooses the groups whose supports are all placed. Returns whether there are any.
bool ContactGraph::choose_unblocked() {
  std::fill(blocked_.begin(), blocked_.end(), std::uint8_t{0});
  for (const Edge& e : edges_)
    if (place_[e.lower] == Place::waiting) blocked_[e.upper] = 1;
  bool any = false;
  for (const Edge& e : edges_)
    if (place_[e.upper] == Place::waiting && !blocked_[e.upper]) {
      place_[e.upper] = Place::now;
      any = true;
    }
  return any;
}

void ContactGraph::choose_lowest(std::span<const SolverBody> bodies, Vec3d up) {
  const Edge* lowest = nullptr;
  for (const Edge& e : edges_) {
    if (place_[e.upper] != Place::waiting) continue;
    if (lowest == nullptr || dot(bodies[e.upper].center, up) < dot(bodies[lowest->upper].center, up)) lowest = &e;
  }
  if (lowest != nullptr) place_[lowest->upper] = Place::now;
}

/// One level above the highest support that rests on a fixed body.
void ContactGraph::place_chosen(std::span<SolverBody> bodies) {
  for (const Edge& e : edges_) {
    const SolverBody& lower = bodies[e.lower];
    if (place_[e.upper] != Place::now || place_[e.lower] != Place::done || lower.level == kNoLevel) continue;
    if (lower.level < bodies[e.upper].level) continue;
    bodies[e.upper].level = lower.level + 1;
    bodies[e.upper].base_velocity = lower.base_velocity;
  }
  for (const Edge& e : edges_)
    if (place_[e.upper] == Place::now) place_[e.upper] = Place::done;
}

void ContactGraph::find_levels(ContactSet& set, std::span<SolverBody> bodies, Vec3d up) {
  find_edges(set, bodies, up);
  for (SolverBody& body : bodies) {
    body.level = body.inverse_mass == 0 ? 0 : kNoLevel;
    body.base_velocity = body.inverse_mass == 0 ? body.velocity : Vec3d{};
  }
  blocked_.resize(bodies.size());
  place_.assign(bodies.size(), Place::done);
  for (const Edge& e : edges_) place_[e.upper] = Place::waiting;
  const auto waiting = [&](const Edge& e) { return place_[e.upper] == Place::waiting; };
  while (std::any_of(edges_.begin(), edges_.end(), waiting)) {
    if (!choose_unblocked()) choose_lowest(bodies, up);
    place_chosen(bodies);
  }
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].level = bodies[root(i)].level;
    bodies[i].base_velocity = bodies[root(i)].base_velocity;
  }
}

/// Contacts of bodies that do not rest on a fixed body come first, as level 0.
void ContactGraph::sort_by_level(const ContactSet& set, std::span<const SolverBody> bodies) {
  const auto level_of = [&](const SolverContact& c) {
    const int a = bodies[c.a].level, b = bodies[c.b].level;
    return static_cast<std::size_t>(a == kNoLevel || b == kNoLevel ? 0 : std::max(a, b));
  };
  level_end_.assign(1, 0);
  for (const SolverContact& c : set.contacts) {
    const std::size_t level = level_of(c);
    if (level + 2 > level_end_.size()) level_end_.resize(level + 2, 0);
    ++level_end_[level + 1];
  }
  std::partial_sum(level_end_.begin(), level_end_.end(), level_end_.begin());
  order_.resize(set.contacts.size());
  for (std::uint32_t i = 0; i < set.contacts.size(); ++i) order_[level_end_[level_of(set.contacts[i])]++] = i;
}

/// Solves one contact while the bodies below are held.
Vec3d ContactGraph::settle(SolverContact& c, std::span<SolverBody> bodies, double seconds, EnergyBudget& budget) const {
  const double before = budget.change;
  Vec3d added = added_impulse(c.law, relative_velocity(c, bodies), c.impulse, c.allowed(seconds), budget);
  const auto held = [&](std::uint32_t i) { return bodies[i].inverse_mass == 0 && masses_[i].inverse_mass != 0; };
  if (held(c.a) || held(c.b)) {
    const SolverBody& upper = bodies[held(c.a) ? c.b : c.a];
    const Vec3d velocity = upper.velocity + cross(upper.angular_velocity, held(c.a) ? c.arm_b : c.arm_a);
    const double part = harmless_part(c.law.response, velocity - upper.base_velocity, held(c.a) ? -added : added, 0);
    // Of a fraction we only know that it costs no more than nothing or the whole.
    if (part < 1) budget.change = std::max(before, budget.change);
    added = added * part;
  }
  c.impulse += added;
  give(c, added, bodies);
  return added;
}

void ContactGraph::shock_propagation(ContactSet& set, std::span<SolverBody> bodies, double seconds, unsigned sweeps) {
  sort_by_level(set, bodies);
  masses_.clear();
  for (const SolverBody& body : bodies) masses_.push_back({body.inverse_mass, body.inverse_inertia});
  for (std::size_t level = 1; level + 1 < level_end_.size(); ++level) {
    const std::span contacts(order_.data() + level_end_[level - 1], order_.data() + level_end_[level]);
    for (const std::uint32_t i : contacts) {
      SolverContact& c = set.contacts[i];
      c.impulse = {};
      c.law.response = response_of(c, bodies[c.a], bodies[c.b]);
      c.law.inverse = inverse(c.law.response);
    }
    EnergyBudget budget;
    for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
      Convergence convergence;
      for (const std::uint32_t i : contacts) {
        const Vec3d added = settle(set.contacts[i], bodies, seconds, budget);
        convergence.see(added, set.contacts[i].impulse);
      }
      if (convergence.reached()) break;
    }
    set.impulse_count += static_cast<std::uint32_t>(contacts.size());
    for (const std::uint32_t i : contacts)
      for (const std::uint32_t body : {set.contacts[i].a, set.contacts[i].b}) {
        bodies[body].inverse_mass = 0;
        bodies[body].inverse_inertia = {};
      }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].inverse_mass = masses_[i].inverse_mass;
    bodies[i].inverse_inertia = masses_[i].inverse_inertia;
  }
  for (SolverContact& c : set.contacts) c.law.response = response_of(c, bodies[c.a], bodies[c.b]);
}

}  // namespace lamella::response
