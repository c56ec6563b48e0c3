#include "picture/color_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lamella::picture {
namespace {

/// How light a colour looks, roughly.
float lightness(Rgb c) { return 0.299f * c.r + 0.587f * c.g + 0.114f * c.b; }

TEST(SignedColor, DarkensAwayFromZeroToEitherSide) {
  for (int i = 1; i <= 10; ++i) {
    const float near = 0.05f * static_cast<float>(i - 1), far = 0.05f * static_cast<float>(i);
    EXPECT_LT(lightness(signed_color(0.5f + far)), lightness(signed_color(0.5f + near)));
    EXPECT_LT(lightness(signed_color(0.5f - far)), lightness(signed_color(0.5f - near)));
  }
}

TEST(SignedColor, SidesDifferInBlueWhichMostPeopleSee) {
  for (const float t : {0.1f, 0.25f, 0.4f}) EXPECT_GT(signed_color(1 - t).b - signed_color(t).b, 0.15f) << t;
}

TEST(SignedColor, BeyondItsEndsIsTheEnd) {
  EXPECT_EQ(signed_color(-3).r, signed_color(0).r);
  EXPECT_EQ(signed_color(7).b, signed_color(1).b);
}

}  // namespace
}  // namespace lamella::picture
