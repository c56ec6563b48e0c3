#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/make/map_orient.hpp"
#include "geometry_image/map_discs.hpp"

namespace lamella::test {
namespace {

using gi::Disc;
using gi::Vec2d;
__extension__ using Wide = __int128;

Disc one_triangle(Vec3d a, Vec3d b, Vec3d c) {
  return {.positions = {a, b, c}, .triangles = {{0, 1, 2}}, .boundary = {0, 1, 2}, .map = {{0, 0}, {1, 0}, {0, 1}}};
}

TEST(Stretch, OfASimilarityIsOne) {
  // Turned in space and 7 times as large.
  const gi::Stretch stretch = gi::stretch_of(one_triangle({1, 2, 3}, {1, 9, 3}, {1, 2, 10}));
  EXPECT_DOUBLE_EQ(stretch.total, 1);
  EXPECT_DOUBLE_EQ(stretch.triangles.at(0), 1);
}

TEST(Stretch, OfAnAffineMapFollowsFromItsSingularValues) {
  // 6 along one axis, 2 along the other: sqrt((36 + 4) / 2), times sqrt(area of the map / area) = sqrt(1 / 12).
  const gi::Stretch stretch = gi::stretch_of(one_triangle({0, 0, 0}, {6, 0, 0}, {0, 0, 2}));
  EXPECT_DOUBLE_EQ(stretch.total, std::sqrt(20.0 / 12));
  EXPECT_DOUBLE_EQ(stretch.triangles.at(0), std::sqrt(20.0 / 12));
}

TEST(Stretch, WeighsTrianglesByTheirAreaOnTheSurface) {
  // The left triangle is mapped as it is, the right one is 3 times as long along x as its map.
  const Disc disc{.positions = {{0, 0, 0}, {3, 0, 0}, {0, 1, 0}, {-1, 0, 0}},
                  .triangles = {{0, 1, 2}, {0, 2, 3}},
                  .boundary = {0, 1, 2, 3},
                  .map = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}}};
  const double scale = std::sqrt(1.0 / 2.0);  // areas 1 and 2
  const gi::Stretch stretch = gi::stretch_of(disc);
  EXPECT_DOUBLE_EQ(stretch.triangles.at(0), std::sqrt(5.0) * scale);
  EXPECT_DOUBLE_EQ(stretch.triangles.at(1), scale);
  EXPECT_DOUBLE_EQ(stretch.total, std::sqrt((1.5 * 5 + 0.5 * 1) / 2) * scale);
}

TEST(Stretch, IsInfiniteWhereTheMapHasNoAreaOrIsTurnedOver) {
  Disc disc = one_triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  for (const Vec2d third : {Vec2d{2, 0}, Vec2d{0, -1}}) {
    disc.map[2] = third;
    const gi::Stretch stretch = gi::stretch_of(disc);
    EXPECT_TRUE(std::isinf(stretch.triangles.at(0)));
    EXPECT_TRUE(std::isinf(stretch.total));
    EXPECT_EQ(gi::flipped_triangles(disc), std::vector<std::uint32_t>{0});
  }
}

TEST(Stretch, OfASurfaceWithoutAreaIsNotABrokenNumber) {
  const gi::Stretch stretch = gi::stretch_of(one_triangle({0, 0, 0}, {1, 0, 0}, {2, 0, 0}));
  EXPECT_EQ(stretch.total, 0);
  Disc disc = square_disc(2);
  disc.positions[4] = disc.positions[0];
  disc.map[4] = {0.5, 0.5};
  EXPECT_TRUE(std::isfinite(gi::stretch_of(disc).total));
}

TEST(FlippedTriangles, AreFoundByTheLastBitOfACoordinate) {
  Disc disc = one_triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  disc.map = {{0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}};
  EXPECT_EQ(gi::flipped_triangles(disc).size(), 1u);
  disc.map[1].y = std::nextafter(0.3, 0.0);
  EXPECT_TRUE(gi::flipped_triangles(disc).empty());
  disc.map[1].y = std::nextafter(0.3, 1.0);
  EXPECT_EQ(gi::flipped_triangles(disc).size(), 1u);
  disc.map[1].y = std::nan("");
  EXPECT_EQ(gi::flipped_triangles(disc).size(), 1u);
}

TEST(FlippedTriangles, AgreeWithWholeNumbersOfAHundredBits) {
  std::mt19937_64 random(3);
  int zero = 0, differs = 0;
  for (int i = 0; i < 20000; ++i) {
    // c is a + k (b - a) / 2 but for a few units in the last place.
    const auto pick = [&] { return static_cast<std::int64_t>(random() >> 13); };
    const std::int64_t ax = pick(), ay = pick(), bx = ax + 2 * (pick() >> (i % 40)), by = ay + 2 * (pick() >> (i % 40));
    const auto few = [&] { return static_cast<std::int64_t>(random() % 3) - 1; };
    const std::int64_t cx = ax + (bx - ax) / 2 + few(), cy = ay + (by - ay) / 2 + few();
    const Wide exact = static_cast<Wide>(bx - ax) * (cy - ay) - static_cast<Wide>(by - ay) * (cx - ax);
    const auto at = [](std::int64_t x, std::int64_t y) {
      return Vec2d{std::ldexp(static_cast<double>(x), -52), std::ldexp(static_cast<double>(y), -52)};
    };
    const Vec2d a = at(ax, ay), b = at(bx, by), c = at(cx, cy);
    const double found = gi::orient(a, b, c);
    ASSERT_EQ((found > 0) - (found < 0), (exact > 0) - (exact < 0)) << i;
    zero += exact == 0;
    const double plain = a.x * b.y - a.y * b.x + b.x * c.y - b.y * c.x + c.x * a.y - c.y * a.x;
    differs += ((plain > 0) - (plain < 0)) != ((exact > 0) - (exact < 0));
  }
  // The cases are hard enough to tell.
  EXPECT_GT(zero, 100);
  EXPECT_GT(differs, 1000);
}

}  // namespace
}  // namespace lamella::test
