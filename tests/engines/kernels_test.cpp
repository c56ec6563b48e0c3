#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "engines/software/kernels.hpp"
#include "lamella/ldi.hpp"
#include "support/closed_meshes.hpp"
#include "support/instruction_sets.hpp"

namespace lamella::software {
namespace {

using CullFunction = decltype(&cull);
constexpr CullFunction kCulls[] = {cull, cull_by_gathers, cull_by_loads};

TEST(Kernels, CullNoticesAnIndexOutOfRangeWhereverItIs) {
  const std::vector<CellCode> codes(4);
  for (const CullFunction cull_function : kCulls)
    for (const std::size_t n : {1u, 2u, 11u, 100u, 600u})
      for (std::size_t at = 0; at < 3 * n; ++at) {
        std::vector<Triangle> triangles(n, Triangle{1, 2, 3});
        std::vector<std::uint32_t> ids(n + kMaxLanes);
        EXPECT_EQ(cull_function(triangles, codes, 0, ids.data()), 0u);
        std::uint32_t Triangle::*const corners[] = {&Triangle::a, &Triangle::b, &Triangle::c};
        triangles[at / 3].*corners[at % 3] = at % 2 == 0 ? 4 : 4'000'000'000u;
        EXPECT_EQ(cull_function(triangles, codes, 0, ids.data()), kBadIndex) << n << " triangles, at " << at;
      }
}

TEST(Kernels, CullNoticesThatThereAreNoVerticesAtAll) {
  for (const CullFunction cull_function : kCulls)
    for (const std::size_t n : {1u, 16u, 40u}) {
      std::vector<std::uint32_t> ids(n + kMaxLanes);
      EXPECT_EQ(cull_function(std::vector<Triangle>(n), {}, 0, ids.data()), kBadIndex) << n << " triangles";
    }
}

TEST(Kernels, CodesCountTheSamplesBeforeTheReferencesLatticePoint) {
  test::Random random(3);
  for (int round = 0; round < 60; ++round) {
    const Grid grid = test::random_grid(random);
    const RasterTarget target = make_target(grid, whole(grid));
    const std::uint32_t n = 1 + random.below(100);
    std::vector<Vec3> positions(n);
    for (Vec3& p : positions) p = test::random_vertex(random, grid);
    const bool broken = round % 3 == 0;
    if (broken) positions[random.below(n)].y = NAN;
    std::vector<CellCode> codes(n + 1, CellCode{777, 777});
    EXPECT_EQ(encode(positions, target, codes.data()), broken ? 1u : 0u);
    EXPECT_EQ(codes.back().first, 777) << "wrote beyond its part";
    const auto samples_before = [](std::int64_t x, std::uint32_t cells) {
      std::uint32_t count = 0;
      while (count < cells && (static_cast<std::int64_t>(count) + 1) * kSubStep < x) ++count;
      return count;
    };
    for (std::size_t i = 0; i < n; ++i) {
      LatticeVertex exact;
      if (!place(positions[i], grid, target.lattice, exact)) continue;
      const bool swapped = grid.axis == Axis::y;
      EXPECT_EQ(swapped ? codes[i].second : codes[i].first, samples_before(exact.u, grid.columns));
      EXPECT_EQ(swapped ? codes[i].first : codes[i].second, samples_before(exact.v, grid.rows));
    }
  }
}

TEST(Kernels, CullKeepsExactlyTheTrianglesWhoseBoxHoldsASample) {
  test::Random random(4);
  std::vector<CellCode> codes(500);
  for (CellCode& c : codes)
    c = {static_cast<std::uint16_t>(random.below(20)), static_cast<std::uint16_t>(random.below(4))};
  for (const CullFunction cull_function : kCulls)
    for (const std::size_t n : {0u, 1u, 15u, 16u, 17u, 511u, 512u, 513u, 3000u}) {
      std::vector<Triangle> triangles(n);
      std::vector<std::uint32_t> expected, ids(n + kMaxLanes);
      for (std::size_t i = 0; i < n; ++i) {
        triangles[i] = {random.below(500), random.below(500), random.below(500)};
        if (random.below(2) == 0) triangles[i].b = triangles[i].c = triangles[i].a;
        const auto differ = [&](auto member) {
          const auto a = codes[triangles[i].a].*member;
          return a != codes[triangles[i].b].*member || a != codes[triangles[i].c].*member;
        };
        if (differ(&CellCode::first) && differ(&CellCode::second))
          expected.push_back(static_cast<std::uint32_t>(100 + i));
      }
      ids.resize(cull_function(triangles, codes, 100, ids.data()));
      EXPECT_EQ(ids, expected) << n << " triangles";
    }
}

/// Lattice coordinates there are 0 times infinity.
TEST(Kernels, CodesInABoxTooSmallForTheLatticeAreTheSameForFewVerticesAndMany) {
  const Grid grid{{{0, 0, 0}, {0x1p-140f, 0x1p-140f, 1}}, Axis::z, 128, 128};
  const RasterTarget target = make_target(grid, whole(grid));
  ASSERT_TRUE(std::isinf(target.lattice.scale_u));
  for (const std::size_t n : {1u, 100u}) {
    const std::vector<Vec3> positions(n, Vec3{0, 0, 0.5f});
    std::vector<CellCode> codes(n, CellCode{777, 777});
    EXPECT_EQ(encode(positions, target, codes.data()), 0u);
    for (const CellCode c : codes) {
      EXPECT_EQ(c.first, 0) << n << " vertices";
      EXPECT_EQ(c.second, 0) << n << " vertices";
    }
  }
}

/// Keeps all samples.
struct CollectingSink : SampleSink {
  void take(const Samples& samples) override {
    ++takes;
    for (std::size_t i = 0; i < samples.count; ++i) taken.emplace_back(samples.column[i], samples.key[i]);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
  int takes = 0;
};

TEST(Kernels, ABatchOfTheLargestBoxesMakesMoreSamplesThanItHoldsAndLosesNone) {
  const std::uint32_t n = 64, count = Batch::kCapacity;
  const Grid grid{{{0, 0, 0}, {64, 64, 1}}, Axis::z, n, n};
  const RasterTarget target = make_target(grid, whole(grid));
  const Mesh mesh{{{1, 1, 0.5f}, {30.9f, 1, 0.5f}, {1, 30.9f, 0.5f}}, std::vector<Triangle>(count, {0, 1, 2})};
  const auto scratch = std::make_unique<Batch>();
  std::vector<std::uint32_t> ids(count), left(Batch::kPadded);
  std::iota(ids.begin(), ids.end(), 0u);
  const auto rasterized = [&](std::uint32_t some) {
    CollectingSink sink;
    const RasterRegion region{whole(grid), 0, 0, n, false, kMaxBatchExtent};
    EXPECT_EQ(rasterize({std::span(ids).first(some), mesh}, target, region, *scratch, sink, left.data()), 0u);
    EXPECT_EQ(scratch->samples, 0u);
    if (some > 16) EXPECT_GT(sink.takes, 1);
    std::sort(sink.taken.begin(), sink.taken.end());
    return sink.taken;
  };
  const auto one = rasterized(1);
  ASSERT_GT(one.size(), 400u);
  for (const std::uint32_t some : {2u, 17u, count}) {
    const auto all = rasterized(some);
    ASSERT_EQ(all.size(), some * one.size());
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], one[i / some]);
  }
}

/// The samples of a triangle are the same in whatever parts of the image it is rasterised, box by box or large.
TEST(Kernels, ATriangleHasTheSameSamplesInParts) {
  const std::uint32_t n = 128;
  const Grid grid{{{0, 0, 0}, {128, 128, 1}}, Axis::z, n, n};
  const RasterTarget target = make_target(grid, whole(grid));
  const auto scratch = std::make_unique<Batch>();
  std::vector<std::uint32_t> left(Batch::kPadded);
  test::Random random(4);
  const std::uint32_t id = 0;
  for (int round = 0; round < 300; ++round) {
    const float size = std::exp2(static_cast<float>(random.below(6)));  // up to 32 samples: some are too large
    const Vec3 at = random.in({{33, 33, 0}, {90, 90, 1}});
    Mesh mesh{{at, at, at}, {{0, 1, 2}}};
    for (Vec3& p : mesh.positions) p = p + random.in({{-size, -size, 0}, {size, size, 0.5f}});
    const auto rasterized = [&](const Window& cells, std::int32_t limit) {
      CollectingSink sink;
      const RasterRegion region{cells, cells.first_u / 2, cells.first_v / 3, n, false, limit};
      const std::size_t left_out = rasterize({{&id, 1}, mesh}, target, region, *scratch, sink, left.data());
      for (auto& [column, key] : sink.taken) column += region.first_v * n + region.first_u;
      return std::pair(sink.taken, left_out);
    };
    auto [expected, left_out] = rasterized(whole(grid), kMaxBatchExtent);
    std::sort(expected.begin(), expected.end());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
    for (const Window& w : {Window{0, 0, 61, 128}, Window{61, 0, 128, 47}, Window{61, 47, 128, 128}}) {
      const auto [part, left_of_part] = rasterized(w, kMaxBatchExtent);
      EXPECT_EQ(left_of_part, left_out);
      parts.insert(parts.end(), part.begin(), part.end());
    }
    std::sort(parts.begin(), parts.end());
    ASSERT_EQ(parts, expected) << "round " << round;
  }
}

/// Column and key of each sample in the tile: those of RowTriangle::row() in 128 bits.
std::vector<std::pair<std::uint32_t, std::uint32_t>> samples_row_by_row(const LatticeVertex (&corners)[3],
                                                                        const RasterTarget& target,
                                                                        const Layers& tile) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> samples;
  RowTriangle<Wide> triangle;
  if (!set_up_rows(corners, target.window, triangle)) return samples;
  const TriangleDepth& d = triangle.depth;
  const Window& cells = tile.tile();
  for (std::int64_t row = triangle.first_row; row < triangle.last_row; ++row) {
    RowSpan span;
    if (row < cells.first_v || row >= cells.end_v || !triangle.row(row, 0, span)) continue;
    for (std::uint32_t i = 0; i < span.count; ++i) {
      const std::uint32_t u = span.first_column + i;
      if (u < cells.first_u || u >= cells.end_u) continue;
      const auto steps = static_cast<float>(i);
      const float b1 = span.b1 + steps * span.b1_step, b2 = span.b2 + steps * span.b2_step;
      const float z = std::clamp(d.z0 + (b1 * d.dz1 + b2 * d.dz2), std::clamp(d.low, 0.0f, target.depth),
                                 std::clamp(d.high, 0.0f, target.depth));
      samples.emplace_back((static_cast<std::uint32_t>(row) - cells.first_v) * tile.stride() + u - cells.first_u,
                           Crossing::make(z + 0.0f, d.entry).key);
    }
  }
  return samples;
}

/// Rows are found several at a time, in doubles where those are exact: from corners near the window, to some that only
/// 128 bits hold.
void expect_rows_of_large_triangles() {
  const Grid grid{{{0, 0, 0}, {200, 150, 1}}, Axis::z, 200, 150};
  RasterTarget target = make_target(grid, whole(grid));
  const Tiling tiling{200, 150, 6, 6, 4, 3};
  test::Random random(7);
  Layers layers;
  std::size_t exact_in_doubles = 0, samples = 0;
  for (int round = 0; round < 6000 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    const int bits = 10 + static_cast<int>(random.below(30));
    const auto at = [&]() -> std::int64_t {
      const double reach = std::ldexp(1.0, bits);
      const auto x = static_cast<std::int64_t>((random.uniform(0, 2) - 1) * reach) + random.below(150 << 10);
      return random.below(4) == 0 ? x >> kSubBits << kSubBits : x;  // on a sample, or in line with one
    };
    LatticeVertex corners[3];
    for (LatticeVertex& c : corners) c = {at(), at(), random.uniform(-0.5f, 1.5f)};
    if (round % 4 == 2) {  // an edge right through a sample
      const std::int64_t u = random.below(200) << kSubBits, v = random.below(150) << kSubBits;
      const std::int64_t du = random.below(1u << (bits / 2)), dv = 1 + random.below(1u << (bits / 2));
      const std::int64_t before = 1 + random.below(1u << (bits / 2)), after = 1 + random.below(1u << (bits / 2));
      corners[0] = {u - before * du, v - before * dv, 0.25f};
      corners[1] = {u + after * du, v + after * dv, 0.75f};
    }
    if (round % 8 == 0) corners[1].v = corners[0].v;
    if (round % 8 == 1) corners[2].u = corners[1].u;
    target.window = round % 3 == 0 ? Window{20, 30, 170, 131} : whole(grid);
    const std::size_t tile = random.below(static_cast<std::uint32_t>(tiling.count()));
    layers.start(tiling, tile, false, 1000);
    rasterize_large(corners, 0, target, layers);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (std::uint32_t c = 0; c < layers.stride() * layers.height(); ++c)
      if (layers.count()[c] != 0) {
        EXPECT_EQ(layers.count()[c], 1);
        found.emplace_back(c, layers.key()[c]);
      }
    ASSERT_EQ(found, samples_row_by_row(corners, target, layers));
    exact_in_doubles += fits_doubles(corners) ? 1 : 0;
    samples += found.size();
  }
  EXPECT_GT(exact_in_doubles, 2000u);
  EXPECT_GT(samples, 1'000'000u);
}

TEST(Kernels, LargeTrianglesHaveTheSamplesOfTheirRowsWhateverTheirSize) {
  EXPECT_GT(test::for_each_instruction_set(expect_rows_of_large_triangles), 0);
}

}  // namespace
}  // namespace lamella::software
