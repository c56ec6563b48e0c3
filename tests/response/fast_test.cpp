// Bodies at any speed: nothing passes through anything.
#include <gtest/gtest.h>

#include <cmath>

#include "response/worlds.hpp"

namespace lamella {
namespace {

SceneOptions fitted() {
  SceneOptions options;
  options.resolution = 64;
  options.threads = 1;
  options.points = false;
  return options;
}

double energy_of(const RigidWorld& world) { return world.kinetic_energy() + world.potential_energy(); }

TEST(Fast, ABallHitsAThinPlateAtAnySpeed) {
  scenes::Random random(3);
  for (const bool own_grids : {true, false})
    for (const float half_thickness : {0.1f, 0.005f, 0.0005f})
      for (const double thicknesses : {1.0, 30.0, 1e3, 1e4, 1e6}) {  // of the ball, in a step
        RigidWorld world(own_grids ? fitted() : coarse(), {.gravity = {}});
        world.add(scenes::box(12, {1, 1, half_thickness}), {}, fixed());
        const ObjectId ball =
            world.add(scenes::sphere(300, 0.25f), at(0.1, -0.2, 2 + random.uniform()), material(0.5, 0));
        RigidBody& b = world.body(ball);
        const double speed = thicknesses * b.thickness / kFrame;
        b.velocity = {0, 0, -speed};
        const double before = world.kinetic_energy();
        for (int i = 0; i < 8 && world.body(ball).velocity.z < 0; ++i) {
          world.step(kFrame);
          ASSERT_GT(center_of(world, ball).z, 0)
              << "plate of " << 2 * half_thickness << ", " << thicknesses << " thicknesses, own grids " << own_grids;
          EXPECT_LE(world.kinetic_energy(), before * (1 + 1e-12));
        }
        // Its facets turn it: less than half is left.
        EXPECT_GT(world.body(ball).velocity.z, 0.3 * speed) << "it bounces";
        EXPECT_LT(world.body(ball).velocity.z, 0.51 * speed);
      }
}

TEST(Fast, BodiesOfAllShapesStayAboveAPlate) {
  scenes::Random random(4);
  for (int n = 0; n < 24; ++n) {
    RigidWorld world(fitted(), {.gravity = {}});
    world.add(scenes::box(12, {4, 4, 0.01f}), {}, fixed());
    const Mesh mesh = n % 3 == 0   ? scenes::box(12, {0.25f, 0.2f, 0.15f})
                      : n % 3 == 1 ? scenes::torus(800, 0.4f, 0.12f)
                                   : scenes::blob(600, 5);
    const ObjectId id =
        world.add(mesh, {{0, 0, 3}, rotation_about(random.direction(), random.uniform(0, 3))}, material(0.5, 0.3));
    world.body(id).angular_velocity = random.direction() * 10.0;
    world.body(id).velocity =
        Vec3d{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), -1} * random.uniform(100, 1e5);
    const double before = world.kinetic_energy();
    for (int i = 0; i < 3; ++i) {
      world.step(kFrame);
      ASSERT_GT(center_of(world, id).z, 0) << "case " << n << ", step " << i;
      EXPECT_LE(world.kinetic_energy(), before * (1 + 1e-12));
    }
    EXPECT_GT(world.body(id).velocity.z, 0) << "case " << n;
  }
}

TEST(Fast, TwoThatApproachCollideAndKeepTheirMomentum) {
  for (const double speed : {200.0, 2e4, 2e6}) {
    RigidWorld world(fitted(), {.gravity = {}});
    const ObjectId a = world.add(scenes::sphere(400, 0.25f), at(0, 0, 3), material(1, 0));
    const ObjectId b = world.add(scenes::sphere(400, 0.25f), at(0.01, 0.02, -3), material(1, 0));
    world.body(a).velocity = {0, 0, -speed};
    world.body(b).velocity = {0, 0, 2 * speed};
    const Vec3d momentum = world.momentum();
    const double energy = world.kinetic_energy();
    world.step(kFrame);
    EXPECT_GT(center_of(world, a).z, center_of(world, b).z);
    EXPECT_GT(world.body(a).velocity.z, world.body(b).velocity.z) << "they part";
    EXPECT_LT(length(world.momentum() - momentum), 1e-9 * speed);
    EXPECT_LE(world.kinetic_energy(), energy * (1 + 1e-12));
    EXPECT_GT(world.kinetic_energy(), 0.9 * energy);
  }
}

TEST(Fast, AMissStaysAMiss) {
  for (const double aside : {0.51, 0.5001}) {
    RigidWorld world(fitted(), {.gravity = {}});
    world.add(scenes::sphere(2000, 0.25f), {}, fixed());
    const ObjectId ball = world.add(scenes::sphere(2000, 0.25f), at(aside, 0, 5), {});
    world.body(ball).velocity = {0, 0, -1e4};
    world.step(kFrame);
    EXPECT_EQ(world.body(ball).velocity, (Vec3d{0, 0, -1e4}));
    EXPECT_NEAR(center_of(world, ball).z, 5 - 1e4 * kFrame, 1e-6);
    EXPECT_EQ(world.report().impulse_count, 0u);
  }
}

TEST(Fast, ABodyThatIsHitDoesNotPassThroughAThinWallBehindIt) {
  RigidWorld world(fitted(), {.gravity = {}});
  const ObjectId wall = world.add(scenes::box(12, {2, 2, 0.0005f}), at(0, 0, -0.3), fixed());
  const ObjectId light = world.add(scenes::sphere(400, 0.25f), {}, material(1, 0));
  BodyOptions heavy = material(1, 0);
  heavy.density = 100;
  const ObjectId hammer = world.add(scenes::sphere(400, 0.25f), at(0, 0, 4), heavy);
  world.body(hammer).velocity = {0, 0, -3e3};
  const double before = world.kinetic_energy();
  for (int i = 0; i < 4; ++i) {
    world.step(kFrame);
    EXPECT_GT(center_of(world, light).z, -0.3);
    EXPECT_GT(center_of(world, hammer).z, -0.3);
    EXPECT_LE(world.kinetic_energy(), before * (1 + 1e-12));
  }
  EXPECT_EQ(world.body(wall).pose.translation.z, -0.3);
}

TEST(Fast, AStepThatNeedsMoreSubstepsThanAllowedIsNotFinished) {
  // Between two plates, thousands of bounces a step.
  RigidWorld world(fitted(), {.gravity = {}});
  for (const double z : {-0.5, 0.5}) world.add(scenes::box(12, {2, 2, 0.05f}), at(0, 0, z), fixed());
  const ObjectId box = world.add(scenes::box(12, {0.25f, 0.25f, 0.25f}), {}, material(1, 0));
  world.body(box).velocity = {0, 0, 1e5};
  for (int i = 0; i < 5; ++i) {
    world.step(kFrame);
    EXPECT_EQ(world.report().substep_count, 16u);
    EXPECT_GT(world.report().seconds_left, 0);
    EXPECT_LT(world.report().seconds_left, kFrame);
    EXPECT_LT(std::abs(center_of(world, box).z), 0.25);
  }
}

TEST(Fast, ABodyThatFallsFastLandsOnAThinFloor) {
  RigidWorld world(fitted());
  world.add(scenes::box(12, {3, 3, 0.002f}), {}, fixed(0.3, 0.5));
  const ObjectId box = world.add(scenes::box(12, {0.3f, 0.3f, 0.3f}), at(0, 0, 400), material(0.3, 0.5));
  world.body(box).velocity = {0, 0, -500};
  double energy = energy_of(world);
  for (int i = 0; i < 40; ++i) {
    world.step(kFrame);
    ASSERT_GT(center_of(world, box).z, 0.2);
    EXPECT_LE(energy_of(world), energy * (1 + 1e-6) + 1e-6);
    energy = energy_of(world);
  }
}

}  // namespace
}  // namespace lamella
