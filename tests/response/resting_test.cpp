// Bodies that come to rest, or that hold each other.
#include <gtest/gtest.h>

#include <algorithm>

#include "response/worlds.hpp"
#include "scenes/revolve.hpp"

namespace lamella {
namespace {

double fastest(const RigidWorld& world, const std::vector<ObjectId>& ids) {
  double most = 0;
  for (const ObjectId id : ids) {
    const RigidBody& b = world.body(id);
    most = std::max(most, length(b.velocity) + length(b.angular_velocity) * b.reach);
  }
  return most;
}

TEST(Rest, ABoxOnASlabStaysWhereItIs) {
  RigidWorld world(coarse());
  add_ground(world, 0.3, 0.5);
  const ObjectId box = world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), at(0, 0, 0.5), material(0.3, 0.5));
  run(world, 1);
  const Vec3d start = center_of(world, box);
  run(world, 10);
  EXPECT_LT(length(center_of(world, box) - start), 1e-3);
  EXPECT_NEAR(start.z, 0.5, 2e-3);
}

TEST(Rest, AStackOfFiveBoxesSettlesAndStaysForTenSeconds) {
  RigidWorld world(coarse());
  add_ground(world, 0.2, 0.5);
  std::vector<ObjectId> ids;
  for (int i = 0; i < 5; ++i)
    ids.push_back(world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}),
                            {{0.05 * (i % 2), 0.03 * (i % 3), 0.5 + 1.02 * i}, rotation_about({0, 0, 1}, 0.1 * i)},
                            material(0.2, 0.5)));
  run(world, 3);
  std::vector<Vec3d> start;
  for (const ObjectId id : ids) start.push_back(center_of(world, id));
  run(world, 10);
  double drift = 0, sunk = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    drift = std::max(drift, length(center_of(world, ids[i]) - start[i]));
    sunk = std::max(sunk, std::abs(center_of(world, ids[i]).z - (0.5 + double(i))));
  }
  EXPECT_LT(drift, 1e-3);
  EXPECT_LT(sunk, 0.005);  // half a slop for each
  EXPECT_LT(fastest(world, ids), 1e-3);
  std::printf("drift in ten seconds %.1e, heights off by %.1e, fastest at the end %.1e\n", drift, sunk,
              fastest(world, ids));
}

TEST(Rest, APyramidOfBoxesDoesNotCreepApart) {
  RigidWorld world(coarse());
  add_ground(world, 0.2, 0.5);
  std::vector<ObjectId> ids;
  std::vector<Vec3d> start;
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4 - row; ++k) {
      start.push_back({-1.65 + 1.1 * k + 0.55 * row, 0, 0.5 + row});
      ids.push_back(world.add(scenes::box(12, {0.5f, 0.5f, 0.5f}), {start.back(), {}}, material(0.2, 0.5)));
    }
  run(world, 10);
  double drift = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) drift = std::max(drift, length(center_of(world, ids[i]) - start[i]));
  std::printf("drift in ten seconds %.1e\n", drift);
  EXPECT_LT(drift, 0.02);
  EXPECT_LT(fastest(world, ids), 0.01);
}

/// A closed bowl with its mouth up: half a hollow ball of inner radius 1, wall 0.2, the inside's bottom at z = 0.
Mesh bowl(std::size_t faces) {
  std::vector<scenes::ProfilePoint> outline;
  constexpr int kArc = 60;
  for (int i = 0; i <= kArc; ++i) {
    const double angle = kPi / 2 * i / kArc;
    outline.push_back({1.2 * std::sin(angle), 1 - 1.2 * std::cos(angle)});
  }
  for (int i = kArc; i >= 0; --i) {
    const double angle = kPi / 2 * i / kArc;
    outline.push_back({std::sin(angle), 1 - std::cos(angle)});
  }
  outline.front().radius = outline.back().radius = 0;
  return scenes::revolve(outline, faces, 8, [](double radius, double along, double angle) {
    return Vec3d{radius * std::sin(angle), radius * std::cos(angle), along};
  });
}

TEST(Rest, ASphereRollsToTheBottomOfABowl) {
  RigidWorld world(coarse());
  const Mesh mesh = bowl(6000);
  ASSERT_GT(inspect(mesh).volume, 0);
  world.add(mesh, {}, fixed(0.2, 0.5));
  const ObjectId ball = world.add(scenes::sphere(2000, 0.3f), at(0.45, 0.1, 0.6), material(0.2, 0.5));
  run(world, 20);
  const Vec3d end = center_of(world, ball);
  std::printf("ball %.4f from the axis, speed %.1e\n", std::hypot(end.x, end.y), fastest(world, {ball}));
  EXPECT_LT(std::hypot(end.x, end.y), 0.05);
  EXPECT_NEAR(end.z, 0.3, 0.01);
  EXPECT_LT(fastest(world, {ball}), 0.1);  // it still rocks: nothing brakes rolling
}

TEST(Rest, ATorusFallsDownItsPostAndStaysThreaded) {
  RigidWorld world(coarse());
  add_ground(world, 0.2, 0.5);
  world.add(scenes::box(12, {0.3f, 0.3f, 2}), at(0, 0, 2), fixed(0.2, 0.3));
  const ObjectId ring =
      world.add(scenes::torus(2000, 0.9f, 0.25f), {{0.05, 0, 3}, rotation_about({1, 0.3, 0}, 0.3)}, material(0.2, 0.3));
  for (int i = 0; i < 480; ++i) {
    world.step(kFrame);
    const Vec3d c = center_of(world, ring);
    // While the post goes through the hole, the centre is no further from it than the hole leaves room.
    ASSERT_LT(std::hypot(c.x, c.y), 0.6) << "step " << i;
    ASSERT_GT(c.z, 0.2) << "step " << i;
  }
  EXPECT_NEAR(center_of(world, ring).z, 0.25, 0.01);
  EXPECT_LT(fastest(world, {ring}), 0.02);
}

/// Gauss' integral over two closed polylines: how often the one goes through the other.
double linking_number(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Vec3d da = a[(i + 1) % a.size()] - a[i], db = b[(j + 1) % b.size()] - b[j];
      const Vec3d r = (a[i] + a[(i + 1) % a.size()] - b[j] - b[(j + 1) % b.size()]) * 0.5;
      const double distance = length(r);
      sum += dot(r, cross(da, db)) / (distance * distance * distance);
    }
  return sum / (4 * kPi);
}

/// The middle line of scenes::torus_knot(): a trefoil on a torus of radii 0.92 and 0.38. Empty if the model is another.
std::vector<Vec3d> knot_core() {
  const Mesh thin = scenes::torus_knot(4000, 0.001f);
  std::vector<Vec3d> core;
  constexpr int kPoints = 300;
  for (int i = 0; i < kPoints; ++i) {
    const double around = 2 * kPi * 2 * i / kPoints, through = 2 * kPi * 3 * i / kPoints;
    const double radius = 0.92 + 0.38 * std::cos(through);
    core.push_back({radius * std::cos(around), radius * std::sin(around), 0.38 * std::sin(through)});
  }
  for (const Vec3 p : thin.positions) {
    double nearest = 1;
    for (const Vec3d c : core) nearest = std::min(nearest, length(to_double(p) - c));
    if (nearest > 0.03) return {};
  }
  return core;
}

std::vector<Vec3d> placed(const std::vector<Vec3d>& points, const Transform& pose) {
  std::vector<Vec3d> out;
  for (const Vec3d p : points) out.push_back(apply(pose, p));
  return out;
}

TEST(Rest, InterlockedKnotsDoNotComeApartWhenPulled) {
  const std::vector<Vec3d> core = knot_core();
  ASSERT_FALSE(core.empty());
  const float tube = 0.12f;
  const Mesh knot = scenes::torus_knot(3000, tube);
  // Somewhere the second goes through the first without touching it.
  scenes::Random random(3);
  Transform pose;
  for (;;) {
    pose = {random.direction() * random.uniform(0.5, 1.3), rotation_about(random.direction(), random.uniform(0, 3))};
    const std::vector<Vec3d> other = placed(core, pose);
    double nearest = 10;
    for (const Vec3d p : core)
      for (const Vec3d q : other) nearest = std::min(nearest, length(p - q));
    if (nearest > 2.3 * tube && std::abs(linking_number(core, other)) > 0.5) break;
  }
  const double linked = linking_number(core, placed(core, pose));
  const Vec3d away = pose.translation * (1 / length(pose.translation));
  RigidWorld world(coarse(0.03f), {.gravity = away * 20});  // two g, the way that leads apart
  world.add(knot, {}, fixed(0, 0.2));
  const ObjectId pulled = world.add(knot, pose, material(0, 0.2));
  double deepest = 0;
  for (int i = 0; i < 300; ++i) {
    world.step(kFrame);
    for (const Contact& c : world.result().contacts) deepest = std::max(deepest, double{c.depth});
    if (i % 10 == 0) {
      ASSERT_NEAR(linking_number(core, placed(core, world.body(pulled).pose)), linked, 0.2) << "step " << i;
    }
  }
  EXPECT_LT(length(center_of(world, pulled)), 3);
  std::printf("linked %.3f times, deepest contact %.4f, speed at the end %.1e\n", linked, deepest,
              fastest(world, {pulled}));
}

}  // namespace
}  // namespace lamella
