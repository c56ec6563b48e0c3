#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry_image/make/disc.hpp"
#include "geometry_image/map_discs.hpp"

namespace lamella::test {
namespace {

using gi::Disc;
using gi::Vec2d;

/// A disc whose map is a rough one, over a curved surface.
Disc curved_disc(std::uint32_t cells, std::uint32_t seed) {
  Disc disc = rough_disc(cells, 0.4, 0.3, seed);
  gi::solve_map(disc, {});
  return disc;
}

double twice_area(Vec2d a, Vec2d b, Vec2d c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/// By trying all triangles and keeping that in which the place lies deepest.
Vec3d surface_at(const Disc& disc, Vec2d place) {
  double best = -std::numeric_limits<double>::infinity();
  Vec3d point;
  for (const Triangle& t : disc.triangles) {
    const Vec2d &a = disc.map[t.a], &b = disc.map[t.b], &c = disc.map[t.c];
    const double area = twice_area(a, b, c);
    const double wa = twice_area(place, b, c) / area, wb = twice_area(a, place, c) / area, wc = 1 - wa - wb;
    if (std::min({wa, wb, wc}) <= best) continue;
    best = std::min({wa, wb, wc});
    point = disc.positions[t.a] * wa + disc.positions[t.b] * wb + disc.positions[t.c] * wc;
  }
  return point;
}

double distance(Vec3d a, Vec3d b) { return std::sqrt(dot(a - b, a - b)); }

TEST(Sample, OfTwoFlatTrianglesIsTheGrid) {
  const Disc disc = square_disc(1);
  std::vector<Vec3> positions;
  gi::sample(disc, 2, positions);
  ASSERT_EQ(positions.size(), 25u);
  for (std::size_t i = 0; i < 25; ++i)
    EXPECT_EQ(positions[i], (Vec3{0.25f * static_cast<float>(i % 5), 0.25f * static_cast<float>(i / 5), 0}));
}

TEST(Sample, OfAFlatDiscIsTheGridWhateverItsTriangles) {
  Disc disc = rough_disc(40, 0.2, 0.0, 3);
  for (std::size_t v = 0; v < disc.map.size(); ++v) disc.map[v] = {disc.positions[v].x, disc.positions[v].y};
  std::vector<Vec3> positions;
  gi::sample(disc, 7, positions);
  for (std::size_t y = 0; y < 129; ++y)
    for (std::size_t x = 0; x < 129; ++x) {
      const Vec3 p = positions[y * 129 + x];
      ASSERT_NEAR(p.x, static_cast<double>(x) / 128, 1e-7);
      ASSERT_NEAR(p.y, static_cast<double>(y) / 128, 1e-7);
    }
}

TEST(Sample, OfACurvedDiscAgreesWithTryingAllTriangles) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const Disc disc = curved_disc(15, seed);
    std::vector<Vec3> positions;
    gi::sample(disc, 5, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Vec3d expected = surface_at(disc, {static_cast<double>(i % 33) / 32, static_cast<double>(i / 33) / 32});
      ASSERT_LT(distance(to_double(positions[i]), expected), 2e-7) << i;
    }
  }
}

TEST(Sample, VerticesOnGridPointsAreHitExactly) {
  Disc disc = rough_disc(16, 0.4, 0.3, 2);
  for (std::size_t v = 0; v < disc.map.size(); ++v)
    disc.map[v] = {static_cast<double>(v % 17) / 16, static_cast<double>(v / 17) / 16};
  std::vector<Vec3> positions;
  gi::sample(disc, 4, positions);
  for (std::size_t v = 0; v < disc.map.size(); ++v) EXPECT_EQ(positions[v], to_float(disc.positions[v]));
}

TEST(Sample, ThinTrianglesAndThoseTurnedOverLeaveNoGridPointOut) {
  // A fan whose middle lies all but on a grid point, or on a border, or past it so that triangles turn over.
  for (const Vec2d middle : {Vec2d{0.5, 0.5}, Vec2d{0.5, std::nextafter(0.5, 1.0)}, Vec2d{1e-300, 0.25},
                             Vec2d{std::nextafter(1.0, 0.0), 0.3}, Vec2d{1.5, 0.5}}) {
    Disc disc = square_disc(2);
    disc.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 5, 4}, {5, 8, 4}, {8, 7, 4}, {7, 6, 4}, {6, 3, 4}, {3, 0, 4}};
    disc.map[4] = middle;
    std::vector<Vec3> positions;
    gi::sample(disc, 6, positions);
    for (const Vec3& p : positions) ASSERT_TRUE(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1 && p.z == 0);
    // With the middle on the surface where it is in the map, samples of upright maps are the grid.
    disc.positions[4] = {middle.x, middle.y, 0};
    gi::sample(disc, 6, positions);
    if (!gi::flipped_triangles(disc).empty()) continue;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      ASSERT_NEAR(positions[i].x, static_cast<double>(i % 65) / 64, 1e-7);
      ASSERT_NEAR(positions[i].y, static_cast<double>(i / 65) / 64, 1e-7);
    }
  }
}

TEST(Sample, ATriangleBesideAGridPointIsNotTakenForItHoweverNear) {
  // A slanted sliver of the map passes the middle by 1e-14; its third corner is high above the rest of the surface.
  for (std::uint32_t turn = 0; turn < 3; ++turn)
    for (const double side : {1.0, -1.0}) {
      const double near = -side * 1e-14, further = -side * 2e-14;
      Disc disc{.positions = {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0.5, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}},
                .triangles = {},
                .boundary = {0, 1, 2, 3, 4, 5},
                .map = {{0, 0}, {0.25 + near, 0}, {1, 0}, {1, 1}, {0.75 + near, 1}, {0, 1}, {0.5 + further, 0.5}}};
      if (side > 0)
        disc.triangles = {{1, 2, 3}, {1, 3, 4}, {0, 1, 6}, {0, 6, 5}, {5, 6, 4}, {1, 4, 6}};
      else
        disc.triangles = {{0, 1, 4}, {0, 4, 5}, {1, 2, 6}, {2, 3, 6}, {3, 4, 6}, {4, 1, 6}};
      Triangle& sliver = disc.triangles.back();
      for (std::uint32_t i = 0; i < turn; ++i) sliver = {sliver.b, sliver.c, sliver.a};
      ASSERT_TRUE(gi::flipped_triangles(disc).empty());
      std::vector<Vec3> positions;
      gi::sample(disc, 1, positions);
      EXPECT_EQ(positions[4].z, 0) << turn;
    }
}

TEST(Sample, OutsideOfAMapThatDoesNotFillTheSquareTakesTheNearestPoint) {
  Disc disc = square_disc(1);
  disc.triangles = {{0, 1, 2}};  // the half below the diagonal from (0, 1) to (1, 0)
  std::vector<Vec3> positions;
  gi::sample(disc, 1, positions);
  EXPECT_EQ(positions[8], (Vec3{0.5f, 0.5f, 0}));
  EXPECT_EQ(positions[5], (Vec3{0.75f, 0.25f, 0}));
}

TEST(Sample, BesideAMapTakesTheSurfaceAtTheNearestPlace) {
  Disc disc = curved_disc(6, 5);
  for (Vec2d& p : disc.map) p = {0.2 + 0.5 * p.x, 0.3 + 0.4 * p.y};
  std::vector<Vec3> positions;
  gi::sample(disc, 4, positions);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec2d place{static_cast<double>(i % 17) / 16, static_cast<double>(i / 17) / 16};
    const Vec3d expected = surface_at(disc, {std::clamp(place.x, 0.2, 0.7), std::clamp(place.y, 0.3, 0.7)});
    ASSERT_LT(distance(to_double(positions[i]), expected), 1e-6) << i;
  }
}

TEST(MapDistance, IsThatOfEveryVertexAndEveryMiddle) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const Disc disc = curved_disc(7, seed);
    const int n = 1 + static_cast<int>(seed % 3), quads = 1 << n;
    std::vector<Vec3> positions;
    gi::sample(disc, n, positions);
    positions[seed].z += 0.05f;
    // The image is flat on either side of every quad's diagonal.
    const auto image_at = [&](Vec2d place) {
      const int x = std::min(static_cast<int>(place.x * quads), quads - 1),
                y = std::min(static_cast<int>(place.y * quads), quads - 1);
      const double u = place.x * quads - x, v = place.y * quads - y;
      const auto at = [&](int i, int j) {
        return to_double(positions[static_cast<std::size_t>((y + j) * (quads + 1) + x + i)]);
      };
      return u >= v ? at(0, 0) * (1 - u) + at(1, 0) * (u - v) + at(1, 1) * v
                    : at(0, 0) * (1 - v) + at(0, 1) * (v - u) + at(1, 1) * u;
    };
    double furthest = 0;
    for (std::size_t v = 0; v < disc.map.size(); ++v)
      furthest = std::max(furthest, distance(disc.positions[v], image_at(disc.map[v])));
    for (int i = 0; i < quads * quads; ++i) {
      const Vec2d middle{(i % quads + 0.5) / quads, (i / quads + 0.5) / quads};
      furthest = std::max(furthest, distance(surface_at(disc, middle), image_at(middle)));
    }
    EXPECT_NEAR(gi::map_distance(disc, n, positions), furthest, 1e-9) << seed;
  }
}

TEST(Sample, GivesTheSameBitsEveryTime) {
  const Disc disc = curved_disc(30, 8);
  std::vector<Vec3> first, second;
  gi::sample(disc, 6, first);
  gi::sample(disc, 6, second);
  EXPECT_EQ(first, second);
}

TEST(MapDistance, OfAFlatDiscIsRoundingAlone) {
  Disc disc = rough_disc(20, 0.2, 0.0, 3);
  gi::solve_map(disc, {});
  std::vector<Vec3> positions;
  gi::sample(disc, 5, positions);
  EXPECT_LT(gi::map_distance(disc, 5, positions), 1e-7);
}

TEST(MapDistance, OfATipBetweenGridPointsIsWhatTheImageCutsOff) {
  Disc disc{.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.25, 0.25, 1}},
            .triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
            .boundary = {0, 1, 2, 3},
            .map = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.25, 0.25}}};
  std::vector<Vec3> positions;
  gi::sample(disc, 1, positions);
  // The grid's middle is at two thirds of the tip's height; halfway from it to the corner at 0 the image is at a third.
  EXPECT_NEAR(gi::map_distance(disc, 1, positions), 2.0 / 3, 1e-7);
}

TEST(MapDistance, SeesTheMiddlesOfQuads) {
  const Disc disc = square_disc(1);
  std::vector<Vec3> positions;
  gi::sample(disc, 2, positions);
  EXPECT_LT(gi::map_distance(disc, 2, positions), 1e-7);
  positions[12].z = 1;  // no vertex of the disc is there; middles beside it along the diagonal are halfway up
  EXPECT_NEAR(gi::map_distance(disc, 2, positions), 0.5, 1e-7);
}

}  // namespace
}  // namespace lamella::test
