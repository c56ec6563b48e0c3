// The walk over a vector of columns against the walk along one: columns of every length, with ties, closed, open and
// inside out, on every instruction set.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "engines/software/engines.hpp"
#include "engines/software/tile_walk.hpp"
#include "lamella/ldi_query.hpp"
#include "query/ldi_queries.hpp"
#include "query/point_lookup.hpp"
#include "support/closed_meshes.hpp"
#include "support/instruction_sets.hpp"

namespace lamella::software {
namespace {

using test::Random;

/// How the columns of a random image are.
struct Kind {
  std::uint32_t most_pairs;  ///< of an entry and an exit
  std::uint32_t depths;      ///< different depths: few make ties
  bool alternating, some_open, some_inside_out;
};

Ldi any_columns(Random& random, const Grid& grid, const Kind& kind) {
  Ldi ldi;
  ldi.grid = grid;
  ldi.offsets.push_back(0);
  for (std::size_t i = 0; i < grid.column_count(); ++i) {
    std::vector<Crossing> column;
    const auto depth = [&] {
      return static_cast<float>(random.below(kind.depths)) / static_cast<float>(kind.depths) * grid.depth();
    };
    const std::uint32_t pairs = random.below(3) == 0 ? 0 : random.below(kind.most_pairs + 1);
    std::vector<float> depths(2 * pairs);
    for (float& d : depths) d = depth();
    if (kind.alternating) std::sort(depths.begin(), depths.end());
    for (std::uint32_t k = 0; k < pairs; ++k) {
      float low = std::min(depths[2 * k], depths[2 * k + 1]), high = std::max(depths[2 * k], depths[2 * k + 1]);
      if (kind.some_inside_out && random.below(10) == 0) std::swap(low, high);
      column.push_back(Crossing::make(low, true));
      column.push_back(Crossing::make(high, false));
    }
    if (kind.some_open && random.below(10) == 0) column.push_back(Crossing::make(depth(), random.below(2) == 0));
    std::sort(column.begin(), column.end());
    ldi.crossings.insert(ldi.crossings.end(), column.begin(), column.end());
    ldi.offsets.push_back(static_cast<std::uint32_t>(ldi.crossings.size()));
  }
  return ldi;
}

/// The columns of an image of one tile, in any order within each column.
void fill(Random& random, const Ldi& ldi, Layers& layers, bool faces = false) {
  const Tiling tiling = choose_tiling(ldi.grid, 1);
  ASSERT_EQ(tiling.count(), 1u);
  layers.start(tiling, 0, faces, 1 << 20);
  std::vector<std::uint32_t> columns, keys, numbers;
  for (std::uint32_t v = 0; v < ldi.grid.rows; ++v)
    for (std::uint32_t u = 0; u < ldi.grid.columns; ++u)
      for (const Crossing c : ldi.column(v * ldi.grid.columns + u)) {
        columns.push_back(v * layers.stride() + u);
        keys.push_back(c.key);
      }
  for (std::size_t i = columns.size(); i > 1; --i) {
    const std::size_t k = random.below(static_cast<std::uint32_t>(i));
    std::swap(columns[i - 1], columns[k]);
    std::swap(keys[i - 1], keys[k]);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) numbers.push_back(random.below(50));
  layers.take({columns.data(), keys.data(), numbers.data(), columns.size()});
}

std::vector<Span> spans_of(const SpanList& list) { return {list.data(), list.data() + list.size()}; }

struct Walked {
  SpanList spans, inside_out;
  ColumnCounts counts;
};

constexpr Kind kKinds[] = {
    {2, 1000, true, false, false}, {2, 6, true, false, false},     {3, 1000, false, false, false},
    {4, 8, false, true, true},     {6, 1000, true, true, false},   {9, 1000, false, true, true},
    {12, 40, false, false, true},  {15, 1000, true, false, false}, {25, 1000, false, true, false},
    {40, 20, false, true, true},
};

class TileWalk : public testing::TestWithParam<Kind> {
 protected:
  /// Calls check(random, grid) for some images and every instruction set.
  template <class Check>
  void for_images(const Check& check) {
    const int tried = test::for_each_instruction_set([&] {
      for (std::uint32_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(testing::Message() << instruction_set() << ", seed " << seed);
        Random random(seed);
        const Grid grid{{{0, 0, 0}, {1, 1, 2}}, Axis::z, 1 + random.below(70), 1 + random.below(9)};
        check(random, grid);
        if (HasFatalFailure()) return;
      }
    });
    EXPECT_GE(tried, 2) << "nothing was compared";
  }
};

TEST_P(TileWalk, PairsHaveTheSpansAndCountsOfTheWalkAlongOneColumn) {
  for_images([&](Random& random, const Grid& grid) {
    const Ldi a = any_columns(random, grid, GetParam());
    const Ldi b =
        any_columns(random, grid, random.below(2) == 0 ? GetParam() : kKinds[random.below(std::size(kKinds))]);
    const float min_thickness = random.below(2) == 0 ? 0 : 0.02f;
    Overlap expected;
    lamella::intersect(a, b, min_thickness, expected);
    Layers in_a, in_b;
    fill(random, a, in_a);
    fill(random, b, in_b);
    Walked found;
    for (std::uint32_t row = 0; row < grid.rows; ++row)
      walk_pair(in_a, in_b, row, {row * grid.columns, min_thickness * grid.depth(), found.spans, found.counts});
    ASSERT_EQ(spans_of(found.spans), expected.spans);
    EXPECT_EQ(found.counts.open, expected.health.open_columns);
    EXPECT_EQ(found.counts.occupied, expected.health.occupied_columns);
    EXPECT_EQ(found.counts.inside_out, expected.health.inside_out_columns);
  });
}

TEST_P(TileWalk, SelfOverlapHasTheSpansAndCountsOfTheWalkAlongOneColumn) {
  for_images([&](Random& random, const Grid& grid) {
    const Ldi ldi = any_columns(random, grid, GetParam());
    const float min_thickness = random.below(2) == 0 ? 0 : 0.02f;
    SelfOverlap expected;
    lamella::self_intersect(ldi, min_thickness, expected);
    Layers layers;
    fill(random, ldi, layers);
    Walked found;
    for (std::uint32_t row = 0; row < grid.rows; ++row)
      walk_self(layers, row, {row * grid.columns, min_thickness * grid.depth(), found.spans, found.counts},
                found.inside_out);
    ASSERT_EQ(spans_of(found.spans), expected.spans);
    ASSERT_EQ(spans_of(found.inside_out), expected.inside_out);
    EXPECT_EQ(found.counts.open, expected.health.open_columns);
    EXPECT_EQ(found.counts.occupied, expected.health.occupied_columns);
    EXPECT_EQ(found.counts.inside_out, expected.health.inside_out_columns);
  });
}

TEST_P(TileWalk, ColumnsAreCountedAsOfAnLdi) {
  Workers workers(1);
  for_images([&](Random& random, const Grid& grid) {
    const Ldi ldi = any_columns(random, grid, GetParam());
    const Health expected = health_of_columns(ldi, workers);
    Layers layers;
    fill(random, ldi, layers);
    ColumnCounts found;
    for (std::uint32_t row = 0; row < grid.rows; ++row)
      check_columns(layers, row, QueryOptions{}.min_thickness * grid.depth(), found);
    EXPECT_EQ(found.open, expected.open_columns);
    EXPECT_EQ(found.occupied, expected.occupied_columns);
    EXPECT_EQ(found.inside_out, expected.inside_out_columns);
  });
}

TEST_P(TileWalk, RowsComeOutSortedWithTheLengthsOfTheirColumns) {
  for_images([&](Random& random, const Grid& grid) {
    const Ldi ldi = any_columns(random, grid, GetParam());
    Layers plain, with_faces;
    fill(random, ldi, plain);
    fill(random, ldi, with_faces, true);
    RecordList<Crossing> crossings;
    RecordList<FaceCrossing> faces;
    std::vector<std::uint32_t> lengths(grid.columns), lengths_of_faces(grid.columns);
    for (std::uint32_t row = 0; row < grid.rows; ++row) {
      const std::size_t before = crossings.size(), before_faces = faces.size();
      ASSERT_EQ(before, before_faces);
      sort_row(plain, row, crossings, lengths.data());
      sort_row(with_faces, row, faces, lengths_of_faces.data());
      ASSERT_EQ(lengths, lengths_of_faces);
      std::size_t at = before;
      for (std::uint32_t u = 0; u < grid.columns; ++u) {
        const auto column = ldi.column(row * grid.columns + u);
        ASSERT_EQ(lengths[u], column.size());
        for (std::size_t i = 0; i < column.size(); ++i, ++at) {
          ASSERT_EQ(crossings.data()[at], column[i]);
          ASSERT_EQ(faces.data()[at].crossing(), column[i]);
          if (i > 0) ASSERT_LE(faces.data()[at - 1], faces.data()[at]);
        }
      }
      ASSERT_EQ(at, crossings.size());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, TileWalk, testing::ValuesIn(kKinds),
                         [](const testing::TestParamInfo<Kind>& i) { return "Kind" + std::to_string(i.index); });

/// A network sorts everything if it sorts all lists of two different values; the longer ones are tried with many.
TEST(SortNetworks, SortColumnsOfTwoValuesFromEveryOrder) {
  test::for_each_instruction_set([&] {
    SCOPED_TRACE(instruction_set());
    Random random(5);
    for (std::uint32_t n = 1; n < kLayers; ++n) {
      const std::uint32_t patterns = std::min(1u << std::min(n, 12u), 4096u);
      const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 128, (patterns + 127) / 128};
      Layers layers;
      layers.start(choose_tiling(grid, 1), 0, false, 0);
      std::vector<std::uint32_t> columns, keys, ones(grid.column_count());
      for (std::uint32_t i = 0; i < patterns; ++i)
        for (std::uint32_t k = 0; k < n; ++k) {
          const bool one = n <= 12 ? (i >> k) % 2 != 0 : random.below(2) == 0;
          columns.push_back(i / 128 * layers.stride() + i % 128);
          keys.push_back(one ? 900 : 5);
          ones[i] += one ? 1 : 0;
        }
      layers.take({columns.data(), keys.data(), nullptr, keys.size()});
      RecordList<Crossing> sorted;
      std::vector<std::uint32_t> lengths(128);
      for (std::uint32_t row = 0; row < grid.rows; ++row) sort_row(layers, row, sorted, lengths.data());
      ASSERT_EQ(sorted.size(), std::size_t{patterns} * n);
      for (std::uint32_t i = 0; i < patterns; ++i)
        for (std::uint32_t k = 0; k < n; ++k)
          ASSERT_EQ(sorted.data()[std::size_t{i} * n + k].key, k < n - ones[i] ? 5u : 900u) << n << " crossings";
    }
  });
}

}  // namespace
}  // namespace lamella::software
