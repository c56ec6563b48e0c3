#include "query/contains_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "query/sparse.hpp"

namespace lamella {
namespace {

/// Four columns along z. All but the last two crossings belong to the second column, which no test visits.
struct FourColumns {
  explicit FourColumns(std::span<Crossing> crossings) : view{grid, End::both, offsets, crossings} {
    const auto count = static_cast<std::uint32_t>(crossings.size());
    offsets = {0, 2, count - 2, count - 2, count};
    crossings[0] = crossings[count - 2] = Crossing::make(0.25f, true);
    crossings[1] = crossings[count - 1] = Crossing::make(0.75f, false);
  }
  Grid grid{{{0, 0, 0}, {4, 1, 1}}, Axis::z, 4, 1};
  std::array<std::uint32_t, 5> offsets;
  ColumnsView view;
};

void expect_flags(std::span<Crossing> crossings) {
  const FourColumns columns(crossings);
  std::vector<Vec3> points;
  std::vector<std::uint8_t> expected;
  for (int i = 0; i < 37; ++i) {
    const auto depth = static_cast<float>(i) / 36;
    for (const float x : {0.5f, 2.5f, 3.5f}) {
      points.push_back({x, 0.5f, depth});
      expected.push_back(x != 2.5f && depth > 0.25f && depth <= 0.75f ? 1 : 0);
    }
  }
  std::vector<std::uint8_t> flags(points.size(), 7);
  const PointCounts counts = flag_points(columns.view, points, flags.data());
  EXPECT_EQ(flags, expected);
  EXPECT_EQ(counts.inside, static_cast<std::uint64_t>(std::count(expected.begin(), expected.end(), 1)));
  EXPECT_EQ(counts.untrusted, 0u);
}

TEST(FlagPoints, LooksEveryPointUpInItsColumn) {
  std::vector<Crossing> crossings(10);
  expect_flags(crossings);
}

TEST(FlagPoints, CrossingsBeyondTwoToThePowerOf31AreFoundToo) {
  for (const std::size_t count : {std::size_t{1} << 31, (std::size_t{1} << 31) + 2, (std::size_t{1} << 32) - 1}) {
    const test::Sparse<Crossing> crossings(count);
    if (!crossings.exists()) GTEST_SKIP() << "no room for " << count << " crossings in the address space";
    expect_flags(crossings.get());
  }
}

}  // namespace
}  // namespace lamella
