// A box on a slope and on a level, against what Coulomb's law says of a point mass.
#include <gtest/gtest.h>

#include "response/algebra.hpp"
#include "response/worlds.hpp"

namespace lamella {
namespace {

using response::operator*;

constexpr double kGravity = 9.81;

struct Slope {
  RigidWorld world{coarse()};
  ObjectId box;
  Vec3d down;  ///< along the slope

  Slope(double degrees, double friction, double yaw = 0) {
    const double angle = degrees * kPi / 180;
    const Quaternion tilt = rotation_about({0, 1, 0}, angle);
    down = apply({{}, tilt}, Vec3d{1, 0, 0});
    const Vec3d normal = apply({{}, tilt}, Vec3d{0, 0, 1});
    world.add(scenes::box(12, {12, 3, 0.5f}), {normal * -0.5, tilt}, fixed(0, 0));
    box = world.add(scenes::box(12, {0.5f, 0.5f, 0.25f}), {normal * 0.2505, rotation_about(normal, yaw) * tilt},
                    material(0, friction));
  }

  /// How far it has gone down the slope after `seconds`.
  double travel(double seconds) {
    const Vec3d start = center_of(world, box);
    run(world, seconds);
    return dot(center_of(world, box) - start, down);
  }
};

TEST(Friction, HoldsABoxOnASlopeWithinTheCone) {
  // tan 20 degrees is 0.364
  for (const double friction : {0.40, 0.6, 1.0}) {
    Slope slope(20, friction);
    EXPECT_LT(std::abs(slope.travel(3)), 0.005) << friction;
  }
}

TEST(Friction, LetsABoxSlideBeyondTheConeAsFarAsTheorySays) {
  const double angle = 20 * kPi / 180;
  for (const double friction : {0.0, 0.1, 0.25, 0.33}) {
    Slope slope(20, friction);
    const double seconds = 1.5;
    const double wanted = kGravity * (std::sin(angle) - friction * std::cos(angle)) * seconds * seconds / 2;
    // Positions move by the new velocity: a step more of it than in theory. Friction acts at the bottom of the box and
    // turns it into the slope, which shifts load but not its sum.
    const double discrete = wanted * (1 + kFrame / seconds);
    EXPECT_NEAR(slope.travel(seconds), discrete, 0.03 * discrete + 0.01) << friction;
  }
}

TEST(Friction, DoesNotDependOnHowTheBoxIsTurned) {
  const double angle = 20 * kPi / 180, seconds = 1.5;
  for (const double yaw : {0.3, 0.7, 1.2}) {
    Slope slope(20, 0.2, yaw);
    const double wanted = kGravity * (std::sin(angle) - 0.2 * std::cos(angle)) * seconds * (seconds + kFrame) / 2;
    EXPECT_NEAR(slope.travel(seconds), wanted, 0.03 * wanted) << yaw;
  }
}

TEST(Friction, StopsASlidingBoxWhereTheorySays) {
  for (const double friction : {0.2, 0.5}) {
    RigidWorld world(coarse());
    add_ground(world, 0, 0, 12);
    const ObjectId box = world.add(scenes::box(12, {0.5f, 0.5f, 0.25f}), at(-3, 0, 0.2501), material(0, friction));
    world.body(box).velocity = {3, 0, 0};
    run(world, 5);
    const double wanted = 9.0 / (2 * friction * kGravity);
    EXPECT_NEAR(center_of(world, box).x + 3, wanted, 0.04 * wanted) << friction;
    EXPECT_LT(length(world.body(box).velocity), 1e-3);
    EXPECT_LT(std::abs(center_of(world, box).y), 0.02);
  }
}

TEST(Friction, OfAMovingFloorCarriesABoxAlong) {
  RigidWorld world(coarse());
  const ObjectId floor = add_ground(world, 0, 0.8, 8);
  const ObjectId box = world.add(scenes::box(12, {0.5f, 0.5f, 0.25f}), at(0, 0, 0.2501), material(0, 0));
  world.body(floor).velocity = {1, 0, 0};
  run(world, 2);
  EXPECT_NEAR(world.body(box).velocity.x, 1, 0.01);
  EXPECT_NEAR(world.body(floor).pose.translation.x, 2, 1e-9);
}

TEST(MovedByHand, ALiftCarriesAStackWithIt) {
  RigidWorld world(coarse());
  const ObjectId floor = add_ground(world, 0, 0.5);
  std::vector<ObjectId> boxes;
  for (int i = 0; i < 3; ++i)
    boxes.push_back(world.add(scenes::box(12, {0.5f, 0.5f, 0.25f}), at(0, 0, 0.25 + 0.5 * i), material(0, 0.5)));
  world.body(floor).velocity = {0, 0, 1};
  run(world, 2);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_NEAR(world.body(boxes[i]).velocity.z, 1, 1e-3);
    EXPECT_NEAR(center_of(world, boxes[i]).z, 2.25 + 0.5 * double(i), 0.01);
  }
}

}  // namespace
}  // namespace lamella
