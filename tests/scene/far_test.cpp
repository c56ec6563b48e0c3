// Far from the origin of the world: poses are applied in double relative to an origin near what is sampled together.

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"

namespace lamella {
namespace {

using test::Bodies;
using test::box_mesh;

/// Small parts, some of which overlap.
Bodies parts(std::uint32_t count, float size) {
  test::Random random(77);
  Bodies bodies;
  for (std::uint32_t i = 0; i < count; ++i) {
    test::Body body = test::random_body(random, {{-6, -6, -6}, {6, 6, 6}});
    for (Vec3& p : body.mesh.positions) p = p * size;
    body.pose.translation = body.pose.translation * static_cast<double>(size);
    bodies.push_back(body);
  }
  return bodies;
}

void add_all(Scene& scene, const Bodies& bodies, Vec3d away) {
  for (const test::Body& b : bodies) (void)scene.add(b.mesh, {b.pose.translation + away, b.pose.rotation});
}

/// With a cell size, all that is connected shares an origin: there, objects are some sizes away from it.
double precision_of(const SceneOptions& options) { return options.cell > 0 ? 1e-4 : 1e-6; }

/// The pairs are the same, with the same volumes, contacts and places.
void expect_same(const SceneResult& near, const SceneResult& far, std::size_t first, std::uint32_t first_id, Vec3d away,
                 double precision) {
  for (std::size_t i = 0; i < near.pairs.size(); ++i) {
    const ScenePair &x = near.pairs[i], &y = far.pairs.at(first + i);
    ASSERT_EQ(x.a.number + first_id, y.a.number);
    ASSERT_EQ(x.b.number + first_id, y.b.number);
    EXPECT_NEAR(*x.volume, *y.volume, precision * *x.volume + 1e-9);
    EXPECT_LT(length(x.centroid + away - y.centroid), 1e-4);
  }
}

TEST(FarScene, SmallPartsAtTenMillionAnswerAsAtTheOrigin) {
  const Bodies bodies = parts(300, 1);
  for (const SceneOptions& options : {SceneOptions{.resolution = 32}, SceneOptions{.cell = 0.0625f}}) {
    Scene near(options);
    add_all(near, bodies, {});
    const SceneResult& here = near.collide();
    EXPECT_GT(here.pairs.size(), 100u);
    for (const Vec3d away : {Vec3d{1e7, 1e7, 1e7}, Vec3d{-1e7, 3e6, 0}, Vec3d{1e6, 1e6, 1e6}}) {
      Scene far(options);
      add_all(far, bodies, away);
      const SceneResult& there = far.collide();
      ASSERT_EQ(here.pairs.size(), there.pairs.size()) << away.x;
      EXPECT_EQ(here.candidate_count, there.candidate_count);
      expect_same(here, there, 0, 0, away, precision_of(options));
    }
  }
}

TEST(FarScene, TwoClustersTenMillionApartAnswerAsEachAlone) {
  const Bodies bodies = parts(60, 1);
  const Vec3d away{1e7, -1e7, 1e7};
  for (const SceneOptions& options : {SceneOptions{.resolution = 32}, SceneOptions{.cell = 0.0625f}}) {
    Scene near(options), both(options);
    add_all(near, bodies, {});
    add_all(both, bodies, {});
    add_all(both, bodies, away);
    const SceneResult& here = near.collide();
    const SceneResult& there = both.collide();
    ASSERT_GT(here.pairs.size(), 5u);
    ASSERT_EQ(2 * here.pairs.size(), there.pairs.size());
    expect_same(here, there, 0, 0, {}, precision_of(options));
    expect_same(here, there, here.pairs.size(), 60, away, precision_of(options));
  }
}

TEST(FarScene, ContactsAndPointsAreWhereTheObjectsAre) {
  const Vec3d away{1e7, 2e7, -3e7};
  Scene scene({.resolution = 64, .threshold = 16});
  (void)scene.add(box_mesh({0, 0, 0}, {1, 1, 1}), {away, {}});
  (void)scene.add(box_mesh({0, 0, 0}, {1, 1, 1}), {away + Vec3d{0.25, 0.5, 0.875}, {}});
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_NEAR(*r.pairs[0].volume, 0.75 * 0.5 * 0.125, 1e-6);
  ASSERT_FALSE(r.contacts.empty());
  ASSERT_FALSE(r.points.empty());
  for (const Contact& c : r.contacts) {
    const Vec3d p = c.position - away;
    EXPECT_NEAR(p.z, 0.9375, 1e-6);
    EXPECT_GT(p.x, 0.25);
    EXPECT_LT(p.x, 1);
  }
  for (const CollisionPoint& p : r.points) EXPECT_LT(length(p.on_a - away), 2);
  const Vec3d middle = r.groups[r.pairs[0].group].origin + to_double(center(r.groups[r.pairs[0].group].grid.box));
  EXPECT_LT(length(middle - away), 2);
}

TEST(FarScene, WithACellSizeCellsAreAtMultiplesOfItInTheWorld) {
  const float cell = 0.1f;
  Scene scene({.cell = cell});
  const Vec3d away{123456.789, -98765.4321, 55555.5};
  (void)scene.add(box_mesh({0, 0, 0}, {1, 1, 1}), {away, {}});
  (void)scene.add(box_mesh({0, 0, 0}, {1, 1, 1}), {away + Vec3d{0.3, 0.4, 0.5}, {}});
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 1u);
  for (const SceneGroup& g : r.groups)
    for (const int axis : {g.grid.u(), g.grid.v()}) {
      const double cells = (g.origin[axis] + g.grid.box.min[axis]) / static_cast<double>(cell);
      EXPECT_NEAR(cells, std::round(cells), 1e-4);
    }
}

TEST(FarScene, MeshesWithAnOriginOfTheirOwnOrInDoublesAreTaken) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  const Vec3d away{1e7, 1e7, 1e7};
  std::vector<Vec3d> wide;
  for (const Vec3 p : box.positions) wide.push_back(to_double(p) + away + Vec3d{0.5, 0.25, 0.125});
  Scene scene({.resolution = 64});
  const ObjectId first = scene.add({.positions = box.positions, .triangles = box.triangles, .origin = away});
  const ObjectId second = scene.add({.positions = {}, .triangles = box.triangles, .wide = wide});
  ASSERT_EQ(scene.collide().pairs.size(), 1u);
  EXPECT_NEAR(*scene.collide().pairs[0].volume, 0.5 * 0.75 * 0.875, 1e-6);
  EXPECT_EQ(scene.mesh(first).origin, away);
  const MeshView kept = scene.mesh(second);
  EXPECT_EQ(kept.positions.size(), wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i)
    EXPECT_LT(length(to_double(kept.positions[i]) + kept.origin - wide[i]), 1e-6);
  // Turned about the origin of the world, not about its own.
  scene.move(second, {{0, 0, 1}, {}});
  EXPECT_FALSE(scene.collide().colliding());
  EXPECT_THROW((void)scene.add({.positions = box.positions, .triangles = box.triangles, .origin = {NAN, 0, 0}}), Error);
}

}  // namespace
}  // namespace lamella
