#include "clash/apart.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clash/boxes.hpp"
#include "lamella/distance.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::cube;

TEST(ClashApart, MeshesThatShareAVolumeOrTouchAreNot) {
  clash::ApartCheck check;
  EXPECT_TRUE(check.are_apart(cube(1), box_mesh({1.1f, -1, -1}, {2, 1, 1})));
  EXPECT_FALSE(check.are_apart(cube(1), box_mesh({0.9f, -1, -1}, {2, 1, 1})));
  EXPECT_FALSE(check.are_apart(cube(1), box_mesh({1, -1, -1}, {2, 1, 1}))) << "they touch";
  EXPECT_FALSE(check.are_apart(cube(1), cube(0.5f))) << "inside";
  EXPECT_FALSE(check.are_apart(cube(0.5f), cube(1)));
}

TEST(ClashApart, APieceInsideIsSeenBesideOneThatReachesOut) {
  Mesh two = box_mesh({1.5f, -3, -1}, {2, 3, 1});
  const Mesh inside = cube(0.5f);
  for (const Triangle& t : inside.triangles) two.triangles.push_back({t.a + 8, t.b + 8, t.c + 8});
  two.positions.insert(two.positions.end(), inside.positions.begin(), inside.positions.end());
  clash::ApartCheck check;
  EXPECT_FALSE(check.are_apart(two, cube(1)));
  EXPECT_FALSE(check.are_apart(cube(1), two));
}

TEST(ClashApart, WhatIsToldToBeApartIsByItsDistance) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-2, 2), angle(0, 6);
  const Mesh knot = scenes::torus_knot(800);
  clash::ApartCheck check;
  int apart = 0;
  for (int i = 0; i < 300; ++i) {
    const Mesh moved = transformed(
        knot, {{place(random), place(random), place(random)}, rotation_about({1, place(random), 2}, angle(random))});
    if (!(moved.origin == Vec3d{})) continue;
    const bool told = check.are_apart(knot, moved);
    const MeshDistance d = distance(knot, moved, 1);
    EXPECT_EQ(told, d.verdict == Verdict::clear && d.distance > 0) << i;
    apart += told ? 1 : 0;
  }
  EXPECT_GT(apart, 5);
}

}  // namespace
}  // namespace lamella
