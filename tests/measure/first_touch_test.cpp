#include "measure/first_touch.hpp"

#include <gtest/gtest.h>

#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

TEST(IsSolid, OfMeshesThatCloseAndLookOutwards) {
  Workers workers(1);
  Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(is_solid(box, workers));
  EXPECT_TRUE(is_solid(transformed(box, {{3, 4, 5}, {}}), workers));
  for (Triangle& t : box.triangles) std::swap(t.b, t.c);
  EXPECT_FALSE(is_solid(box, workers));
  box = box_mesh({0, 0, 0}, {1, 1, 1});
  box.triangles.pop_back();
  EXPECT_FALSE(is_solid(box, workers));
}

TEST(FirstTouch, IsTheSameWhereItIsKnownThatMeshesAreSolid) {
  const Mesh a = scenes::hand(3000), b = transformed(scenes::blob(2000, 4), {{6, 0.2, 0.1}, {}});
  FirstTouch touch;
  for (const unsigned threads : {1u, 2u}) {
    Workers workers(threads);
    const FirstTouch::Motion motion{{1, 0, 0}, 10, {}};
    const auto plain = touch.find(a, b, motion, {}, workers);
    const auto known = touch.find(a, b, motion, {.solid_a = true, .solid_b = true}, workers);
    ASSERT_TRUE(plain && known);
    EXPECT_EQ(plain->time, known->time);
    EXPECT_EQ(plain->position, known->position);
    EXPECT_EQ(plain->triangle_a, known->triangle_a);
  }
}

TEST(FirstTouch, TouchesEitherSideOfWhatIsNotSolid) {
  // Out of a box, through its walls from inside: only surfaces that are no solid's are touched there.
  const Mesh inner = box_mesh({-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}), outer = box_mesh({-1, -1, -1}, {1, 1, 1});
  FirstTouch touch;
  Workers workers(1);
  const FirstTouch::Motion motion{{0, 0, 1}, 5, {}};
  EXPECT_FALSE(touch.find(inner, outer, motion, {.solid_a = true, .solid_b = true}, workers));
  const auto hit = touch.find(inner, outer, motion, {.solid_a = true, .solid_b = false}, workers);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time * 5, 0.9, 1e-6);
}

TEST(FirstTouch, SolidsThatTouchPartAndSlide) {
  const Mesh plate = box_mesh({-3, -3, -1}, {3, 3, 0}), box = box_mesh({0, 0, 0}, {1, 1, 1});
  Workers workers(1);
  const auto find = [&](Vec3d direction) { return FirstTouch().find(box, plate, {direction, 0.5, {}}, {}, workers); };
  EXPECT_FALSE(find({0, 0, 1}));
  EXPECT_FALSE(find({1, 0, 0}));
  const auto hit = find({0, 0, -1});
  ASSERT_TRUE(hit);
  EXPECT_FALSE(hit->overlapping);
  EXPECT_EQ(hit->time, 0);
  EXPECT_EQ(hit->normal, (Vec3d{0, 0, 1}));
}

TEST(FirstTouch, WhatTouchesOrCoincidesDoesNotCross) {
  const Mesh plate = box_mesh({-3, -3, -1}, {3, 3, 0}), box = box_mesh({0, 0, 0}, {1, 1, 1});
  Workers workers(1);
  EXPECT_FALSE(FirstTouch().find_crossing(box, plate, {}, workers));
  EXPECT_FALSE(FirstTouch().find_crossing(box, box, {}, workers));
  for (const double deep : {0.1, 0.5, 1e-6}) {
    const auto crossing = FirstTouch().find_crossing(transformed(box, {{0, 0, -deep}, {}}), plate, {}, workers);
    ASSERT_TRUE(crossing) << deep;
    EXPECT_TRUE(crossing->overlapping);
    EXPECT_EQ(crossing->time, 0);
    EXPECT_EQ(crossing->normal, Vec3d{});
    EXPECT_NEAR(crossing->position.z, 0, deep + 1e-6);
  }
}

}  // namespace
}  // namespace lamella
