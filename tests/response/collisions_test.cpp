// Free collisions: what two bodies without gravity may and may not do.
#include <gtest/gtest.h>

#include "response/worlds.hpp"

namespace lamella {
namespace {

using scenes::Random;

const RigidWorldOptions kWeightless{.gravity = {}};

Mesh random_mesh(Random& random) {
  switch (random.next() % 5) {
    case 0:
      return scenes::box(12, {0.8f, 0.5f, 0.3f});
    case 1:
      return scenes::sphere(300, 0.6f);
    case 2:
      return scenes::torus(400, 0.7f, 0.2f);
    case 3:
      return scenes::torus_knot(1200, 0.2f);
    default:
      return scenes::blob(500, random.next());
  }
}

/// Two bodies flying at each other from a little further than they reach.
RigidWorld random_collision(Random& random, double restitution) {
  RigidWorld world(coarse(), kWeightless);
  const double friction = random.uniform(0, 1);
  std::vector<ObjectId> ids;
  for (int i = 0; i < 2; ++i) {
    BodyOptions options = material(restitution, friction);
    options.density = random.uniform(0.2, 5);
    const Quaternion rotation = rotation_about(random.direction(), random.uniform(0, 3));
    ids.push_back(world.add(random_mesh(random), {{}, rotation}, options));
  }
  const Vec3d direction = random.direction();
  const double apart = world.body(ids[0]).reach + world.body(ids[1]).reach + 0.05;
  const Vec3d aside = cross(direction, random.direction()) * 0.4;
  world.body(ids[1]).pose.translation = direction * apart + aside;
  for (int i = 0; i < 2; ++i) {
    RigidBody& b = world.body(ids[static_cast<std::size_t>(i)]);
    b.velocity = direction * (i == 0 ? 1 : -1) * random.uniform(1, 4);
    b.angular_velocity = random.direction() * random.uniform(0, 4);
  }
  return world;
}

TEST(FreeCollision, KeepsMomentumAndNeverGainsEnergy) {
  Random random(11);
  int collisions = 0, exact = 0;
  double worst_momentum = 0, worst_angular = 0, worst_energy = 0;
  for (int n = 0; n < 300; ++n) {
    RigidWorld world = random_collision(random, n % 3 == 0 ? 1 : random.uniform());
    const Vec3d p = world.momentum();
    bool hit = false;
    for (int i = 0; i < 60; ++i) {
      const Vec3d l = world.angular_momentum();
      const double energy = world.kinetic_energy();
      world.step(kFrame);
      worst_momentum = std::max(worst_momentum, length(world.momentum() - p) / (1 + length(p)));
      worst_energy = std::max(worst_energy, world.kinetic_energy() / energy - 1);
      // The push-out moves bodies that are inside one another: that alone may change the angular momentum.
      if (world.report().pushed_count == 0)
        worst_angular = std::max(worst_angular, length(world.angular_momentum() - l) / (1 + length(l)));
      if (world.report().impulse_count == 0) continue;
      hit = true;
      exact += world.report().pushed_count == 0;
    }
    collisions += hit;
  }
  EXPECT_LT(worst_momentum, 1e-12);
  EXPECT_LT(worst_angular, 1e-12);
  EXPECT_LT(worst_energy, 1e-12);
  EXPECT_GT(collisions, 200);
  EXPECT_GT(exact, collisions);
  std::printf("%d collisions; relative change of momentum %.1e, angular momentum %.1e, gain of energy %.1e\n",
              collisions, worst_momentum, worst_angular, worst_energy);
}

TEST(FreeCollision, LeavesBodiesApart) {
  Random random(12);
  for (int n = 0; n < 40; ++n) {
    RigidWorld world = random_collision(random, 0.5);
    for (int i = 0; i < 120; ++i) world.step(kFrame);
    double depth = 0;
    for (const Contact& c : world.result().contacts) depth = std::max(depth, double{c.depth});
    EXPECT_LT(depth, 0.05) << "case " << n;
  }
}

TEST(FreeCollision, ElasticSpheresSwapVelocities) {
  RigidWorld world(coarse(), kWeightless);
  const Mesh ball = scenes::sphere(3000, 0.5f);
  const ObjectId a = world.add(ball, at(-1, 0, 0), material(1, 0));
  const ObjectId b = world.add(ball, at(1, 0, 0), material(1, 0));
  world.body(a).velocity = {2, 0, 0};
  run(world, 1.5);
  EXPECT_NEAR(world.body(a).velocity.x, 0, 0.02);
  EXPECT_NEAR(world.body(b).velocity.x, 2, 0.02);
  // Facets turn the normal by up to their angle.
  EXPECT_LT(length(world.body(a).velocity), 0.2);
}

TEST(FreeCollision, PlasticSpheresGoOnTogether) {
  RigidWorld world(coarse(), kWeightless);
  const Mesh ball = scenes::sphere(3000, 0.5f);
  const ObjectId a = world.add(ball, at(-1, 0, 0), material(0, 0));
  const ObjectId b = world.add(ball, at(1, 0, 0), material(0, 0));
  world.body(a).velocity = {2, 0, 0};
  run(world, 1.5);
  EXPECT_NEAR(world.body(a).velocity.x, 1, 0.02);
  EXPECT_NEAR(world.body(b).velocity.x, 1, 0.02);
}

TEST(FreeCollision, ALightBodyBouncesOffAHeavyOneAsTheTextbookSays) {
  RigidWorld world(coarse(), kWeightless);
  const Mesh ball = scenes::sphere(3000, 0.5f);
  BodyOptions heavy = material(1, 0);
  heavy.density = 10;
  const ObjectId a = world.add(ball, at(-1, 0, 0), material(1, 0));
  const ObjectId b = world.add(ball, at(1, 0, 0), heavy);
  world.body(a).velocity = {2, 0, 0};
  run(world, 1.5);
  EXPECT_NEAR(world.body(a).velocity.x, 2 * (1 - 10.0) / 11, 0.03);
  EXPECT_NEAR(world.body(b).velocity.x, 4.0 / 11, 0.03);
}

TEST(Fall, EnergyDoesNotGrow) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    RigidWorld world(coarse());
    add_ground(world, 1, 0, 8);
    Random random(4);
    for (int i = 0; i < 6; ++i)
      world.add(random_mesh(random),
                {{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 1.5 + 2.5 * i},
                 rotation_about(random.direction(), random.uniform(0, 3))},
                material(restitution, 0.4));
    const auto energy = [&] { return world.kinetic_energy() + world.potential_energy(); };
    const double start = energy();
    double last = start, risen = 0;
    for (int i = 0; i < 300; ++i) {
      world.step(kFrame);
      const double now = energy();
      // Impulses and gravity only ever take energy; bodies that are pushed out of others may rise a little.
      if (world.report().pushed_count == 0) {
        EXPECT_LE(now, last + 1e-9 * start) << "step " << i;
      }
      risen += std::max(0.0, now - last);
      last = now;
    }
    EXPECT_LT(risen, 1e-3 * start) << restitution;
  }
}

TEST(Fall, RestitutionIsWhatComesBack) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    RigidWorld world(coarse());
    add_ground(world);
    const ObjectId ball = world.add(scenes::sphere(3000, 0.5f), at(0.01, 0.02, 2), material(restitution, 0));
    double down = 0, up = 0;
    for (int i = 0; i < 80; ++i) {
      world.step(kFrame);
      const double v = world.body(ball).velocity.z;
      down = std::min(down, v);
      up = std::max(up, v);
    }
    // One step of gravity may be added to either.
    EXPECT_NEAR(up, -restitution * down, 2 * 9.81 * kFrame + 0.02) << restitution;
  }
}

}  // namespace
}  // namespace lamella
