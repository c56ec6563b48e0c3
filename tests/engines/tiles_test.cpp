// How a grid is cut into tiles, and how crossings get into them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "engines/software/tile.hpp"
#include "engines/software/tile_bins.hpp"
#include "engines/software/tile_runs.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::software {
namespace {

using test::Random;

Grid grid_of(std::uint32_t columns, std::uint32_t rows) { return {{{0, 0, 0}, {1, 1, 1}}, Axis::z, columns, rows}; }

TEST(Tiling, EveryCellIsInOneTile) {
  for (const auto& [columns, rows] :
       {std::pair{1u, 1u}, {7u, 300u}, {300u, 7u}, {128u, 128u}, {129u, 200u}, {700u, 500u}})
    for (const unsigned workers : {1u, 2u, 16u, 1000u}) {
      const Tiling t = choose_tiling(grid_of(columns, rows), workers);
      std::vector<int> covered(std::size_t{columns} * rows);
      for (std::size_t i = 0; i < t.count(); ++i) {
        const Window w = t.window(i);
        ASSERT_FALSE(w.empty());
        ASSERT_LE(w.end_u - w.first_u, t.stride());
        for (std::uint32_t v = w.first_v; v < w.end_v; ++v)
          for (std::uint32_t u = w.first_u; u < w.end_u; ++u) ++covered[std::size_t{v} * columns + u];
      }
      EXPECT_TRUE(std::all_of(covered.begin(), covered.end(), [](int n) { return n == 1; }))
          << columns << " x " << rows << ", " << workers << " workers";
    }
}

TEST(Tiling, TilesFitACacheAndThereAreSomeForEachWorker) {
  for (const std::uint32_t n : {64u, 128u, 512u, 1024u, 16384u})
    for (const unsigned workers : {1u, 2u, 16u}) {
      const Tiling t = choose_tiling(grid_of(n, n), workers);
      const std::size_t columns = std::size_t{t.width()} * t.height();
      EXPECT_LE(columns, 16384u);
      if (workers > 1 && n >= 512) EXPECT_GE(t.count(), 4u * workers);
      if (n >= 64) EXPECT_GE(columns, 1024u);
    }
  EXPECT_EQ(choose_tiling(grid_of(128, 128), 1).count(), 1u) << "triangles need not be sorted into tiles";
}

/// A column keeps its crossings in the order in which they came; those beyond the layers are kept apart.
TEST(Layers, KeepAnyNumberOfCrossingsInEveryColumn) {
  Random random(1);
  Layers layers;
  for (const bool faces : {false, true, false}) {
    const Tiling tiling = choose_tiling(grid_of(70, 9), 1);
    layers.start(tiling, 0, faces, 1 << 20);
    std::map<std::uint32_t, std::vector<std::uint32_t>> expected;
    for (int round = 0; round < 200; ++round) {
      std::vector<std::uint32_t> columns, keys, numbers;
      for (std::uint32_t i = 0; i < 50; ++i) {
        const std::uint32_t u = random.below(2) == 0 ? 5 : random.below(70), v = random.below(9);
        columns.push_back(v * layers.stride() + u);
        keys.push_back(random.below(1000));
        numbers.push_back(keys.back() + 7);
        expected[columns.back()].push_back(keys.back());
      }
      layers.take({columns.data(), keys.data(), numbers.data(), columns.size()});
    }
    EXPECT_EQ(layers.crossing_count(), 200u * 50u);
    bool some_deep = false;
    for (auto& [column, keys] : expected) {
      const std::size_t in_layers = std::min<std::size_t>(keys.size(), kLayers);
      ASSERT_EQ(layers.count()[column], in_layers);
      for (std::size_t i = 0; i < in_layers; ++i) {
        ASSERT_EQ(layers.key()[i * layers.plane() + column], keys[i]);
        if (faces) ASSERT_EQ(layers.face()[i * layers.plane() + column], keys[i] + 7);
      }
      ASSERT_EQ(layers.deep(column).size(), keys.size() - in_layers);
      for (const DeepCrossing& c : layers.deep(column)) ASSERT_EQ(c.face, faces ? c.key + 7 : 0);
      some_deep = some_deep || keys.size() > kLayers;
      std::sort(keys.begin(), keys.end());
      ASSERT_EQ(layers.sorted_keys(column), keys);
    }
    EXPECT_TRUE(some_deep);
  }
}

TEST(Layers, MoreCrossingsBeyondTheLayersThanAllowedAreAnError) {
  Layers layers;
  const Tiling tiling = choose_tiling(grid_of(4, 4), 1);
  const std::vector<std::uint32_t> column(kLayers + 3, 2), key(kLayers + 3, 9);
  layers.start(tiling, 0, false, 3);
  layers.take({column.data(), key.data(), nullptr, kLayers + 3});
  EXPECT_EQ(layers.crossing_count(), kLayers + 3u);
  layers.start(tiling, 0, false, 2);
  EXPECT_THROW(layers.take({column.data(), key.data(), nullptr, kLayers + 3}), Error);
}

TEST(TileBins, CrossingsComeOutInTheirTilesWithTheirColumns) {
  struct Noted : SampleSink {
    void take(const Samples& s) override {
      for (std::size_t i = 0; i < s.count; ++i)
        found.push_back({s.column[i], s.key[i], s.face == nullptr ? 0 : s.face[i]});
    }
    std::vector<std::array<std::uint32_t, 3>> found;
  };
  Random random(2);
  TileBins bins;
  for (const bool faces : {false, true, false}) {
    const Tiling tiling = choose_tiling(grid_of(300, 201), 4);
    ASSERT_GT(tiling.count(), 10u);
    bins.start(tiling, faces);
    std::vector<std::vector<std::array<std::uint32_t, 3>>> expected(tiling.count());
    for (int round = 0; round < 40; ++round) {
      std::vector<std::uint32_t> columns, keys, numbers;
      for (std::uint32_t i = 0; i < 300; ++i) {
        const std::uint32_t u = random.below(random.below(3) == 0 ? 300 : 20), v = random.below(201);
        columns.push_back(v << TileBins::kRowShift | u);
        keys.push_back(random.below(1u << 30));
        numbers.push_back(random.below(1u << 30));
        const std::uint32_t tile = (v >> tiling.shift_v) * tiling.across + (u >> tiling.shift_u);
        const Window w = tiling.window(tile);
        ASSERT_TRUE(w.first_u <= u && u < w.end_u && w.first_v <= v && v < w.end_v);
        expected[tile].push_back(
            {(v - w.first_v) * tiling.stride() + u - w.first_u, keys.back(), faces ? numbers.back() : 0});
      }
      bins.take({columns.data(), keys.data(), numbers.data(), columns.size()});
    }
    for (std::size_t tile = 0; tile < tiling.count(); ++tile) {
      Noted noted;
      bins.empty_into(tile, noted);
      EXPECT_EQ(bins.any(tile), !expected[tile].empty());
      std::sort(noted.found.begin(), noted.found.end());
      std::sort(expected[tile].begin(), expected[tile].end());
      ASSERT_EQ(noted.found, expected[tile]) << "tile " << tile;
    }
  }
}

TEST(TileRuns, RecordsComeInTheOrderOfTheImage) {
  Random random(3);
  const Tiling tiling = choose_tiling(grid_of(200, 150), 3);
  TileRuns<std::uint32_t> runs;
  runs.start(tiling, 3);
  for (std::uint32_t first = 0; first < tiling.down; ++first) {  // a row of tiles at a time
    runs.begin_rows(first, first + 1);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < tiling.across; ++i) order.push_back(first * tiling.across + i);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    order.pop_back();  // not every tile has something
    std::vector<std::vector<std::uint32_t>> expected(150);
    for (const std::size_t tile : order) {
      const unsigned worker = random.below(3);
      const Window w = tiling.window(tile);
      runs.begin_tile(tile, worker);
      for (std::uint32_t v = w.first_v; v < w.end_v; ++v) {
        for (std::uint32_t u = w.first_u; u < w.end_u; ++u)
          if (random.below(3) == 0) {
            runs.list(worker).add(v * 200 + u);
            expected[v].push_back(v * 200 + u);
          }
        runs.end_row(tile, v - w.first_v);
      }
    }
    for (std::uint32_t v = first << tiling.shift_v; v < std::min((first + 1) << tiling.shift_v, 150u); ++v) {
      std::vector<std::uint32_t> found;
      runs.for_row(v, [&](std::span<const std::uint32_t> run) { found.insert(found.end(), run.begin(), run.end()); });
      std::sort(expected[v].begin(), expected[v].end());
      ASSERT_EQ(found, expected[v]) << "row " << v;
      EXPECT_EQ(runs.count_in(v), expected[v].size());
    }
  }
}

}  // namespace
}  // namespace lamella::software
