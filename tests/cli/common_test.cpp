#include "cli/common.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lamella::cli {
namespace {

TEST(Scale, WhatIsBeyondFloatBecomesInfiniteOfItsSign) {
  const float most = std::numeric_limits<float>::max();
  Mesh mesh{.positions = {{most, -most, 1}, {0, NAN, -2}}, .triangles = {}, .origin = {3, 0, 0}};
  scale(mesh, 2);
  EXPECT_EQ(mesh.positions[0], (Vec3{INFINITY, -INFINITY, 2}));
  EXPECT_EQ(mesh.positions[1].x, 0);
  EXPECT_TRUE(std::isnan(mesh.positions[1].y));
  EXPECT_EQ(mesh.positions[1].z, -4);
  EXPECT_EQ(mesh.origin, (Vec3d{6, 0, 0}));
}

TEST(Scale, DoublesStayThoseOfTheirRoundings) {
  Mesh mesh{.positions = {{0.1f, 3e38f, -3e38f}}, .triangles = {}};
  mesh.wide = {{0.1, 3e38, -3e38}};
  ASSERT_EQ(exact_view(mesh).wide.size(), 1u);
  scale(mesh, 10);
  EXPECT_EQ(mesh.wide[0], (Vec3d{1, 3e39, -3e39}));
  EXPECT_EQ(mesh.positions[0], (Vec3{1, INFINITY, -INFINITY}));
  EXPECT_EQ(exact_view(mesh).wide.size(), 1u);
}

TEST(NumbersAsText, APositionHasAllDigitsOfItsFloats) {
  EXPECT_EQ(to_text(Vec3{0.1f, -2, 1e6f + 0.0625f}), "0.1, -2, 1000000.06");
  EXPECT_EQ(to_text(Aabb{{1e6f, 0, 0}, {1e6f + 0.25f, 1, 1}}), "1000000, 0, 0 to 1000000.25, 1, 1");
  EXPECT_EQ(to_text(Aabb{}), "none");
}

TEST(NumbersAsText, AComputedPositionHasTheDigitsOfItsLargestCoordinate) {
  EXPECT_EQ(to_text(Vec3d{1e6 + 0.5, 0.123456, -1e-9}), "1000000.5, 0.1, 0");
  EXPECT_EQ(to_text(Vec3d{1.0 / 3, 0.05, 1e-12}), "0.33333333, 0.05, 0");
  EXPECT_EQ(to_text(Vec3d{}), "0, 0, 0");
  EXPECT_EQ(to_text(Vec3d{1.25e-20, 0, -5e-21}), "1.25e-20, 0, -5e-21");
  EXPECT_EQ(to_text(Vec3d{2.5e20, 1, 0}), "2.5e+20, 1, 0");
}

TEST(NumbersAsText, AVolumeHasTheDigitsThatItsErrorLeaves) {
  EXPECT_EQ(volume_text(0.01709123, 3.7e-6), "0.017091 ± 0.000004 (95 %)");
  EXPECT_EQ(volume_text(0.1875, 0.96e-2), "0.19 ± 0.01 (95 %)") << "rounded up";
  EXPECT_EQ(volume_text(1568929.4, 312), "1568929 ± 400 (95 %)");
  EXPECT_EQ(volume_text(12.5, 4), "12 ± 4 (95 %)");
  EXPECT_EQ(volume_text(4.7828e-12, 2.1e-15), "(4.783 ± 0.003)e-12 (95 %)");
  EXPECT_EQ(volume_text(6.1e11, 2e9), "(6.10 ± 0.02)e11 (95 %)");
  EXPECT_EQ(volume_text(0.25, 0), "0.25");
  EXPECT_EQ(volume_text(0, 0), "0");
}

}  // namespace
}  // namespace lamella::cli
