#include "core/positions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/lattice.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

/// As plainly as possible.
PositionFacts expected_facts(std::span<const Vec3> positions) {
  PositionFacts facts;
  for (const Vec3 p : positions) {
    if (usable(p))
      facts.box = extend(facts.box, p);
    else
      facts.usable = false;
  }
  return facts;
}

void expect_facts(std::span<const Vec3> positions, const char* what) {
  const PositionFacts expected = expected_facts(positions);
  std::vector<Vec3> copy(positions.size()), placed(positions.size());
  const Placement identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};
  for (const PositionFacts& facts : {inspect_positions(positions), copy_positions(positions, copy.data()),
                                     place_positions(positions, identity, placed.data())}) {
    EXPECT_EQ(facts.box, expected.box) << what << ", " << positions.size() << " positions";
    EXPECT_EQ(facts.usable, expected.usable) << what << ", " << positions.size() << " positions";
  }
  if (positions.empty()) return;  // nothing to compare, and no address
  EXPECT_EQ(std::memcmp(copy.data(), positions.data(), positions.size_bytes()), 0) << what;
}

TEST(Positions, AVertexWithAnUnusableCoordinateDoesNotCountAtAll) {
  const std::vector<Vec3> positions{{0, 0, 0}, {kNan, 1e6f, 0}, {1, 2, 3}};
  EXPECT_EQ(inspect_positions(positions).box, (Aabb{{0, 0, 0}, {1, 2, 3}}));
  EXPECT_EQ(bounds(Mesh{positions, {}}), (Aabb{{0, 0, 0}, {1, 2, 3}}));
}

TEST(Positions, UnusableVerticesAreLeftOutWhereverTheyAre) {
  test::Random random(11);
  const Vec3 broken[] = {{kNan, 1e6f, -1e6f}, {1e6f, kInf, 1e6f}, {-1e6f, 1e6f, -kInf}, {0x1.1p100f, 1e6f, 1e6f}};
  for (const std::size_t count : {1u, 3u, 16u, 17u, 40u, 1100u, 5000u})
    for (int round = 0; round < 20; ++round) {
      std::vector<Vec3> positions(count);
      for (Vec3& p : positions) p = random.in({{-3, -2, -1}, {1, 2, 3}});
      expect_facts(positions, "all usable");
      const auto last = static_cast<std::uint32_t>(count - 1);
      positions[round == 0 ? 0 : round == 1 ? last : random.below(last + 1)] = broken[round % 4];
      expect_facts(positions, "one unusable");
      for (int i = 0; i < 3; ++i) positions[random.below(last + 1)] = broken[random.below(4)];
      expect_facts(positions, "some unusable");
    }
}

/// Counts that leave every number of positions over behind the vectors.
TEST(Positions, ArePlacedInDoubleAndRoundedOnce) {
  test::Random random(12);
  for (std::size_t count = 0; count < 70; ++count) {
    Placement placement;
    for (Vec3d& row : placement.rows) row = to_double(random.in({{-1, -1, -1}, {1, 1, 1}}));
    placement.translation = to_double(random.in({{-9, -9, -9}, {9, 9, 9}}));
    std::vector<Vec3> positions(count), placed(count), expected(count);
    for (Vec3& p : positions) p = random.in({{-5, -5, -5}, {5, 5, 5}});
    if (count > 5) positions[random.below(static_cast<std::uint32_t>(count))][static_cast<int>(count % 3)] = 0x1p102f;
    for (std::size_t i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) {
        const Vec3d p = to_double(positions[i]), r = placement.rows[k];
        expected[i][k] = static_cast<float>(r.x * p.x + r.y * p.y + r.z * p.z + placement.translation[k]);
      }
    const PositionFacts facts = place_positions(positions, placement, placed.data()), of = expected_facts(expected);
    EXPECT_EQ(placed, expected);
    EXPECT_EQ(facts.box, of.box);
    EXPECT_EQ(facts.usable, of.usable);
  }
}

TEST(Positions, ACoordinateAtTheLimitIsUsableOneBeyondIsNot) {
  const float beyond = std::nextafter(kMaxCoordinate, kInf);
  for (int k = 0; k < 3; ++k)
    for (const float sign : {-1.0f, 1.0f})
      for (const std::size_t count : {1u, 40u}) {
        std::vector<Vec3> positions(count);
        positions[count / 2][k] = sign * kMaxCoordinate;
        expect_facts(positions, "at the limit");
        EXPECT_TRUE(inspect_positions(positions).usable);
        positions[count / 2][k] = sign * beyond;
        expect_facts(positions, "beyond the limit");
        EXPECT_FALSE(inspect_positions(positions).usable);
      }
}

TEST(Positions, TheReachIsTheLargestDistanceOfAUsablePositionRoundedUp) {
  test::Random random(13);
  for (std::size_t count = 0; count < 70; ++count) {
    const Vec3 center = random.in({{-5, -5, -5}, {5, 5, 5}});
    std::vector<Vec3> positions(count);
    for (Vec3& p : positions) p = random.in({{-9, -9, -9}, {9, 9, 9}});
    if (count > 3)
      for (const float broken : {kNan, kInf, -0x1.1p100f})
        positions[random.below(static_cast<std::uint32_t>(count))][static_cast<int>(random.below(3))] = broken;
    float most = 0;
    for (const Vec3 p : positions)
      if (usable(p)) most = std::max(most, dot(p - center, p - center));
    EXPECT_EQ(reach_from(center, positions), std::sqrt(most) * 1.000001f + 0x1p-73f);
  }
}

TEST(Positions, TheLargestIndexIsFoundWhereverItIs) {
  for (std::uint32_t count = 1; count < 40; ++count)
    for (std::uint32_t at = 0; at < 3 * count; ++at) {
      std::vector<std::uint32_t> indices(std::size_t{3} * count, 7);
      indices[at] = 0xfffffff0u + at % 16;
      EXPECT_EQ(max_index(make_view(static_cast<const float*>(nullptr), 0, indices.data(), count).triangles),
                indices[at]);
    }
  EXPECT_EQ(max_index({}), 0u);
}

TEST(Positions, NoUsableVertexGivesAnEmptyBox) {
  expect_facts({}, "none");
  expect_facts(std::vector<Vec3>(100, Vec3{1, kNan, 1}), "all unusable");
  EXPECT_TRUE(inspect_positions(std::vector<Vec3>(100, Vec3{1, kNan, 1})).box.empty());
}

TEST(Positions, TheReachCoversVerticesOfAnySize) {
  // At the smallest sizes the squares of distances underflow.
  for (const float size : {1e-37f, 1e-30f, 1e-24f, 3e-23f, 1e-20f, 1e-3f, 1.0f, 1e9f, 1e18f})
    for (std::size_t count = 1; count < 40; ++count) {
      std::vector<Vec3> positions(count, Vec3{size, 0, 0});
      positions[count / 2] = {-size, 2 * size, 3 * size};
      const double farthest = length(to_double(positions[count / 2]) - to_double(Vec3{size, 0, 0}));
      const double reach = reach_from({size, 0, 0}, positions);
      EXPECT_GE(reach, farthest) << size;
      EXPECT_LE(reach, farthest * 1.0001 + 0x1p-72) << size;
    }
}

TEST(Positions, BrokenVerticesDoNotCountForTheReach) {
  for (std::size_t count = 3; count < 40; ++count) {
    std::vector<Vec3> positions(count, Vec3{1, 0, 0});
    positions[count / 3] = {kNan, 9, 9};
    positions[count / 2] = {9, 9, kInf};
    positions[count - 1] = {9, 0x1.1p100f, 9};
    EXPECT_NEAR(reach_from({}, positions), 1, 1e-5) << count;
  }
}

}  // namespace
}  // namespace lamella
