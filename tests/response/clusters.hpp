#pragma once

#include <vector>

#include "response/algebra.hpp"
#include "response/solver.hpp"
#include "scenes/random.hpp"

// Bodies with contacts made up at random, for tests of the solver's phases.

namespace lamella::response {

using scenes::Random;

inline constexpr double kStep = 1.0 / 60;

inline ScenePair pair_of(std::uint32_t a, std::uint32_t b, std::size_t first_contact, std::uint32_t contacts) {
  ScenePair pair;
  pair.a = {a};
  pair.b = {b};
  pair.first_contact = static_cast<std::uint32_t>(first_contact);
  pair.contact_count = contacts;
  return pair;
}

struct Cluster {
  std::vector<SolverBody> bodies;
  std::vector<RigidBody> materials;
  SceneResult found;
  ContactSet set;
};

/// Object i is body i.
inline void gather(Cluster& c) {
  BodySlots slots;
  for (std::uint32_t i = 0; i < c.bodies.size(); ++i) slots.add({i});
  gather(c.found.pairs, c.found.contacts, slots, c.bodies, c.materials, c.set);
}

inline Quaternion random_rotation(Random& random) { return rotation_about(random.direction(), random.uniform(0, 3)); }

inline SolverBody random_body(Random& random, double mass) {
  SolverBody s;
  s.center = random.direction() * random.uniform(0, 2);
  s.velocity = random.direction() * random.uniform(0, 5);
  s.angular_velocity = random.direction() * random.uniform(0, 5);
  s.pose = {s.center, random_rotation(random)};
  s.predicted = {s.center + s.velocity * kStep, cayley(s.angular_velocity * kStep) * s.pose.rotation};
  s.inverse_mass = 1 / mass;
  const Matrix3 inertia{Vec3d{mass * random.uniform(0.2, 0.5), 0, 0},
                        {0, mass * random.uniform(0.2, 0.5), 0},
                        {0, 0, mass * random.uniform(0.2, 0.5)}};
  s.inverse_inertia = turned(inverse(inertia), matrix_of(s.pose.rotation));
  return s;
}

/// `count` bodies, every pair of neighbours with some contacts.
inline Cluster random_cluster(Random& random, std::size_t count) {
  Cluster c;
  for (std::size_t i = 0; i < count; ++i) {
    c.bodies.push_back(random_body(random, random.uniform(0.1, 10)));
    RigidBody material;
    material.restitution = random.next() % 4 == 0 ? 1 : random.uniform();
    material.friction = random.uniform(0, 2);
    c.materials.push_back(material);
  }
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    const ScenePair pair = pair_of(i, i + 1, c.found.contacts.size(), 1 + random.next() % 8);
    const Vec3d normal = random.direction();
    for (std::uint32_t k = 0; k < pair.contact_count; ++k) {
      Contact contact;
      const Vec3d bent = normal + random.direction() * 0.5;
      contact.normal = to_float(bent * (1 / length(bent)));
      contact.position = random.direction() * random.uniform(0, 2);
      contact.depth = static_cast<float>(random.uniform(0, 0.1));
      contact.id = k + 1;
      c.found.contacts.push_back(contact);
    }
    c.found.pairs.push_back(pair);
  }
  gather(c);
  return c;
}

inline double energy(const Cluster& c) {
  double sum = 0;
  for (const SolverBody& s : c.bodies) {
    if (s.inverse_mass == 0) continue;
    sum += dot(s.velocity, s.velocity) / s.inverse_mass / 2;
    sum += dot(s.angular_velocity, inverse(s.inverse_inertia) * s.angular_velocity) / 2;
  }
  return sum;
}

inline Vec3d momentum(const Cluster& c) {
  Vec3d sum;
  for (const SolverBody& s : c.bodies) sum += s.velocity * (1 / s.inverse_mass);
  return sum;
}

inline Vec3d angular_momentum(const Cluster& c) {
  Vec3d sum;
  for (const SolverBody& s : c.bodies)
    sum += cross(s.center, s.velocity * (1 / s.inverse_mass)) + inverse(s.inverse_inertia) * s.angular_velocity;
  return sum;
}

/// A cube of mass 1 above a fixed floor at z = 0, corners touching.
inline Cluster cube_on_floor(double restitution, double friction, Vec3d velocity) {
  Cluster c;
  c.bodies.resize(2);
  c.bodies[1].center = {0, 0, 0.5};
  c.bodies[1].velocity = velocity;
  c.bodies[1].inverse_mass = 1;
  c.bodies[1].inverse_inertia = diagonal(6);
  c.bodies[1].pose = {{0, 0, 0.5}, {}};
  c.bodies[1].predicted = {Vec3d{0, 0, 0.5} + velocity * kStep, {}};
  c.materials.resize(2);
  for (RigidBody& m : c.materials) {
    m.restitution = restitution;
    m.friction = friction;
  }
  c.found.pairs = {pair_of(0, 1, 0, 4)};
  const float depth = static_cast<float>(-velocity.z * kStep);
  for (const float x : {-0.5f, 0.5f})
    for (const float y : {-0.5f, 0.5f}) {
      Contact contact;
      contact.position = {x, y, -depth / 2};
      contact.id = static_cast<std::uint32_t>(c.found.contacts.size()) + 1;
      contact.normal = {0, 0, -1};
      contact.depth = depth;
      c.found.contacts.push_back(contact);
    }
  gather(c);
  return c;
}

inline ContactLaw random_law(Random& random) { return random_cluster(random, 2).set.contacts[0].law; }

}  // namespace lamella::response
