// A step of a world beside the same step done phase by phase, and what the world says of its bodies.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "response/algebra.hpp"
#include "response/levels.hpp"
#include "response/solver.hpp"
#include "response/spin.hpp"
#include "response/worlds.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using namespace response;
using scenes::Random;

void expect_near(Vec3d a, Vec3d b, double tolerance) { EXPECT_LT(length(a - b), tolerance * (1 + length(b))); }

/// A world's step of one substep, with the contacts that the world found.
struct Twin {
  std::vector<ObjectId> ids;
  ContactSet contacts;
  ContactGraph graph;

  static Spin turned_on(const RigidBody& b, Vec3d angular_velocity, double h) {
    if (b.inverse_mass == 0) return advance({b.pose.rotation, angular_velocity}, h);
    return advance({b.pose.rotation, angular_velocity}, inverse(b.inverse_inertia), h);
  }

  /// From `bodies` before the step to those after it.
  std::vector<RigidBody> step(std::vector<RigidBody> bodies, const SceneResult& found, const RigidWorldOptions& options,
                              double h, StepReport& report) {
    BodySlots slots;
    std::vector<SolverBody> solver(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      slots.add(ids[i]);
      const RigidBody& b = bodies[i];
      SolverBody& s = solver[i];
      s.center = apply(b.pose, b.center);
      s.velocity = b.velocity;
      s.angular_velocity = b.angular_velocity;
      s.inverse_mass = b.inverse_mass;
      if (b.inverse_mass > 0) s.inverse_inertia = turned(b.inverse_inertia, matrix_of(b.pose.rotation));
      s.pose = b.pose;
      const Vec3d falling = b.inverse_mass > 0 ? b.velocity + options.gravity * h : b.velocity;
      const Quaternion rotation = turned_on(b, b.angular_velocity, h).rotation;
      s.predicted = {s.center + falling * h - rotate(rotation, b.center), rotation};
    }
    gather(found.pairs, found.contacts, slots, solver, bodies, contacts);
    const double weight = length(options.gravity);
    collision_phase(contacts, solver, options.collision_iterations, 1e-3 * weight * h);
    for (SolverBody& s : solver)
      if (s.inverse_mass > 0) s.velocity += options.gravity * h, s.level = kNoLevel;
    if (contacts.contacts.empty()) {
      contacts.remembered.clear();
    } else {
      contact_phase(contacts, solver, h, options.contact_iterations);
      if (options.shock_propagation && weight > 0) {
        graph.find_levels(contacts, solver, options.gravity * (-1 / weight));
        graph.shock_propagation(contacts, solver, h, options.contact_iterations);
      }
      report.impulse_count = contacts.impulse_count;
      report.pushed_count = push_out(contacts, solver, h, options.gravity);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      RigidBody& b = bodies[i];
      const SolverBody& s = solver[i];
      const Spin spin = turned_on(b, s.angular_velocity, h);
      const Quaternion turn = cayley(s.turn);
      const Quaternion rotation = normalized(turn * spin.rotation);
      b.velocity = s.velocity;
      b.angular_velocity = rotate(turn, spin.angular_velocity);
      b.pose = {s.center + s.velocity * h + s.shift - rotate(rotation, b.center), rotation};
    }
    return bodies;
  }
};

TEST(Step, IsTheSameAsItsPhasesOneByOne) {
  Random random(81);
  std::uint32_t impulses = 0, pushed = 0;
  for (int n = 0; n < 12; ++n) {
    RigidWorldOptions options;
    options.gravity = n % 4 == 3 ? Vec3d{} : random.direction() * random.uniform(5, 15);
    options.collision_iterations = 1 + random.next() % 5;
    options.contact_iterations = 1 + random.next() % 10;
    options.shock_propagation = n % 3 != 0;
    options.ways_out = false;  // those are tested in ways_out_test.cpp
    RigidWorld world(coarse(0.1f), options);
    Twin twin;
    // Overlapping from the start, so that there is something to push apart; two of them fixed, one of these moving.
    for (int i = 0; i < 5; ++i) {
      BodyOptions body = material(random.uniform(), random.uniform());
      body.density = random.uniform(0.5, 3);
      body.fixed = i < 2;
      const Mesh mesh = i % 2 == 0 ? scenes::box(12, {0.5f, 0.4f, 0.3f}) : scenes::sphere(200, 0.4f);
      Mesh off_centre = mesh;
      for (Vec3& p : off_centre.positions) p = p + Vec3{0.3f, -0.2f, 0.1f};
      twin.ids.push_back(world.add(
          off_centre, {random.direction() * 0.7, rotation_about(random.direction(), random.uniform(0, 3))}, body));
      RigidBody& b = world.body(twin.ids.back());
      if (i == 0) continue;
      b.velocity = random.direction() * random.uniform(0, 2);
      b.angular_velocity = random.direction() * random.uniform(0, 2);
    }
    const double h = 1.0 / 256;
    for (int step = 0; step < 12; ++step) {
      std::vector<RigidBody> before;
      for (const ObjectId id : twin.ids) before.push_back(world.body(id));
      world.step(h);
      ASSERT_EQ(world.report().substep_count, 1u);
      StepReport report;
      const std::vector<RigidBody> wanted = twin.step(before, world.result(), options, h, report);
      EXPECT_EQ(world.report().impulse_count, report.impulse_count);
      EXPECT_EQ(world.report().pushed_count, report.pushed_count);
      impulses += report.impulse_count;
      pushed += report.pushed_count;
      for (std::size_t i = 0; i < twin.ids.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "world " << n << ", step " << step << ", body " << i);
        const RigidBody& b = world.body(twin.ids[i]);
        expect_near(b.velocity, wanted[i].velocity, 1e-10);
        expect_near(b.angular_velocity, wanted[i].angular_velocity, 1e-10);
        expect_near(b.pose.translation, wanted[i].pose.translation, 1e-12);
        expect_near(apply(b.pose, {1, 2, 3}), apply(wanted[i].pose, {1, 2, 3}), 1e-12);
        const Transform placed = world.scene().pose(twin.ids[i]);
        EXPECT_EQ(placed.translation, b.pose.translation) << "the scene shows where the bodies are";
        EXPECT_EQ(rotate(placed.rotation, {1, 2, 3}), rotate(b.pose.rotation, {1, 2, 3}));
      }
    }
  }
  EXPECT_GT(impulses, 1000u);
  EXPECT_GT(pushed, 100u);
}

TEST(Step, DetectsOnThePosesAtTheEndOfTheSubstep) {
  // Apart at the start. Falling, rising and turning bodies are met where they will be.
  for (const bool fixed_moves : {false, true}) {
    RigidWorld world(coarse(), {.gravity = {0, 0, -10}});
    const ObjectId floor = add_ground(world, 0, 0);
    const ObjectId box = world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), at(0, 0, 0.52));
    world.body(fixed_moves ? floor : box).velocity = {0, 0, fixed_moves ? 2.5 : -2.4};
    world.step(0.01);
    ASSERT_EQ(world.result().pairs.size(), 1u);
    double depth = 0;
    for (const Contact& c : world.result().contacts) depth = std::max(depth, double{c.depth});
    // 0.02 apart; 0.024 by its velocity or 0.025 by the floor's, 0.001 by gravity.
    EXPECT_NEAR(depth, fixed_moves ? 0.006 : 0.005, 1e-5);
    EXPECT_EQ(world.result().pairs[0].a, floor);
    EXPECT_EQ(world.result().pairs[0].b, box);
  }
  RigidWorld world(coarse(), {.gravity = {}});
  add_ground(world);
  const ObjectId bar = world.add(scenes::box(12, {1, 0.25f, 0.25f}), at(0, 0, 0.3));
  world.step(0.01);
  EXPECT_TRUE(world.result().pairs.empty());
  world.body(bar).angular_velocity = {0, 10, 0};  // its end goes down by 0.1
  world.step(0.01);
  EXPECT_EQ(world.result().pairs.size(), 1u);
}

TEST(Step, MeetsAFixedBodyWhereTheCallerPutIt) {
  RigidWorld world(coarse(), {.gravity = {}});
  const ObjectId wall = world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), at(10, 0, 0), fixed());
  const ObjectId box = world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), {});
  world.step(0.01);
  EXPECT_TRUE(world.result().pairs.empty());
  world.body(wall).pose = at(0.9, 0, 0);
  world.step(0.01);
  EXPECT_EQ(world.result().pairs.size(), 1u);
  EXPECT_EQ(world.scene().pose(wall).translation.x, 0.9);
  world.body(box).pose.translation = {0, 5, 0};  // at rest as well
  world.step(0.01);
  EXPECT_TRUE(world.result().pairs.empty());
  EXPECT_EQ(world.scene().pose(box).translation.y, 5);
}

TEST(Step, ItsTimesAddUpToNoMoreThanItTook) {
  RigidWorld world(coarse());
  add_ground(world);
  const ObjectId box = world.add(scenes::box(12, {0.5f, 0.1f, 0.5f}), at(0, 0, 0.45));
  world.body(box).velocity = {2, 0, 0};
  const auto start = std::chrono::steady_clock::now();
  world.step(0.1);
  const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GT(world.report().substep_count, 1u);
  const Timings& ms = world.report().ms;
  EXPECT_LE(ms.total(), took);
  for (const double stage : {ms.broad, ms.voi, ms.ldi, ms.query, ms.contacts, ms.solve}) EXPECT_GT(stage, 0);
  EXPECT_GT(ms.ldi, world.result().ms.ldi) << "of all substeps";
}

/// How many substeps the header promises for bodies that meet nobody.
unsigned promised_substeps(std::vector<RigidBody> bodies, const RigidWorldOptions& options, double seconds,
                           bool& too_many) {
  double left = seconds;
  unsigned count = 0;
  too_many = false;
  while (count < options.max_substeps && left > 1e-9 * seconds) {
    double most = 1, most_by_spin = 1;  // parts of what is left
    for (const RigidBody& b : bodies) {
      const double fall = b.inverse_mass > 0 ? length(options.gravity) * left : 0;
      const double spin = length(b.angular_velocity) * b.reach, speed = length(b.velocity) + spin + fall;
      if (b.thickness == 0) continue;
      most = std::max(most, speed * left / (b.thickness / 2));
      most_by_spin = std::max(most_by_spin, spin * left / (b.thickness / 2));
    }
    const double room = options.max_substeps - count;
    double parts = std::ceil(most * (1 - 1e-12));
    // Too many: the way to the first touch is free here, and only spins need substeps.
    too_many = too_many || parts > room;
    if (parts > room) parts = std::ceil(most_by_spin * (1 - 1e-12));
    const double h = left / std::min(parts, room);
    for (RigidBody& b : bodies) {
      if (b.inverse_mass == 0) continue;
      b.velocity += options.gravity * h;
      const Spin spin = advance({b.pose.rotation, b.angular_velocity}, inverse(b.inverse_inertia), h);
      b.pose.rotation = spin.rotation;
      b.angular_velocity = spin.angular_velocity;  // it tumbles
    }
    left -= h;
    ++count;
  }
  return count;
}

TEST(Step, HasAsManySubstepsAsTheFastestBodyNeedsByItsVelocityItsSpinAndGravity) {
  Random random(82);
  int one = 0, many = 0, over = 0;
  for (int n = 0; n < 300; ++n) {
    RigidWorldOptions options;
    options.gravity = n % 3 == 0 ? Vec3d{} : random.direction() * random.uniform(0, 50);
    options.max_substeps = n % 5 == 0 ? 1 + random.next() % 4 : 16;
    RigidWorld world(coarse(), options);
    std::vector<RigidBody> bodies;
    for (int i = 0; i < 3; ++i) {
      const Mesh mesh = i == 0 ? scenes::box(12, {0.5f, 0.1f, 0.3f}) : i == 1 ? scenes::sphere(100, 0.3f) : Mesh{};
      const ObjectId id = world.add(mesh, at(100.0 * i, 0, 0), i == 2 || n % 4 == 0 ? fixed() : BodyOptions{});
      RigidBody& b = world.body(id);
      // By its velocity alone, by its spin alone, or both; the one without extent may do as it likes.
      if (n % 7 < 4) b.velocity = random.direction() * random.uniform(0, i == 2 ? 1000 : 40);
      if (n % 7 > 2) b.angular_velocity = random.direction() * random.uniform(0, i == 2 ? 1000 : 60);
      bodies.push_back(b);
    }
    const double seconds = random.uniform(0.001, 0.03);
    bool too_many = false;
    const unsigned wanted = promised_substeps(bodies, options, seconds, too_many);
    world.step(seconds);
    EXPECT_EQ(world.report().substep_count, wanted) << "case " << n;
    EXPECT_FALSE(world.report().over_limit) << "none touches another, case " << n;
    EXPECT_EQ(world.report().seconds_left, 0) << "case " << n;
    one += wanted == 1;
    many += wanted > 3;
    over += too_many;
    // The substeps make up the whole step.
    for (int i = 0; i < 3; ++i) {
      const RigidBody& b = world.body({static_cast<std::uint32_t>(i)});
      const Vec3d gained = bodies[static_cast<std::size_t>(i)].inverse_mass > 0 ? options.gravity * seconds : Vec3d{};
      expect_near(b.velocity, bodies[static_cast<std::size_t>(i)].velocity + gained, 1e-9);
    }
  }
  EXPECT_GT(std::min({one, many, over}), 20);
}

TEST(Step, OfASpinningBodyAloneIsDividedByTheWayOfItsFarthestVertex) {
  RigidWorld world(coarse(), {.gravity = {}});
  const ObjectId id = world.add(scenes::box(12, {1, 0.1f, 0.1f}), {});
  RigidBody& b = world.body(id);
  EXPECT_NEAR(b.reach, std::sqrt(1.02), 1e-7);
  EXPECT_NEAR(b.thickness, 4 * (2 * 0.2 * 0.2) / (4 * 2 * 0.2 + 2 * 0.2 * 0.2), 1e-7);
  // Exactly four times half its thickness, and a little more.
  b.angular_velocity = {0, 0, 4 * b.thickness / 2 / b.reach};
  world.step(1);
  EXPECT_EQ(world.report().substep_count, 4u);
  world.body(id).angular_velocity = {0, 0, 4.001 * b.thickness / 2 / b.reach};
  world.step(1);
  EXPECT_EQ(world.report().substep_count, 5u);
  EXPECT_FALSE(world.report().over_limit);
}

TEST(Step, OfAFlatBodyIsNotDividedSinceItSharesNoVolume) {
  RigidWorld world(coarse(), {.gravity = {}, .max_substeps = 7});
  const Mesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  const ObjectId id = world.add(sheet, {}, fixed());
  EXPECT_EQ(world.body(id).thickness, 0);
  world.step(0.01);
  EXPECT_EQ(world.report().substep_count, 1u);
  EXPECT_FALSE(world.report().over_limit);
  world.body(id).velocity = {0, 0, 1e3};
  world.body(id).angular_velocity = {0, 0, 1e3};
  world.step(0.01);
  EXPECT_EQ(world.report().substep_count, 1u);
  EXPECT_FALSE(world.report().over_limit);
}

TEST(RigidWorld, SumsEnergyAndMomentumOverTheBodiesThatMove) {
  Random random(83);
  const Vec3d gravity{1, -2, 3};
  RigidWorld world(coarse(), {.gravity = gravity});
  double kinetic = 0, potential = 0;
  Vec3d momentum, angular;
  for (int i = 0; i < 6; ++i) {
    BodyOptions options;
    options.density = random.uniform(0.5, 3);
    options.fixed = i % 3 == 2;
    Mesh mesh = scenes::box(12, {0.5f, 0.8f, 0.3f});
    for (Vec3& p : mesh.positions) p = p + Vec3{1, 2, 3};
    const Transform pose{random.direction() * 5.0, rotation_about(random.direction(), random.uniform(0, 3))};
    const ObjectId id = world.add(mesh, pose, options);
    RigidBody& b = world.body(id);
    b.velocity = random.direction() * random.uniform(0, 3);
    b.angular_velocity = random.direction() * random.uniform(0, 3);
    EXPECT_EQ(b.inverse_mass == 0, options.fixed);
    expect_near(b.center, {1, 2, 3}, 1e-6);
    EXPECT_NEAR(b.reach, std::sqrt(0.25 + 0.64 + 0.09), 1e-6);
    if (options.fixed) continue;
    const MassProperties m = mass_properties(mesh, options.density);
    const Vec3d center = apply(pose, m.center);
    const Vec3d spin = turned(m.inertia, matrix_of(pose.rotation)) * b.angular_velocity;
    kinetic += m.mass * dot(b.velocity, b.velocity) / 2 + dot(b.angular_velocity, spin) / 2;
    potential -= m.mass * dot(gravity, center);
    momentum += b.velocity * m.mass;
    angular += cross(center, b.velocity) * m.mass + spin;
  }
  EXPECT_NEAR(world.kinetic_energy(), kinetic, 1e-10 * kinetic);
  EXPECT_NEAR(world.potential_energy(), potential, 1e-10 * std::abs(potential));
  expect_near(world.momentum(), momentum, 1e-10);
  expect_near(world.angular_momentum(), angular, 1e-10);
}

TEST(RigidWorld, NoNumberOfABodyMayBeSpoilt) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  RigidWorld world(coarse(), {.gravity = {}});
  const ObjectId id = world.add(scenes::box(12));
  const RigidBody good = world.body(id);
  const auto numbers = [](RigidBody& b) {
    std::vector<double*> all{&b.pose.rotation.x, &b.pose.rotation.y, &b.pose.rotation.z,
                             &b.pose.rotation.w, &b.inverse_mass,    &b.restitution,
                             &b.friction,        &b.thickness,       &b.reach};
    for (Vec3d* v : {&b.pose.translation, &b.velocity, &b.angular_velocity, &b.center, b.inverse_inertia.data(),
                     b.inverse_inertia.data() + 1, b.inverse_inertia.data() + 2})
      for (double* x : {&v->x, &v->y, &v->z}) all.push_back(x);
    return all;
  };
  const std::size_t count = numbers(world.body(id)).size();
  for (std::size_t i = 0; i < count; ++i)
    for (const double bad : {nan, inf, -inf}) {
      world.body(id) = good;
      *numbers(world.body(id))[i] = bad;
      EXPECT_THROW(world.step(kFrame), Error) << i << ' ' << bad;
    }
  for (double RigidBody::*below : {&RigidBody::thickness, &RigidBody::reach, &RigidBody::friction,
                                   &RigidBody::restitution, &RigidBody::inverse_mass}) {
    world.body(id) = good;
    world.body(id).*below = -0.001;
    EXPECT_THROW(world.step(kFrame), Error);
    world.body(id).*below = 0;
    EXPECT_NO_THROW(world.step(kFrame));
  }
  world.body(id) = good;
  world.body(id).restitution = 1;
  EXPECT_NO_THROW(world.step(kFrame));
  world.body(id).restitution = 1.001;
  EXPECT_THROW(world.step(kFrame), Error);
}

TEST(RigidWorld, RefusesOptionsOutOfRangeAndSaysWhich) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const auto message = [](const auto& call) { return std::string(test::error_of(call).what()); };
  EXPECT_NE(message([] { RigidWorld(coarse(), {.max_substeps = 0}); }).find("max_substeps"), std::string::npos);
  EXPECT_NO_THROW(RigidWorld(coarse(), {.max_substeps = 1}));
  for (int axis = 0; axis < 3; ++axis)
    for (const double bad : {nan, inf}) {
      Vec3d gravity;
      gravity[axis] = bad;
      EXPECT_NE(message([&] { RigidWorld(coarse(), {.gravity = gravity}); }).find("gravity"), std::string::npos);
      RigidWorld world(coarse());
      EXPECT_THROW(world.set_gravity(gravity), Error);
      EXPECT_EQ(world.options().gravity, (Vec3d{0, 0, -9.81}));
    }
  RigidWorld world(coarse());
  for (const double bad : {nan, -0.001, 1.001})
    EXPECT_NE(message([&] { world.add(scenes::box(12), {}, material(bad, 0)); }).find("restitution"),
              std::string::npos);
  for (const double bad : {nan, -0.001, inf})
    EXPECT_NE(message([&] { world.add(scenes::box(12), {}, material(0, bad)); }).find("friction"), std::string::npos);
  EXPECT_NO_THROW(world.add(scenes::box(12), {}, material(0, 0)));
  EXPECT_NO_THROW(world.add(scenes::box(12), {}, material(1, 1e300)));
  EXPECT_THROW(world.step(nan), Error);
}

}  // namespace
}  // namespace lamella
