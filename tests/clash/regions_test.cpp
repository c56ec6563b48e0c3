#include "clash/regions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "clash/boxes.hpp"
#include "lamella/clash.hpp"

namespace lamella {
namespace {

const Grid kGrid = square_grid({{0, 0, 0}, {4, 4, 10}}, Axis::z, 4);

TEST(ClashRegions, NeighboursThatOverlapInDepthAreOne) {
  const std::vector<Span> spans{{0, 1, 2}, {1, 1.5f, 3}, {5, 2.5f, 4}};
  const clash::Regions regions = clash::find_regions(kGrid, spans, {{100, 0, 0}, {}});
  ASSERT_EQ(regions.count, 1u);
  EXPECT_DOUBLE_EQ(regions.largest[0].volume, 4);
  EXPECT_EQ(regions.largest[0].min, (Vec3d{100, 0, 1}));
  EXPECT_EQ(regions.largest[0].max, (Vec3d{102, 2, 4}));
}

TEST(ClashRegions, AreInTheWorldWhateverWayTheGridIsTurned) {
  const std::vector<Span> spans{{0, 1, 2}, {1, 1.5f, 3}, {3, 2, 3}};
  const double eighth = std::numbers::pi / 4;
  const clash::Regions turned = clash::find_regions(kGrid, spans, {{100, 0, 0}, rotation_about({0, 0, 1}, 2 * eighth)});
  ASSERT_EQ(turned.count, 2u);
  EXPECT_LT(length(turned.largest[0].min - Vec3d{99, 0, 1}), 1e-14);
  EXPECT_LT(length(turned.largest[0].max - Vec3d{100, 2, 3}), 1e-14);
  EXPECT_LT(length(turned.min - Vec3d{99, 0, 1}), 1e-14);
  EXPECT_LT(length(turned.max - Vec3d{100, 4, 3}), 1e-14);
  // A column that is turned by an eighth reaches as far as its diagonal.
  const Span one[] = {{0, 1, 2}};
  const clash::Regions tilted = clash::find_regions(kGrid, one, {{}, rotation_about({0, 0, 1}, eighth)});
  EXPECT_LT(length(tilted.largest[0].centroid - Vec3d{0, std::sqrt(0.5), 1.5}), 1e-14);
  EXPECT_LT(length(tilted.min - Vec3d{-std::sqrt(0.5), 0, 1}), 1e-14);
  EXPECT_LT(length(tilted.max - Vec3d{std::sqrt(0.5), std::sqrt(2), 2}), 1e-14);
}

TEST(ClashRegions, SpansOfOneColumnAndColumnsApartAreSeveralTheLargestFirst) {
  const std::vector<Span> spans{{0, 1, 2}, {0, 5, 9}, {3, 1, 3}};
  const clash::Regions regions = clash::find_regions(kGrid, spans, {});
  ASSERT_EQ(regions.count, 3u);
  EXPECT_DOUBLE_EQ(regions.largest[0].volume, 4);
  EXPECT_DOUBLE_EQ(regions.largest[1].volume, 2);
  EXPECT_DOUBLE_EQ(regions.largest[2].volume, 1);
  EXPECT_EQ(regions.largest[1].centroid, (Vec3d{3.5, 0.5, 2}));
}

TEST(ClashRegions, RowsDoNotWrapAround) {
  const std::vector<Span> spans{{3, 1, 2}, {4, 1, 2}};  // the end of one row, the start of the next
  EXPECT_EQ(clash::find_regions(kGrid, spans, {}).count, 2u);
}

TEST(ClashRegions, ThinWallsStayConnectedWhereTheyAreTilted) {
  // A wall of 0.1, facing the rays in row 2; in row 0 it is tilted: spans are four times as long, and far apart.
  const std::vector<Span> spans{{0, 5, 5.4f}, {1, 8, 8.4f}, {8, 1, 1.1f}, {9, 1, 1.1f}, {10, 1, 1.1f}, {11, 1, 1.1f}};
  EXPECT_EQ(clash::find_regions(kGrid, spans, {}, clash::Walls::thick).count, 3u);
  EXPECT_EQ(clash::find_regions(kGrid, spans, {}, clash::Walls::thin).count, 2u);
}

TEST(ClashRegions, OnlyTheLargestAreListed) {
  const Grid wide = square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, 64);
  std::vector<Span> spans;
  for (std::uint32_t v = 0; v < 64; v += 2)
    for (std::uint32_t u = 0; u < 64; u += 2) spans.push_back({v * 64 + u, 0, 1});
  const clash::Regions regions = clash::find_regions(wide, spans, {});
  EXPECT_EQ(regions.count, 32u * 32u);
  EXPECT_EQ(regions.largest.size(), clash::kMostRegions);
}

TEST(ClashRegions, OfAForkInABlockAreItsTines) {
  // Three tines, of which the first two go 0.2 deep and the third 0.4: volumes 0.02, 0.02 and 0.04 of 0.1 x 1 tines.
  Mesh fork;
  for (int i = 0; i < 3; ++i) {
    const float x = static_cast<float>(i), deep = i == 2 ? 0.4f : 0.2f;
    const Mesh tine = test::box_mesh({x, 0, -deep}, {x + 0.1f, 1, 2});
    const auto first = static_cast<std::uint32_t>(fork.positions.size());
    fork.positions.insert(fork.positions.end(), tine.positions.begin(), tine.positions.end());
    for (Triangle t : tine.triangles) fork.triangles.push_back({t.a + first, t.b + first, t.c + first});
  }
  const ClashReport report = find_clashes(test::two_parts(fork, test::box_mesh({-5, -5, -5}, {5, 5, 0})));
  ASSERT_EQ(report.pairs.size(), 1u);
  const ClashPair& p = report.pairs[0];
  ASSERT_EQ(p.region_count, 3u);
  EXPECT_NEAR(p.volume, 0.08, 3 * p.volume_error);
  EXPECT_NEAR(p.regions[0].volume, 0.04, 0.004);
  EXPECT_NEAR(p.regions[0].centroid.x, 2.05, 0.03);
  EXPECT_NEAR(p.regions[1].volume, 0.02, 0.002);
  double sum = 0;
  for (const ClashRegion& r : p.regions) sum += r.volume;
  EXPECT_NEAR(sum, p.volume, 1e-9);
}

}  // namespace
}  // namespace lamella
