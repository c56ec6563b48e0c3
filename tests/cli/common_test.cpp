#include "cli/common.hpp"

#include <gtest/gtest.h>

namespace lamella::cli {
namespace {

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

}  // namespace
}  // namespace lamella::cli
