#include <gtest/gtest.h>

#include "response/worlds.hpp"
#include "support/allocations.hpp"

namespace lamella {
namespace {

TEST(RigidWorld, AllocatesNothingOnceWarm) {
  RigidWorld world(coarse());
  add_ground(world, 0.2, 0.5);
  for (int i = 0; i < 4; ++i)
    world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), at(0.02 * i, 0, 0.5 + 1.01 * i), material(0.2, 0.5));
  const ObjectId ball = world.add(scenes::sphere(500, 0.4f), at(2, 0, 0.41), material(0.2, 0.5));
  world.body(ball).velocity = {0, 0.3, 0};
  run(world, 2);
  // The ball rolls on, and the scene's buffers grow until they have seen its worst placement.
  std::size_t allocations = 1;
  for (int second = 0; second < 10 && allocations != 0; ++second)
    allocations = test::allocations_of([&] {
      for (int i = 0; i < 60; ++i) world.step(kFrame);
    });
  EXPECT_EQ(allocations, 0u);
  EXPECT_GT(world.report().impulse_count, 0u);
}

}  // namespace
}  // namespace lamella
