// Scenes close the holes of meshes.

#include <gtest/gtest.h>

#include "lamella/repair.hpp"
#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"
#include "support/holes.hpp"

namespace lamella {
namespace {

Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

/// A box from -1 to 1, from -1 to 1 and from -2 to 2, without its ends along `axis`.
Mesh tube(int axis = 2) {
  const Mesh box = test::box_mesh({-1, -1, -2}, {1, 1, 2});
  Mesh open = test::without(box, [&](std::size_t i) {
                const Triangle& t = box.triangles[i];
                return box.positions[t.a].z == box.positions[t.b].z && box.positions[t.a].z == box.positions[t.c].z;
              }).open;
  for (Vec3& p : open.positions) p = axis == 2 ? p : axis == 1 ? Vec3{p.y, p.z, p.x} : Vec3{p.z, p.x, p.y};
  return open;
}

TEST(SceneHoles, ATubeWithoutCapsCollidesWithABallInsideAlongEveryAxis) {
  const Mesh ball = scenes::sphere(300, 0.3f);
  for (const int open_along : {0, 1, 2})
    for (const Axis axis : {Axis::x, Axis::y, Axis::z})
      for (const bool close : {false, true}) {
        Scene scene({.resolution = 32, .axis = axis, .close_holes = close});
        (void)scene.add(tube(open_along), at(0.01, 0.02, 0.03));
        (void)scene.add(ball);
        const SceneResult& r = scene.collide();
        const bool sees_the_holes = static_cast<int>(axis) == open_along;
        EXPECT_EQ(r.colliding(), close || !sees_the_holes) << "open, it is not there for rays along it";
        EXPECT_EQ(r.verdict == Verdict::colliding, r.colliding());
        if (close) {
          ASSERT_EQ(r.pairs.size(), 1u);
          EXPECT_NEAR(r.pairs[0].volume.value(), signed_volume(ball), 0.02 * signed_volume(ball));
          EXPECT_EQ(r.health.open_columns, 0u);
        }
      }
}

TEST(SceneHoles, AreReportedOfTheObjectAndInAll) {
  Scene scene({.resolution = 32});
  (void)scene.add(scenes::sphere(300, 0.3f));
  const ObjectId open = scene.add(tube()), like = scene.add(open, at(100, 0, 0));
  const SceneResult& r = scene.collide();
  EXPECT_FALSE(r.health.ok());
  EXPECT_EQ(r.health.closed_edges, 2 * 8u);
  EXPECT_NEAR(r.health.fan_area, 2 * 2 * 4, 1e-5);
  EXPECT_GT(r.health.closing_volume, 0);
  ASSERT_EQ(r.defects.size(), 2u);
  EXPECT_EQ(r.defects[0].object, open);
  EXPECT_EQ(r.defects[1].object, like);
  for (const SceneDefect& d : r.defects) {
    EXPECT_EQ(d.closed_edges, 8u);
    EXPECT_EQ(d.open_columns + d.inside_out_columns + d.skipped_triangles, 0u);
  }
}

TEST(SceneHoles, TheMeshIsTheCallersWithoutFans) {
  Scene scene;
  const Mesh open = tube();
  const ObjectId id = scene.add(open), like = scene.add(id, at(5, 0, 0));
  for (const ObjectId object : {id, like}) {
    const MeshView kept = scene.mesh(object);
    EXPECT_TRUE(std::equal(kept.positions.begin(), kept.positions.end(), open.positions.begin(), open.positions.end()));
    EXPECT_TRUE(std::equal(kept.triangles.begin(), kept.triangles.end(), open.triangles.begin(), open.triangles.end()));
  }
}

/// The tube moves along itself in its own frame: a fan whose point stayed behind would be a long spike, which cuts out
/// what is in the tube now and reaches what is at its old place.
TEST(SceneHoles, FansFollowADeformation) {
  const Mesh open = tube(), ball = scenes::sphere(300, 0.3f);
  Mesh moved = open;
  for (Vec3& p : moved.positions) p = p + Vec3{0, 0, 20};
  Scene scene({.resolution = 32, .axis = Axis::x});
  const ObjectId id = scene.add(open);
  (void)scene.add(id, at(0, 50, 0));
  const ObjectId there = scene.add(ball, at(0, 0, 20));
  EXPECT_EQ(scene.collide().verdict, Verdict::clear);
  scene.deform(id, moved.positions);
  EXPECT_EQ(scene.mesh(id).positions.size(), open.positions.size());
  {
    const SceneResult& r = scene.collide();
    ASSERT_EQ(r.pairs.size(), 1u);
    EXPECT_EQ(r.pairs[0].b, there);
    EXPECT_NEAR(r.pairs[0].volume.value(), signed_volume(ball), 0.02 * signed_volume(ball));
    EXPECT_EQ(r.health.open_columns, 0u);
    EXPECT_NEAR(r.health.fan_area, 2 * 2 * 4, 1e-4);
  }
  scene.move(there, {});
  EXPECT_EQ(scene.collide().verdict, Verdict::clear) << "nothing is left where the fans were";
  scene.move(there, at(0, 50, 0));
  EXPECT_EQ(scene.collide().verdict, Verdict::colliding) << "the other object with the mesh keeps its own";
}

/// A proof knows only of the mesh with its fans, and says nothing about other ways to close the hole.
class SceneHolesProved : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Certify, SceneHolesProved, testing::Bool());

TEST_P(SceneHolesProved, WhatIsSharedOnlyNearARimIsUndecided) {
  Scene scene({.resolution = 32, .certify = GetParam()});
  const ObjectId open = scene.add(tube());
  const ObjectId ball = scene.add(scenes::sphere(300, 0.3f), at(0, 0, 1.9));
  const Doubt expected{Doubt::Cause::closed_holes, 0, 8};
  for (const double z : {1.9, 2.2}) {  // most of it behind the fan, or before it
    scene.move(ball, at(0, 0, z));
    const SceneResult& r = scene.collide();
    EXPECT_EQ(r.verdict, Verdict::undecided) << z;
    EXPECT_TRUE(r.pairs.empty()) << z;
    ASSERT_EQ(r.undecided.size(), 1u) << z;
    EXPECT_EQ(r.undecided[0].a, open);
    EXPECT_EQ(r.undecided[0].b, ball);
    EXPECT_EQ(r.undecided[0].doubt, expected) << z;
  }
  scene.move(ball, at(1, 0, 0));
  EXPECT_EQ(scene.collide().verdict, Verdict::colliding) << "through the wall, far from the rims";
  EXPECT_TRUE(scene.collide().undecided.empty());
  scene.move(ball, at(1.31, 0, 0));
  EXPECT_EQ(scene.collide().verdict, Verdict::clear);
}

}  // namespace
}  // namespace lamella
