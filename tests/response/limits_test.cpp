// Fast bodies, long runs, repeatable results.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "lamella/error.hpp"
#include "response/worlds.hpp"
#include "support/errors.hpp"
#include "support/sanitizers.hpp"

namespace lamella {
namespace {

Mesh fast_mesh(int shape, std::uint32_t seed) {
  switch (shape) {
    case 0:
      return scenes::sphere(600, 0.25f);
    case 1:
      return scenes::box(12, {0.25f, 0.2f, 0.15f});
    case 2:
      return scenes::torus(800, 0.4f, 0.12f);
    default:
      return scenes::blob(600, seed);
  }
}

TEST(SpeedLimit, NothingTunnelsAtIt) {
  scenes::Random random(5);
  for (const float half_thickness : {0.5f, 0.1f, 0.05f})
    for (int n = 0; n < 40; ++n) {
      RigidWorld world(coarse(), {.gravity = {}});
      world.add(scenes::box(12, {4, 4, half_thickness}), {}, fixed());
      const Vec3d place{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(2, 2.3)};
      const ObjectId id =
          world.add(fast_mesh(n % 4, static_cast<std::uint32_t>(n)),
                    {place, rotation_about(random.direction(), random.uniform(0, 3))}, material(0.5, 0.3));
      RigidBody& b = world.body(id);
      b.angular_velocity = random.direction() * 10.0;
      const Vec3d direction{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), -1};
      const double limit = world.options().max_substeps * b.thickness / (2 * kFrame);
      b.velocity = direction * ((limit - 10 * b.reach) / length(direction));
      world.step(kFrame / 16);
      // A sixteenth of a step is one part, and no longer could be; two where it ends at a touch.
      ASSERT_LE(world.report().substep_count, 2u);
      for (int i = 0; i < 20; ++i) {
        world.step(kFrame);
        ASSERT_GT(center_of(world, id).z, 0) << "slab of " << 2 * half_thickness << ", case " << n;
      }
      EXPECT_GT(center_of(world, id).z, 0.3);
    }
}

TEST(SpeedLimit, TwoBodiesAtItDoNotPassThroughEachOther) {
  for (int n = 0; n < 24; ++n) {
    RigidWorld world(coarse(), {.gravity = {}});
    const ObjectId a = world.add(scenes::sphere(600, 0.25f), at(0, 0, 2 + 0.017 * n), material(0.5, 0.3));
    const ObjectId b = world.add(scenes::box(12, {0.5f, 0.5f, 0.1f}), at(0, 0, -2), material(0.5, 0.3));
    world.body(a).velocity = {0, 0, -world.options().max_substeps * world.body(a).thickness / (2 * kFrame)};
    world.body(b).velocity = {0, 0, world.options().max_substeps * world.body(b).thickness / (2 * kFrame)};
    for (int i = 0; i < 30; ++i) world.step(kFrame);
    EXPECT_GT(center_of(world, a).z, center_of(world, b).z) << "case " << n;
  }
}

TEST(SpeedLimit, IsNoneForABodyThatMeetsNobody) {
  RigidWorld world(coarse(), {.gravity = {}});
  const ObjectId id = world.add(scenes::sphere(200), {}, {});
  const double limit = 16 * world.body(id).thickness / (2 * kFrame);
  world.body(id).velocity = {1.01 * limit, 0, 0};
  world.step(kFrame);
  EXPECT_FALSE(world.report().over_limit);
  EXPECT_EQ(world.report().substep_count, 1u);
  EXPECT_EQ(world.report().seconds_left, 0);
  EXPECT_NEAR(center_of(world, id).x, 1.01 * limit * kFrame, 1e-6);
  world.body(id).velocity = {};
  world.body(id).angular_velocity = {1.01 * limit / world.body(id).reach, 0, 0};
  world.step(kFrame);
  EXPECT_FALSE(world.report().over_limit);
  EXPECT_EQ(world.report().substep_count, 16u);
  EXPECT_EQ(world.report().seconds_left, 0);
}

TEST(SpeedLimit, IsReportedForATopThatSpinsTooFastOnTheGround) {
  RigidWorld world(coarse());
  add_ground(world);
  const ObjectId id = world.add(scenes::box(12, {0.5f, 0.5f, 0.25f}), at(0, 0, 0.25), material(0, 0));
  run(world, 0.2);
  EXPECT_FALSE(world.report().over_limit);
  world.body(id).angular_velocity = {0, 0, 3000};
  world.step(kFrame);
  EXPECT_TRUE(world.report().over_limit);
  EXPECT_EQ(world.report().seconds_left, 0);
  EXPECT_NEAR(center_of(world, id).z, 0.25, 0.02);
}

/// Six slabs around a room of side 4.
void add_room(RigidWorld& world, double restitution, double friction) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      Vec3 half{2.5f, 2.5f, 2.5f};
      half[axis] = 0.25f;
      Vec3d place;
      place[axis] = 2.25 * side;
      world.add(scenes::box(12, half), {place, {}}, fixed(restitution, friction));
    }
}

TEST(Hour, OfTumblingBoxesLeavesNoNaNAndNobodyOutside) {
  const double step = 1.0 / 30;
  RigidWorld world(coarse(0.2f));
  add_room(world, 0.5, 0.4);
  std::vector<ObjectId> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(
        world.add(scenes::box(12, {0.3f, 0.25f, 0.2f}), at(-1.2 + 0.8 * i, 0.1 * i, 0.5 * i), material(0.5, 0.4)));
  // Gravity turns, a full round in 20 seconds: the room tumbles.
  Vec3d g{0, 0, -9.81}, h{0, 9.81, 0};
  const double turn = 2 * kPi / 20 * step;
  const int seconds = test::kSanitized ? 120 : 3600;  // which take ten times as long there
  for (int i = 0; i < seconds * 30; ++i) {
    const Vec3d next = g + h * turn;
    h = h - g * turn;
    g = next * (9.81 / length(next));
    h = h * (9.81 / length(h));
    world.set_gravity(g);
    world.step(step);
    if (i % 100 == 0)
      for (const ObjectId id : ids) {
        const Vec3d c = center_of(world, id);
        ASSERT_TRUE(std::isfinite(c.x + c.y + c.z)) << "step " << i;
        ASSERT_LT(std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)}), 2.0) << "step " << i;
        ASSERT_LT(length(world.body(id).velocity), 100) << "step " << i;
      }
  }
}

std::vector<std::uint64_t> final_bits(unsigned threads) {
  SceneOptions options = coarse();
  options.threads = threads;
  RigidWorld world(options);
  add_ground(world, 0.3, 0.5);
  std::vector<ObjectId> ids;
  for (int i = 0; i < 6; ++i)
    ids.push_back(world.add(i % 2 == 0 ? scenes::blob(800, static_cast<std::uint32_t>(i)) : scenes::torus_knot(1500),
                            {{0.2 * i, -0.1 * i, 1.5 + 2.2 * i}, rotation_about({1, 1, 0.2 * i}, i)},
                            material(0.4, 0.5)));
  run(world, 3);
  std::vector<std::uint64_t> bits;
  for (const ObjectId id : ids) {
    const RigidBody& b = world.body(id);
    for (const Vec3d v : {b.pose.translation, b.velocity, b.angular_velocity})
      for (int k = 0; k < 3; ++k) bits.push_back(std::bit_cast<std::uint64_t>(v[k]));
  }
  return bits;
}

TEST(Determinism, TheSameBitsInEveryRunAndForAnyNumberOfThreads) {
  const auto once = final_bits(1);
  EXPECT_EQ(once, final_bits(1));
  EXPECT_EQ(once, final_bits(2));
}

TEST(RigidWorld, RefusesWhatCannotBe) {
  RigidWorld world(coarse());
  const ObjectId id = world.add(scenes::box(12));
  EXPECT_THROW(world.step(0), Error);
  EXPECT_THROW(world.step(-1), Error);
  EXPECT_THROW((void)world.body({7}), Error);
  EXPECT_THROW((void)world.add(scenes::box(12), {}, material(1.1, 0)), Error);
  EXPECT_THROW((void)world.add(scenes::box(12), {}, material(0, -1)), Error);
  EXPECT_THROW(world.step(std::numeric_limits<double>::infinity()), Error);
  world.body(id).velocity.x = std::nan("");
  EXPECT_THROW(world.step(kFrame), Error);
  world.remove(id);
  EXPECT_THROW((void)world.body(id), Error);
  world.step(kFrame);
}

TEST(RigidWorld, RefusesABodyWhoseStateWasSpoilt) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<const char*, std::function<void(RigidBody&)>>> spoilers{
      {"turned by nothing",
       [](RigidBody& b) {
         b.pose.rotation = {0, 0, 0, 0};
       }},
      {"turned by too much",
       [](RigidBody& b) {
         b.pose.rotation = {0, 0, 0, 2};
       }},
      {"nowhere", [&](RigidBody& b) { b.pose.translation.y = nan; }},
      {"spinning", [&](RigidBody& b) { b.angular_velocity.z = inf; }},
      {"without a centre", [&](RigidBody& b) { b.center.x = nan; }},
      {"lighter than nothing", [](RigidBody& b) { b.inverse_mass = -1; }},
      {"without mass", [&](RigidBody& b) { b.inverse_mass = inf; }},
      {"without inertia", [&](RigidBody& b) { b.inverse_inertia[1].y = nan; }},
      {"bouncing higher", [](RigidBody& b) { b.restitution = 1.5; }},
      {"smoother than smooth", [](RigidBody& b) { b.friction = -1; }},
      {"stuck", [&](RigidBody& b) { b.friction = inf; }},
      {"thin", [&](RigidBody& b) { b.thickness = nan; }},
      {"wide", [&](RigidBody& b) { b.reach = inf; }}};
  for (const auto& [what, spoil] : spoilers) {
    RigidWorld world(coarse());
    add_ground(world);
    const ObjectId id = world.add(scenes::box(12), at(0, 0, 0.9));
    const RigidBody before = world.body(id);
    spoil(world.body(id));
    const std::string message = test::error_of([&] { world.step(kFrame); }).what();
    EXPECT_EQ(message.rfind("body 1: ", 0), 0u) << what << ": " << message;
    world.body(id) = before;
    EXPECT_NO_THROW(world.step(kFrame)) << what;
  }
}

TEST(RigidWorld, RefusesAnOpenBodyUnlessItIsFixed) {
  Mesh open = scenes::box(12);
  open.triangles.pop_back();
  RigidWorld world(coarse());
  const std::string message = test::error_of([&] { (void)world.add(open); }).what();
  EXPECT_NE(message.find("not closed"), std::string::npos) << message;
  EXPECT_NE(message.find("lamella info"), std::string::npos) << message;
  EXPECT_NE(message.find("fixed"), std::string::npos) << message;
  EXPECT_EQ(world.scene().size(), 0u);
  EXPECT_NO_THROW((void)world.add(open, {}, fixed()));
}

TEST(RigidWorld, AFixedBodyMayHaveBrokenVertices) {
  Mesh broken = scenes::box(12);
  broken.positions[0].z = std::numeric_limits<float>::infinity();
  RigidWorld world(coarse());
  (void)world.add(broken, {}, fixed());
  EXPECT_NO_THROW(world.step(kFrame));
}

TEST(RigidWorld, ARemovedBodyIsNoLongerInTheWay) {
  RigidWorld world(coarse());
  const ObjectId ground = add_ground(world);
  const ObjectId box = world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), at(0, 0, 0.5));
  run(world, 0.5);
  EXPECT_NEAR(center_of(world, box).z, 0.5, 0.01);
  world.remove(ground);
  run(world, 0.5);
  EXPECT_LT(center_of(world, box).z, -0.5);
}

TEST(RigidWorld, FallsFreely) {
  RigidWorld world(coarse());
  const ObjectId box = world.add(scenes::blob(500), at(1, 2, 3));
  world.body(box).angular_velocity = {1, 2, 3};
  const Vec3d start = center_of(world, box);
  const double spin = world.kinetic_energy();
  run(world, 1);
  // n steps fall n (n + 1) / 2 steps squared: half a step more than in theory.
  EXPECT_NEAR(center_of(world, box).z - start.z, -9.81 * 60 * 61 / 2 * kFrame * kFrame, 1e-9);
  EXPECT_NEAR(world.kinetic_energy() - spin, 0.5 * 9.81 * 9.81 / world.body(box).inverse_mass, 1e-9);
}

}  // namespace
}  // namespace lamella
