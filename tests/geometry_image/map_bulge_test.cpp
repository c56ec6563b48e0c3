#include "geometry_image/make/map_bulge.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry_image/make/map_split.hpp"
#include "geometry_image/map_discs.hpp"

namespace lamella::gi {
namespace {

constexpr std::uint32_t kWide = 4;  ///< columns of vertices

/// A strip of `rows` rows that hangs on the upper side of the square: its two long sides and its end are mapped there,
/// the other end to the three other sides.
Disc hanging_strip(std::uint32_t rows) {
  Disc disc;
  for (std::uint32_t y = 0; y < rows; ++y)
    for (std::uint32_t x = 0; x < kWide; ++x) {
      disc.positions.push_back({double(x), double(y), 0});
      disc.map.push_back({0.5, 0.5});
    }
  for (std::uint32_t y = 0; y + 1 < rows; ++y)
    for (std::uint32_t x = 0; x + 1 < kWide; ++x) {
      const std::uint32_t a = y * kWide + x;
      disc.triangles.push_back({a, a + 1, a + kWide + 1});
      disc.triangles.push_back({a, a + kWide + 1, a + kWide});
    }
  for (std::uint32_t x = 0; x < kWide; ++x) disc.boundary.push_back(x);
  for (std::uint32_t y = 1; y < rows; ++y) disc.boundary.push_back(y * kWide + kWide - 1);
  for (std::uint32_t x = kWide - 1; x-- > 0;) disc.boundary.push_back((rows - 1) * kWide + x);
  for (std::uint32_t y = rows - 1; y-- > 1;) disc.boundary.push_back(y * kWide);
  disc.map[0] = {0, 1};
  disc.map[1] = {0, 0};
  disc.map[2] = {1, 0};
  disc.map[3] = {1, 1};
  const std::size_t hanging = disc.boundary.size() - kWide;
  for (std::size_t i = 0; i < hanging; ++i)
    disc.map[disc.boundary[kWide + i]] = {1 - double(i + 1) / double(hanging + 1), 1};
  return disc;
}

double area_of(const Disc& disc) {
  double sum = 0;
  for (const Triangle& t : disc.triangles) {
    const Vec3d n = cross(disc.positions[t.b] - disc.positions[t.a], disc.positions[t.c] - disc.positions[t.a]);
    sum += std::sqrt(dot(n, n)) / 2;
  }
  return sum;
}

TEST(BulgedMap, IsValidWhereAHangingPartShrinksBeyondThePrecisionOfDoubles) {
  Disc disc = hanging_strip(80);
  Disc plain = disc;
  solve_map(plain, {});
  EXPECT_FALSE(flipped_triangles(plain).empty());

  const std::vector<Vec2d> before = disc.map;
  const double area = area_of(disc);
  ASSERT_TRUE(solve_map_bulged(disc, {2}));
  EXPECT_TRUE(flipped_triangles(disc).empty());
  EXPECT_NEAR(area_of(disc), area, 1e-9 * area);
  for (const std::uint32_t v : disc.boundary) {
    EXPECT_EQ(disc.map[v].x, before[v].x);
    EXPECT_EQ(disc.map[v].y, before[v].y);
  }
}

TEST(BulgedMap, OfAnOrdinaryDiscIsValidToo) {
  Disc disc = test::square_disc(12);
  ASSERT_TRUE(solve_map_bulged(disc, {2}));
  EXPECT_TRUE(flipped_triangles(disc).empty());
  EXPECT_LT(stretch_of(disc).total, 1.1);
}

TEST(Remap, SplitsTrianglesThatACurvedFunctionTurnsOver) {
  // A long flat triangle; the function bends its long edge across its third corner.
  Disc disc;
  disc.positions = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.01, 0}, {0.5, -0.5, 0}};
  disc.map = {{0, 0}, {1, 0}, {0.5, 0.01}, {0.5, -0.5}};
  disc.triangles = {{0, 1, 2}, {1, 0, 3}};
  disc.boundary = {0, 3, 1, 2};
  const auto bend = [](Vec2d p) { return Vec2d{p.x, p.y - 0.2 * p.x * (1 - p.x)}; };
  const auto places = [&] {
    std::vector<Vec2d> result;
    for (const std::uint32_t v : disc.boundary) result.push_back(bend(disc.map[v]));
    return result;
  };
  Disc none = disc;
  EXPECT_FALSE(remap(none, places(), bend, 2));
  ASSERT_TRUE(remap(disc, places(), bend, 100));
  EXPECT_GT(disc.triangles.size(), 2u);
  EXPECT_TRUE(flipped_triangles(disc).empty());
}

}  // namespace
}  // namespace lamella::gi
