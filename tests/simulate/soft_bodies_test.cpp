// Soft bodies of both kinds with VolumeContact between them: what a user's own solver would do.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lamella/query.hpp"
#include "lamella/soft.hpp"
#include "scenes/hand.hpp"
#include "scenes/models.hpp"
#include "simulate/shape_matching.hpp"
#include "simulate/spring_body.hpp"

namespace lamella::simulate {
namespace {

constexpr double kStep = 1.0 / 240;

Mesh placed(const Mesh& mesh, Vec3d at) { return in_world(transformed(mesh, {at, {}})); }
template <class Body>
Mesh now(const Mesh& rest, const Body& body) {
  Mesh mesh = rest;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) mesh.positions[i] = to_float(body.positions()[i]);
  return mesh;
}

TEST(SoftContact, KeepsMomentumWhenBodiesRunIntoOneAnother) {
  const Mesh a = placed(scenes::sphere(500, 0.4f), {-0.45, 0, 0}), b = placed(scenes::blob(500), {1.3, 0.2, 0});
  SoftBody one(a, 1, {.stiffness = 0.1}), other(b, 2, {.stiffness = 0.1});
  VolumeContact contact({.cell = 0.02, .threads = 1, .friction = 0.3});
  for (Vec3d& v : one.velocities()) v = {3, 0, 0};
  for (Vec3d& v : other.velocities()) v = {-1, 0, 0};
  const Vec3d spin = one.angular_momentum() + other.angular_momentum();
  const double energy = one.kinetic_energy() + other.kinetic_energy();
  std::uint32_t touched = 0;
  for (int i = 0; i < 240; ++i) {
    one.step(kStep, {});
    other.step(kStep, {});
    one.before_contacts();
    other.before_contacts();
    touched += contact.project(one.surface(), other.surface()).span_count;
    one.after_contacts(kStep);
    other.after_contacts(kStep);
    ASSERT_LT(length(one.momentum() + other.momentum() - Vec3d{3 - 2, 0, 0}), 1e-11) << i;
  }
  EXPECT_GT(touched, 1000u);
  EXPECT_LT(one.momentum().x, 1.0 / 3) << "did not lose to the heavier one";
  EXPECT_LT(one.kinetic_energy() + other.kinetic_energy(), energy) << "gained energy";
  EXPECT_LT(length(one.angular_momentum() + other.angular_momentum() - spin), 0.05);
  EXPECT_FALSE(intersect(now(a, one), now(b, other)).colliding());
}

TEST(SoftContact, KeepsMomentumOfSpringBodiesToo) {
  const Mesh a = placed(scenes::sphere(800, 0.4f), {-0.45, 0, 0}),
             b = placed(scenes::torus(800, 0.5f, 0.2f), {0.5, 0.1, 0});
  SpringBody one(a, 1, {.spacing = 0.12}), other(b, 2, {.spacing = 0.12});
  VolumeContact contact({.cell = 0.02, .threads = 1, .friction = 0.3});
  for (Vec3d& v : one.velocities()) v = {3, 0, 0};
  for (Vec3d& v : other.velocities()) v = {-1, 0, 0};
  std::uint32_t touched = 0;
  for (int i = 0; i < 240; ++i) {
    one.predict(kStep, {});
    other.predict(kStep, {});
    touched += contact.project(one.surface(), other.surface()).span_count;
    contact.project_self(other.surface());
    one.finish(kStep);
    other.finish(kStep);
    ASSERT_LT(length(one.momentum() + other.momentum() - Vec3d{3 - 2, 0, 0}), 1e-11) << i;
  }
  EXPECT_GT(touched, 1000u);
  EXPECT_LT(one.momentum().x, 1.0 / 3);
}

/// Upwards, and back to the z axis: one smooth ball on another would slip off.
Vec3d towards_axis(const SoftBody& body, double up) {
  Vec3d middle;
  for (const Vec3d& p : body.positions()) middle += p * (1 / static_cast<double>(body.positions().size()));
  return {-20 * middle.x, -20 * middle.y, up};
}

/// Two balls drawn together, a thousand explicit steps with forces. The largest kinetic energy of the second half.
double energy_after(double stiffness, double damping, double& shared) {
  const Mesh a = placed(scenes::sphere(800, 0.5f), {0, 0, -0.52}), b = placed(scenes::sphere(800, 0.5f), {0, 0, 0.52});
  SoftBody one(a, 1, {.stiffness = 0.1, .damping = 0.05}), other(b, 1, {.stiffness = 0.1, .damping = 0.05});
  VolumeContact contact({.cell = 0.02, .threads = 1, .stiffness = stiffness, .damping = damping});
  std::vector<Vec3d> forces_one(a.positions.size()), forces_other(b.positions.size());
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    std::fill(forces_one.begin(), forces_one.end(), Vec3d{});
    std::fill(forces_other.begin(), forces_other.end(), Vec3d{});
    const Mesh now_one = now(a, one), now_other = now(b, other);
    shared =
        contact.add_forces(now_one, now_other, forces_one, forces_other, one.velocities(), other.velocities()).volume;
    for (std::size_t k = 0; k < forces_one.size(); ++k) one.velocities()[k] += forces_one[k] * (kStep / one.mass(k));
    for (std::size_t k = 0; k < forces_other.size(); ++k)
      other.velocities()[k] += forces_other[k] * (kStep / other.mass(k));
    one.step(kStep, towards_axis(one, 2));
    other.step(kStep, towards_axis(other, -2));
    const double energy = one.kinetic_energy() + other.kinetic_energy();
    if (!(energy < 1e3)) return energy;
    if (i >= 500) most = std::max(most, energy);
  }
  return most;
}

TEST(SoftContact, AThousandStepsAtTheStatedStiffnessDoNotBlowUp) {
  // The limit that VolumeContactOptions::stiffness names: mass per area over dt^2.
  const double per_area = 1 / std::numbers::pi, stated = per_area / (kStep * kStep);
  for (const double damping : {0.0, per_area / kStep / 8}) {
    double shared = 0;
    EXPECT_LT(energy_after(stated, damping, shared), 0.15);
    EXPECT_GT(shared, 0);
    EXPECT_LT(shared, 5e-4);
    EXPECT_GT(energy_after(16 * stated, damping, shared), 100) << "far beyond it they should";
  }
}

/// Closes a soft hand into a fist, which would pass through itself; the largest self-overlap, in parts of its volume.
double fold(bool contact) {
  const Mesh rest = scenes::hand(3000);
  SpringBody hand(rest, 1, {.spacing = 0.03, .compliance = 0.001, .damping = 0.05});
  VolumeContact self({.cell = 0.008, .threads = 1});
  std::vector<Vec3> open, bent(hand.positions().size());
  for (const Vec3d& p : hand.positions()) open.push_back(to_float(p));
  std::vector<Vec3d> goals(open.size());
  double most = 0;
  constexpr int kSteps = 400;
  for (int i = 1; i <= kSteps; ++i) {
    scenes::bend_hand(open, std::min(1.0f, 1.2f * static_cast<float>(i) / kSteps), bent);
    for (std::size_t k = 0; k < bent.size(); ++k) goals[k] = to_double(bent[k]);
    hand.set_rest(goals);
    for (std::size_t k = 0; k < goals.size(); ++k)
      hand.velocities()[k] += (goals[k] - hand.positions()[k]) * (0.02 / kStep);
    hand.predict(kStep, {});
    if (contact) self.project_self(hand.surface());
    hand.finish(kStep);
    if (i % 40 == 0) most = std::max(most, self_intersect(now(rest, hand), {.resolution = 200}).volume);
  }
  double off = 0;
  for (std::size_t k = 0; k < goals.size(); ++k) off += length(goals[k] - hand.positions()[k]);
  EXPECT_LT(off / static_cast<double>(goals.size()), 0.02) << "did not close";
  return most / inspect(rest).volume;
}

TEST(SoftContact, AFoldingHandDoesNotPassThroughItself) {
  EXPECT_GT(fold(false), 0.01);
  EXPECT_LT(fold(true), 1e-5);
}

}  // namespace
}  // namespace lamella::simulate
