// What a scene says of objects that move between frames: the first touch, and the way out.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "scene/contact_shapes.hpp"

namespace lamella {
namespace {

Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

SceneOptions quiet() { return {.engine = "software", .resolution = 64, .threads = 1, .points = false}; }

TEST(SceneSweep, TellsWhichObjectIsTouchedFirst) {
  Scene scene(quiet());
  const ObjectId ball = scene.add(scenes::sphere(2000, 0.25f), at(0, 0, 3));
  const ObjectId far = scene.add(test::slab(), at(0, 0, -5));
  const ObjectId near = scene.add(test::box_mesh({-1, -1, -0.001f}, {1, 1, 0.001f}), at(0, 0, 1));
  const auto hit = scene.sweep(ball, {0, 0, -1000});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->object, near);
  EXPECT_NEAR(hit->hit.time, (3 - 0.25 - 1.001) / 1000, 1e-6);
  EXPECT_NEAR(hit->hit.position.z, 1.001, 1e-5);
  EXPECT_NEAR(hit->hit.normal.z, 1, 1e-9);
  EXPECT_FALSE(hit->hit.overlapping);
  scene.ignore(ball, near);
  const auto behind = scene.sweep(ball, {0, 0, -1000});
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->object, far);
  EXPECT_FALSE(scene.sweep(ball, {0, 0, -1})) << "too short";
  EXPECT_FALSE(scene.sweep(ball, {1000, 0, 0})) << "past them";
  EXPECT_EQ(scene.pose(ball).translation.z, 3) << "nothing has moved";
}

TEST(SceneSweep, SaysWhatOverlapsAtTheStart) {
  Scene scene(quiet());
  const ObjectId a = scene.add(test::cube());
  const ObjectId b = scene.add(test::cube(), at(0.3, 0.2, 0.1));
  const auto hit = scene.sweep(a, b, {5, 0, 0});
  ASSERT_TRUE(hit);
  EXPECT_TRUE(hit->overlapping);
  EXPECT_EQ(hit->time, 0);
  EXPECT_TRUE(scene.sweep(a, b, {})->overlapping) << "without a motion too";
}

TEST(SceneSweep, TurnsObjectsAndFollowsThemFarAway) {
  const Quaternion eighth = rotation_about({0, 0, 1}, std::numbers::pi / 4);
  for (const double far : {0.0, 1e6}) {
    Scene scene(quiet());
    const ObjectId a = scene.add(test::cube(), {{far, 0, 0}, eighth});
    const ObjectId b = scene.add(test::cube(), at(far + 3, 0, 0));
    const auto hit = scene.sweep(a, b, {10, 0, 0});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->time * 10, 2.5 - std::sqrt(0.5), 1e-5);
  }
}

TEST(SceneSweep, RefusesWhatIsNoMotion) {
  Scene scene(quiet());
  const ObjectId a = scene.add(test::cube());
  EXPECT_THROW((void)scene.sweep(a, {0, std::numeric_limits<double>::infinity(), 0}), Error);
  EXPECT_THROW((void)scene.sweep(ObjectId{7}, {0, 0, 1}), Error);
  EXPECT_FALSE(scene.sweep(a, {1, 2, 3})) << "alone";
  EXPECT_FALSE(scene.sweep(a, a, {1, 2, 3}));
}

TEST(SceneSeparation, TakesOneObjectOutOfTheOther) {
  Scene scene(quiet());
  const ObjectId a = scene.add(test::cube(), {{0.1, 0.2, 0.8}, rotation_about({1, 2, 3}, 1)});
  const ObjectId b = scene.add(test::cube());
  const Separation way = scene.separation(a, b, 200);
  EXPECT_EQ(way.before, Verdict::colliding);
  EXPECT_EQ(way.after, Verdict::clear);
  Transform moved = scene.pose(a);
  moved.translation += way.translation;
  scene.move(a, moved);
  EXPECT_TRUE(scene.collide().pairs.empty());
  EXPECT_EQ(scene.separation(a, b).translation, Vec3d{});
  EXPECT_THROW((void)scene.separation(a, a), Error);
}

TEST(SceneSeparation, AlongTheNormalIsMeasuredForPatches) {
  SceneOptions options = quiet();
  for (const bool wanted : {false, true}) {
    options.separations = wanted;
    Scene scene(options);
    (void)scene.add(scenes::sphere(20000), at(0, 0, 0.9));
    (void)scene.add(test::slab());
    const SceneResult& r = scene.collide();
    ASSERT_EQ(r.patches.size(), 1u);
    EXPECT_NEAR(r.patches[0].separation, wanted ? 0.1 : 0, 0.001);
  }
}

}  // namespace
}  // namespace lamella
