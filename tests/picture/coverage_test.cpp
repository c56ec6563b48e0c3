#include "picture/coverage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace lamella::picture {
namespace {

constexpr int kSize = 24;
constexpr SampleBox kBox{0, 0, kSize - 1, kSize - 1};

void count(std::vector<int>& hits, ScreenPoint a, ScreenPoint b, ScreenPoint c) {
  Coverage({a, b, c}).for_each_sample(kBox, [&](int x, int y) { ++hits[static_cast<std::size_t>(y * kSize + x)]; });
}

TEST(Coverage, TriangleSeenEdgeOnIsEmpty) {
  EXPECT_TRUE(Coverage({ScreenPoint{0, 0, 0}, ScreenPoint{4, 4, 0}, ScreenPoint{8, 8, 0}}).empty());
}

TEST(Coverage, WeightsAtACornerNameThatCorner) {
  const auto w = Coverage({ScreenPoint{0.5, 0.5, 0}, ScreenPoint{8.5, 0.5, 0}, ScreenPoint{0.5, 8.5, 0}}).weights(8, 0);
  EXPECT_FLOAT_EQ(w[0], 0);
  EXPECT_FLOAT_EQ(w[1], 1);
  EXPECT_FLOAT_EQ(w[2], 0);
}

/// A coordinate on or between samples: halves fall on their centres, where ties must be broken.
double any_coordinate() { return *rc::gen::inRange(0, 4 * kSize + 1) / 4.0; }

RC_GTEST_PROP(Coverage, TrianglesAroundAPointCoverASquareExactlyOnce, ()) {
  const double w = kSize;
  const ScreenPoint middle{any_coordinate(), any_coordinate(), 0};
  const ScreenPoint corner[4] = {{0, 0, 0}, {w, 0, 0}, {w, w, 0}, {0, w, 0}};
  std::vector<int> hits(kSize * kSize, 0);
  for (int i = 0; i < 4; ++i) count(hits, corner[i], corner[(i + 1) % 4], middle);
  for (const int h : hits) RC_ASSERT(h == 1);
}

RC_GTEST_PROP(Coverage, BoxHoldsEveryCoveredSample, ()) {
  const ScreenPoint a{any_coordinate(), any_coordinate(), 0}, b{any_coordinate(), any_coordinate(), 0},
      c{any_coordinate(), any_coordinate(), 0};
  const Coverage coverage({a, b, c});
  if (coverage.empty()) return;
  const SampleBox box = coverage.box();
  coverage.for_each_sample(kBox, [&](int x, int y) {
    RC_ASSERT(x >= box.x_low && x <= box.x_high && y >= box.y_low && y <= box.y_high);
    for (const float w : coverage.weights(x, y)) RC_ASSERT(w >= 0);
  });
}

TEST(DepthPlane, FollowsTheCornersAndStaysWithinTheirRange) {
  const DepthPlane plane({ScreenPoint{0.5, 0.5, -1}, ScreenPoint{8.5, 0.5, -0.5}, ScreenPoint{0.5, 8.5, -1}});
  EXPECT_DOUBLE_EQ(plane.at(0, 0), -1);
  EXPECT_DOUBLE_EQ(plane.at(4, 0), -0.75);
  EXPECT_DOUBLE_EQ(plane.at(20, 0), -0.5);
}

}  // namespace
}  // namespace lamella::picture
