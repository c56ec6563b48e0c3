// Bodies that are added and removed, and objects of the scene that are no bodies.
#include <gtest/gtest.h>

#include <bit>

#include "lamella/error.hpp"
#include "response/slots.hpp"
#include "response/worlds.hpp"

namespace lamella {
namespace {

const Mesh kBox = scenes::box(12, {0.5f, 0.5f, 0.5f});

std::vector<std::uint64_t> bits_of(const RigidWorld& world, const std::vector<ObjectId>& ids) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
  for (const ObjectId id : ids) {
    const RigidBody& b = world.body(id);
    const Quaternion q = b.pose.rotation;
    for (const Vec3d v : {b.pose.translation, b.velocity, b.angular_velocity, Vec3d{q.x, q.y, q.z}})
      for (int k = 0; k < 3; ++k) add(v[k]);
  }
  add(world.kinetic_energy());
  add(world.potential_energy());
  return bits;
}

TEST(BodySlots, ComeInTheOrderOfAdding) {
  response::BodySlots slots;
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(slots.add({3 * i}), i);
  EXPECT_EQ(slots.find({42}), 14u);
  EXPECT_EQ(slots.find({43}), std::nullopt);
  EXPECT_EQ(slots.object(14), ObjectId{42});
}

TEST(BodySlots, AreGivenAgainTheLowestFirst) {
  response::BodySlots slots;
  for (std::uint32_t i = 0; i < 5; ++i) slots.add({i});
  for (const std::uint32_t i : {1u, 4u, 0u, 3u}) slots.remove({i});
  EXPECT_EQ(slots.object(3), std::nullopt);
  EXPECT_EQ(slots.find({3}), std::nullopt);
  EXPECT_EQ(slots.find({2}), 2u);
  std::vector<std::uint32_t> given;
  for (std::uint32_t i = 5; i < 10; ++i) given.push_back(slots.add({i}));
  EXPECT_EQ(given, (std::vector<std::uint32_t>{0, 1, 3, 4, 5}));
}

TEST(BodySlots, AreNoMoreThanBodiesAtOnce) {
  response::BodySlots slots;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    slots.add({i});
    if (i >= 7) slots.remove({i - 7});
  }
  EXPECT_EQ(slots.size(), 8u);
}

TEST(RigidWorld, IsAsNewAfterManyBodiesCameAndWent) {
  const auto bits_after = [](int cycles) {
    RigidWorld world(coarse());
    add_ground(world, 0.3, 0.5);
    for (int i = 0; i < cycles; ++i) {
      const ObjectId passing = world.add(kBox, at(0.1, 0.2, 0.4), material(0.3, 0.5));
      if (i % 1000 == 999) world.step(kFrame);
      world.remove(passing);
    }
    std::vector<ObjectId> ids;
    for (int i = 0; i < 3; ++i)
      ids.push_back(world.add(kBox, {{0.1 * i, 0, 0.6 + 1.1 * i}, rotation_about({1, 2, 3}, 0.1 * i)}));
    run(world, 1);
    EXPECT_FALSE(world.result().contacts.empty());
    return bits_of(world, ids);
  };
  EXPECT_EQ(bits_after(20000), bits_after(0));
}

TEST(RigidWorld, RemovingABodyLeavesTheOthersAlone) {
  RigidWorld world(coarse());
  std::vector<ObjectId> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(world.add(kBox, at(3 * i, 0, 0)));
  for (int i = 0; i < 4; ++i) world.body(ids[static_cast<std::size_t>(i)]).velocity = {0, 1.0 * i, 0};
  world.remove(ids[1]);
  world.remove(ids[2]);
  EXPECT_DOUBLE_EQ(world.momentum().y, 3);
  const ObjectId next = world.add(kBox, at(0, 0, 9));
  EXPECT_DOUBLE_EQ(world.momentum().y, 3);
  run(world, 0.5);
  EXPECT_DOUBLE_EQ(world.body(ids[0]).velocity.y, 0);
  EXPECT_DOUBLE_EQ(world.body(ids[3]).velocity.y, 3);
  EXPECT_DOUBLE_EQ(center_of(world, ids[3]).x, 9);
  EXPECT_NEAR(center_of(world, next).z, 9 + center_of(world, ids[0]).z, 1e-9);
  for (const ObjectId gone : {ids[1], ids[2]}) EXPECT_THROW((void)world.body(gone), Error);
  EXPECT_THROW(world.remove(ids[1]), Error);
}

TEST(RigidWorld, ObjectsOfTheSceneThatAreNoBodiesStopNothing) {
  RigidWorld world(coarse());
  const ObjectId below_all = world.scene().add(kBox, at(0, 0, 0));
  const ObjectId ball = world.add(scenes::sphere(300, 0.3f), at(0, 0, 0.2));
  const ObjectId above_all = world.scene().add(kBox, at(0.2, 0, 0.1));
  world.step(kFrame);
  const std::vector<ScenePair> seen = world.result().pairs;
  ASSERT_EQ(seen.size(), 3u);  // with each of the two, which share a volume as well
  EXPECT_EQ(world.report().impulse_count, 0u);
  run(world, 1 - kFrame);
  EXPECT_NEAR(center_of(world, ball).z, 0.2 - 9.81 * 60 * 61 / 2 * kFrame * kFrame, 1e-6);
  for (const ObjectId stranger : {below_all, above_all}) EXPECT_THROW((void)world.body(stranger), Error);
}

TEST(RigidWorld, RefusesASceneThatMakesNoContacts) {
  SceneOptions options = coarse();
  options.max_contacts = 0;
  EXPECT_THROW(RigidWorld{options}, Error);
  options.max_contacts = 1;
  EXPECT_NO_THROW(RigidWorld{options});
}

TEST(RigidWorld, AFixedBodyMayBeEmpty) {
  RigidWorld world(coarse());
  const ObjectId empty = world.add(Mesh{}, at(1, 2, 3), fixed());
  const ObjectId box = world.add(kBox, at(1, 2, 3));
  EXPECT_EQ(world.body(empty).center, Vec3d{});
  EXPECT_EQ(world.body(empty).reach, 0);
  EXPECT_EQ(world.body(empty).thickness, 0);
  world.step(kFrame);
  EXPECT_EQ(world.body(empty).pose.translation, (Vec3d{1, 2, 3}));
  world.body(empty).velocity = {600, 0, 0};
  world.body(empty).angular_velocity = {0, 0, 1};
  world.step(kFrame);
  EXPECT_EQ(world.report().substep_count, 1u);
  EXPECT_FALSE(world.report().over_limit);
  EXPECT_NEAR(world.body(empty).pose.translation.x, 11, 1e-9);
  EXPECT_NEAR(world.body(box).velocity.z, -2 * 9.81 * kFrame, 1e-12);
}

}  // namespace
}  // namespace lamella
