// Bodies that are deep inside each other come apart, without motion.
#include <gtest/gtest.h>

#include <cmath>

#include "lamella/query.hpp"
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

double volume_of(RigidWorld& world, ObjectId a, ObjectId b) {
  const auto placed = [&](ObjectId id) { return transformed(world.scene().mesh(id), world.body(id).pose); };
  return intersect(placed(a), placed(b), {.resolution = 256, .threads = 1, .keep_spans = false}).volume;
}

Mesh any_model(scenes::Random& random) {
  const char* const names[] = {"torus_knot", "serpent", "hand", "phone", "blob", "torus", "hat", "rabbit", "box"};
  return scenes::make_model(names[random.next() % std::size(names)], 1200);
}

TEST(WaysOut, TwoDeepBoxesLeaveByTheShortestWay) {
  for (const bool one_fixed : {false, true}) {
    RigidWorld world(fitted(), {.gravity = {}});
    const ObjectId a = world.add(scenes::box(12, {1, 1, 1}), {}, one_fixed ? fixed() : BodyOptions{});
    const ObjectId b = world.add(scenes::box(12, {1, 1, 1}), at(0.3, 0.2, 1.2), {});
    for (int i = 0; i < 8; ++i) world.step(kFrame);
    EXPECT_TRUE(world.scene().collide().pairs.empty());
    EXPECT_EQ(world.kinetic_energy(), 0);
    const Vec3d apart = world.body(b).pose.translation - world.body(a).pose.translation;
    EXPECT_NEAR(apart.z, 2, 0.01);
    EXPECT_NEAR(apart.x, 0.3, 0.05);
    EXPECT_NEAR(apart.y, 0.2, 0.05);
    EXPECT_EQ(world.body(a).pose.translation == Vec3d{}, one_fixed);
  }
}

TEST(WaysOut, RandomDeepPairsSeparateWithinThirtyFramesAtRest) {
  scenes::Random random(11);
  int pairs = 0;
  for (int n = 0; pairs < 8; ++n) {
    RigidWorld world(fitted(), {.gravity = {}});
    const auto turn = [&] { return rotation_about(random.direction(), random.uniform(0, 3)); };
    const bool one_fixed = pairs % 2 == 1;
    const ObjectId a = world.add(any_model(random), {{}, turn()}, one_fixed ? fixed() : BodyOptions{});
    const ObjectId b = world.add(any_model(random), {random.direction() * random.uniform(0.1, 0.5), turn()}, {});
    if (volume_of(world, a, b) < 0.01) continue;
    ++pairs;
    const auto middle = [&] {
      const double ma = 1 / world.body(a).inverse_mass, mb = 1 / world.body(b).inverse_mass;
      return (center_of(world, a) * ma + center_of(world, b) * mb) * (1 / (ma + mb));
    };
    const Vec3d before = one_fixed ? Vec3d{} : middle();
    for (int i = 0; i < 30; ++i) {
      world.step(kFrame);
      ASSERT_EQ(world.kinetic_energy(), 0) << "pair " << n;
    }
    EXPECT_EQ(volume_of(world, a, b), 0) << "pair " << n;
    if (one_fixed) continue;
    EXPECT_LT(length(middle() - before), 1e-9) << "what they have in common stays where it is";
  }
}

TEST(WaysOut, AreNotTakenByBodiesThatTouch) {
  RigidWorld world(fitted());
  add_ground(world, 0.3, 0.5);
  for (int i = 0; i < 3; ++i)
    world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), at(0.02 * i, 0, 0.6 + 1.1 * i), material(0.3, 0.5));
  std::uint32_t ways = 0;
  for (int i = 0; i < 120; ++i) {
    world.step(kFrame);
    ways += world.report().way_count;
  }
  EXPECT_EQ(ways, 0u);
}

TEST(WaysOut, ABodyInTheGroundComesUpWithoutAJump) {
  RigidWorld world(fitted());
  add_ground(world, 0.3, 0.5);
  const ObjectId box = world.add(scenes::box(12, {0.3f, 0.3f, 0.3f}), at(0, 0, -0.1), material(0.3, 0.5));
  for (int i = 0; i < 60; ++i) {
    world.step(kFrame);
    EXPECT_LT(length(world.body(box).velocity), 1) << "step " << i;
  }
  EXPECT_NEAR(center_of(world, box).z, 0.3, 0.01);
}

TEST(WaysOut, CanBeTurnedOff) {
  RigidWorld world(fitted(), {.gravity = {}, .ways_out = false});
  world.add(scenes::box(12, {1, 1, 1}));
  world.add(scenes::box(12, {1, 1, 1}), at(0.3, 0.2, 1));
  world.step(kFrame);
  EXPECT_EQ(world.report().way_count, 0u);
}

}  // namespace
}  // namespace lamella
