#include "core/positions.hpp"

#include <gtest/gtest.h>

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
