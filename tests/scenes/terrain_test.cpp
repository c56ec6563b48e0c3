#include "scenes/terrain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "lamella/error.hpp"

namespace lamella::scenes {
namespace {

std::uint64_t hash_of(const std::vector<float>& heights) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const float h : heights) hash = (hash ^ std::bit_cast<std::uint32_t>(h)) * 0x100000001b3ull;
  return hash;
}

TEST(Terrain, OfTheSmallestSizeHasNineHeights) {
  const std::vector<float> heights = fractal_heights(1);
  EXPECT_EQ(heights.size(), 9u);
  EXPECT_GT(std::count_if(heights.begin(), heights.end(), [](float h) { return h != 0; }), 7);
}

TEST(Terrain, RefinesTheOneBeforeToTheBit) {
  for (const float roughness : {0.3f, 0.5f, 0.8f}) {
    std::vector<float> coarse = fractal_heights(1, 7, roughness);
    for (int n = 2; n <= 10; ++n) {
      const std::vector<float> fine = fractal_heights(n, 7, roughness);
      const std::size_t side = (std::size_t{1} << n) + 1, half = side / 2 + 1;
      ASSERT_EQ(fine.size(), side * side);
      std::size_t different = 0;
      for (std::size_t y = 0; y < half; ++y) {
        for (std::size_t x = 0; x < half; ++x) different += fine[2 * y * side + 2 * x] != coarse[y * half + x];
      }
      EXPECT_EQ(different, 0u) << "n = " << n << ", roughness " << roughness;
      coarse = fine;
    }
  }
}

TEST(Terrain, HasTheSameBitsEverywhere) {
  EXPECT_EQ(hash_of(fractal_heights(9, 1, 0.5f)), 89945009598614493ull);
  EXPECT_EQ(hash_of(fractal_heights(9, 2, 0.6f)), 15554518648064593555ull);
}

TEST(Terrain, StaysWithinOneAndUsesAGoodPartOfIt) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    for (const float roughness : {0.1f, 0.5f, 0.9f}) {
      const std::vector<float> heights = fractal_heights(7, seed, roughness);
      const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
      EXPECT_GE(*low, -1);
      EXPECT_LE(*high, 1);
      EXPECT_GT(*high - *low, 0.1f) << "seed " << seed << ", roughness " << roughness;
    }
  }
}

/// Mean square of what a point differs from the mean of its neighbours.
double bumps(const std::vector<float>& heights) {
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(heights.size()))));
  double sum = 0;
  for (std::size_t i = side; i + side < heights.size(); ++i) {
    if (i % side == 0 || i % side + 1 == side) continue;
    const double mean = (double{heights[i - 1]} + heights[i + 1] + heights[i - side] + heights[i + side]) / 4;
    sum += (heights[i] - mean) * (heights[i] - mean);
  }
  return sum / static_cast<double>(heights.size());
}

TEST(Terrain, IsRougherWithMoreRoughness) {
  EXPECT_LT(4 * bumps(fractal_heights(8, 1, 0.4f)), bumps(fractal_heights(8, 1, 0.5f)));
  EXPECT_LT(4 * bumps(fractal_heights(8, 1, 0.5f)), bumps(fractal_heights(8, 1, 0.65f)));
}

TEST(Terrain, VariesWithTheSeed) { EXPECT_NE(fractal_heights(5, 1), fractal_heights(5, 2)); }

TEST(Terrain, RefusesWhatIsOutOfRange) {
  EXPECT_THROW((void)fractal_heights(0), Error);
  EXPECT_THROW((void)fractal_heights(14), Error);
  EXPECT_THROW((void)fractal_heights(5, 1, 0.0f), Error);
  EXPECT_THROW((void)fractal_heights(5, 1, 1.0f), Error);
  EXPECT_THROW((void)fractal_heights(5, 1, std::nanf("")), Error);
}

}  // namespace
}  // namespace lamella::scenes
