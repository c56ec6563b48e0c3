// The query kernels on their own, against the CPU's queries on the same columns.

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "columns_on_device.hpp"
#include "compare.hpp"
#include "lamella/ldi_query.hpp"

namespace lamella::cuda {
namespace {

using test::expect_same_health;
using test::QueryFrame;
using test::Random;

constexpr float kThickness = 0x1p-20f;

class CudaQueries : public test::CudaTest {};

/// A store's slots that hold all columns; 0 when none do.
std::uint32_t slots_for(const std::vector<const Ldi*>& ldis) {
  std::uint32_t most = 1;
  for (const Ldi* ldi : ldis) most = std::max(most, test::most_layers(*ldi));
  return most > kMaxSlots ? 0 : (most + 3) / 4 * 4;
}

void expect_near(double got, double want, double scale) {
  EXPECT_LE(std::abs(got - want), 1e-12 * std::max(scale, std::abs(want))) << got << " instead of " << want;
}

void expect_same_overlap(const QueryFrame& query, const Overlap& want) {
  const Answer& got = query.frame.host_report->answer;
  EXPECT_EQ(got.status, kComplete);
  EXPECT_EQ(got.grid, want.grid);
  EXPECT_EQ(query.spans(), want.spans);
  EXPECT_EQ(got.span_count, want.spans.size());
  EXPECT_EQ(got.bounds, want.bounds);
  expect_near(got.volume, want.volume, 0);
  expect_near(got.volume_error, want.volume_error, 0);
  for (int k = 0; k < 3; ++k) expect_near(got.centroid[k], want.centroid[k], 1);
  expect_same_health(got.health, want.health);
}

void check_intersect(const Ldi& a, const Ldi& b, std::uint32_t slots, float thickness = kThickness) {
  QueryFrame query(Kind::intersect, {&a, &b}, slots, thickness);
  const FrameReport& report = query.run();
  Overlap want;
  lamella::intersect(a, b, thickness, want);
  expect_same_overlap(query, want);
  EXPECT_EQ(report.crossings[0], a.crossings.size());
  EXPECT_EQ(report.crossings[1], b.crossings.size());
  EXPECT_EQ(report.answer.crossing_count, a.crossings.size() + b.crossings.size());
  EXPECT_TRUE(query.state_is_zero());
}

void check_self(const Ldi& ldi, std::uint32_t slots, float thickness = kThickness) {
  QueryFrame query(Kind::self_intersect, {&ldi}, slots, thickness);
  const FrameReport& report = query.run();
  SelfOverlap want;
  lamella::self_intersect(ldi, thickness, want);
  expect_same_overlap(query, want);
  EXPECT_EQ(query.spans(1), want.inside_out);
  EXPECT_EQ(report.answer.inside_out_count, want.inside_out.size());
  expect_near(report.answer.inside_out_volume, want.inside_out_volume, 0);
  EXPECT_EQ(report.answer.crossing_count, ldi.crossings.size());
  EXPECT_TRUE(query.state_is_zero());
}

void check_contains(const Ldi& ldi, std::span<const Vec3> points, std::uint32_t slots) {
  QueryFrame query(Kind::contains, {&ldi}, slots, 0.25f);  // a thickness that contains() does not use
  query.ask(points);
  const Answer& got = query.run().answer;
  Containment want;
  lamella::contains(ldi, points, want);
  EXPECT_EQ(got.status, kComplete);
  EXPECT_EQ(got.grid, want.grid);
  EXPECT_EQ(query.flags(), want.inside);
  EXPECT_EQ(got.inside_count, want.inside_count);
  EXPECT_EQ(got.crossing_count, ldi.crossings.size());
  expect_same_health(got.health, want.health);
  EXPECT_TRUE(query.state_is_zero());
}

Mesh random_mesh(Random& random, const Grid& grid, bool open) {
  Mesh mesh = test::random_closed_mesh(random, grid);
  if (open)
    for (std::uint32_t i = 0; i < 1 + mesh.triangles.size() / 8; ++i)
      mesh.triangles.erase(mesh.triangles.begin() + random.below(static_cast<std::uint32_t>(mesh.triangles.size())));
  return mesh;
}

std::vector<Vec3> random_points(Random& random, const Grid& grid, std::size_t count) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::vector<Vec3> points = {grid.box.min, grid.box.max, center(grid.box), {kNan, kNan, kNan}, {1e30f, 0, 0}};
  while (points.size() < count) points.push_back(test::random_vertex(random, grid));
  return points;
}

const Grid kUnit{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 1, 1};

TEST_F(CudaQueries, OneRayThroughTwoBoxes) {
  const Ldi a = test::software_ldi(test::box_mesh({0, 0, 0}, {1, 1, 0.5f}), kUnit);
  const Ldi b = test::software_ldi(test::box_mesh({0, 0, 0.25f}, {1, 1, 1}), kUnit);
  for (const std::uint32_t slots : {4u, 0u}) {
    QueryFrame query(Kind::intersect, {&a, &b}, slots, kThickness);
    const Answer& answer = query.run().answer;
    EXPECT_EQ(answer.volume, 0.25);
    EXPECT_EQ(answer.centroid, (Vec3d{0.5, 0.5, 0.375}));
    EXPECT_EQ(answer.bounds, (Aabb{{0, 0, 0.25f}, {1, 1, 0.5f}}));
    EXPECT_EQ(query.spans(), (std::vector<Span>{{0, 0.25f, 0.5f}}));
    EXPECT_EQ(answer.crossing_count, 4u);
    EXPECT_TRUE(answer.health.ok());
  }
}

TEST_F(CudaQueries, NothingSampledIsAnEmptyAnswerWithAllFlagsZero) {
  Ldi ldi = test::software_ldi(test::box_mesh({0, 0, 0}, {1, 1, 1}), kUnit);
  ldi.skipped_triangles = 3;
  for (const Kind kind : {Kind::intersect, Kind::self_intersect, Kind::contains}) {
    const std::size_t meshes = kind == Kind::intersect ? 2 : 1;
    QueryFrame query(kind, std::vector<const Ldi*>(meshes, &ldi), 4, kThickness);
    if (kind == Kind::contains) query.ask(std::vector<Vec3>(300, Vec3{0.5f, 0.5f, 0.5f}));
    query.no_grid();
    const Answer& answer = query.run().answer;
    EXPECT_EQ(answer.grid, Grid{});
    EXPECT_EQ(answer.volume, 0);
    EXPECT_EQ(answer.bounds, Aabb{});
    EXPECT_EQ(answer.crossing_count, 0u);
    EXPECT_EQ(answer.health.skipped_triangles, kind == Kind::intersect ? 6u : 3u);
    EXPECT_EQ(answer.health.occupied_columns, 0u);
    if (kind == Kind::contains) {
      EXPECT_EQ(query.flags(), std::vector<std::uint8_t>(300, 0));
    }
    EXPECT_TRUE(query.state_is_zero());
  }
}

TEST_F(CudaQueries, RandomPairsEqualTheCpu) {
  for (std::uint32_t seed = 0; seed < (test::kEmulated ? 12 : 200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    const Ldi a = test::software_ldi(random_mesh(random, grid, seed % 3 == 0), grid);
    const Ldi b = test::software_ldi(random_mesh(random, grid, seed % 6 == 0), grid);
    const float thickness = seed % 4 == 0 ? 0.1f : kThickness;
    if (const std::uint32_t slots = slots_for({&a, &b}); slots != 0) check_intersect(a, b, slots, thickness);
    check_intersect(a, b, 0, thickness);
    if (HasFailure()) return;
  }
}

TEST_F(CudaQueries, RandomMeshesAgainstThemselvesEqualTheCpu) {
  for (std::uint32_t seed = 100; seed < (test::kEmulated ? 112 : 300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    const Ldi ldi = test::software_ldi(random_mesh(random, grid, seed % 3 == 0), grid);
    const float thickness = seed % 4 == 0 ? 0.1f : kThickness;
    if (const std::uint32_t slots = slots_for({&ldi}); slots != 0) check_self(ldi, slots, thickness);
    check_self(ldi, 0, thickness);
    if (HasFailure()) return;
  }
}

TEST_F(CudaQueries, RandomPointsEqualTheCpu) {
  for (std::uint32_t seed = 400; seed < (test::kEmulated ? 412 : 600); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    const Ldi ldi = test::software_ldi(random_mesh(random, grid, seed % 3 == 0), grid);
    const auto points = random_points(random, grid, 5 + random.below(2000));
    if (const std::uint32_t slots = slots_for({&ldi}); slots != 0) check_contains(ldi, points, slots);
    check_contains(ldi, points, 0);
    if (HasFailure()) return;
  }
}

// More columns than threads in all, so that each goes on to a second one, and blocks that end within a row.
TEST_F(CudaQueries, GridsOfSeveralColumnsPerThreadEqualTheCpu) {
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::y, 401, 331};
  ASSERT_GT(columns_per_block(Kind::intersect, static_cast<std::uint32_t>(grid.column_count())), kQueryThreads);
  Mesh both = test::round_sphere(40, 40, 0.9f);
  test::append(both, test::round_sphere(20, 30, 0.6f, {0.3f, 0.2f, 0.1f}));
  test::append(both, test::inside_out(test::round_sphere(20, 30, 0.5f, {-0.5f, -0.4f, 0.3f})));
  const Ldi a = test::software_ldi(both, grid);
  const Ldi b = test::software_ldi(test::round_sphere(30, 20, 0.7f, {-0.2f, 0.4f, 0}), grid);
  check_intersect(a, b, 8);
  check_self(a, 8);
}

TEST(CudaFrame, EveryColumnHasABlockAndEveryBlockHasColumns) {
  std::vector<std::uint32_t> counts{0, 1, 1u << 18, 1u << 19, 1u << 20, 1u << 28};
  for (const std::uint32_t edge : {kQueryThreads, kQueryThreads * 1024, 1u << 19, 3u << 19, 1u << 26})
    for (std::uint32_t i = 0; i < 5; ++i) counts.push_back(edge - 2 + i);
  for (const Kind kind : {Kind::intersect, Kind::self_intersect, Kind::contains, Kind::build})
    for (const std::uint32_t count : counts) {
      SCOPED_TRACE(testing::Message() << count << " columns, kind " << static_cast<int>(kind));
      const std::uint32_t each = columns_per_block(kind, count), blocks = query_block_count(kind, count);
      EXPECT_GE(each, kQueryThreads);
      EXPECT_GE(std::uint64_t{blocks} * each, count);
      if (count != 0) {
        EXPECT_LT(std::uint64_t{blocks - 1} * each, count);
      }
      // More blocks than run at once only for volumes in large grids.
      EXPECT_LE(blocks, kind != Kind::contains && count >= 1u << 19 ? kQueryBlocks : kQueryBlocks / 2);
      if (each > kQueryThreads) {
        EXPECT_GT(blocks, kQueryBlocks / (kind != Kind::contains && count >= 1u << 19 ? 2 : 4));
      }
    }
}

TEST(CudaFrame, BitsAreOrderedAsTheFloatsAndGiveThemBack) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float ascending[] = {-kInf, -0x1p100f, -2, -1.5f, -0x1p-140f, -0.0f, 0.0f, 0x1p-140f, 1, 3, 0x1p100f, kInf};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    const std::uint32_t bits = order_bits(ascending[i]);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(from_order_bits(bits)), std::bit_cast<std::uint32_t>(ascending[i]));
    EXPECT_NE(bits, 0u) << "stands for none";
    EXPECT_NE(~bits, 0u) << "stands for none";
    if (i != 0) {
      EXPECT_LT(order_bits(ascending[i - 1]), bits);
    }
  }
}

TEST(CudaFrame, PlacesInSlotsAreAllDifferentAndFourAreTogether) {
  constexpr std::uint32_t kColumns = 5, kSlots = 12;
  ColumnStore store;
  store.stride = kColumns;
  std::vector<int> used(kColumns * kSlots, 0);
  for (std::uint32_t column = 0; column < kColumns; ++column)
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      const std::size_t at = slot_place(store, column, i);
      ASSERT_LT(at, used.size());
      ++used[at];
      if (i % 4 != 0) {
        EXPECT_EQ(at, slot_place(store, column, i - 1) + 1);
      }
      if (i < 4) {
        EXPECT_LT(at, 4u * kColumns) << "the first four of all columns come first";
      }
    }
  EXPECT_EQ(used, std::vector<int>(used.size(), 1));
}

TEST_F(CudaQueries, TheReportHasWhatEarlierKernelsCounted) {
  const Grid grid{kUnit.box, Axis::z, 3, 2};
  const Ldi ldi = test::software_ldi(test::box_mesh({0, 0, 0}, {1, 1, 1}), grid);
  const auto report = [&](const auto& change) {
    QueryFrame query(Kind::intersect, {&ldi, &ldi}, 4, kThickness);
    query.frame.large_capacity = 7;
    change(query.start(), query.frame);
    const FrameReport out = query.run();
    EXPECT_TRUE(query.state_is_zero());
    EXPECT_EQ(out.answer.span_count, 6u);
    return out;
  };
  const FrameReport all = report([](FrameState& s, Frame&) {
    s.skipped[0] = 3;
    s.skipped[1] = 5;
    s.large_parts = 7;
    s.deepest = 9;
    s.inside = 11;
    s.untrusted = 13;
  });
  EXPECT_EQ(all.answer.status, kComplete) << "large parts are just as many as there is room for";
  EXPECT_EQ(all.answer.health.skipped_triangles, 8u);
  EXPECT_EQ(all.large_parts, 7u);
  EXPECT_EQ(all.deepest, 9u);
  EXPECT_EQ(all.most_layers, 0u);
  EXPECT_EQ(all.answer.inside_count, 11u);
  EXPECT_EQ(all.answer.health.untrusted_points, 13u);
  EXPECT_EQ(all.crossings[0], 12u);
  EXPECT_EQ(all.crossings[1], 12u);

  const auto status = [&](const auto& change) { return report(change).answer.status; };
  EXPECT_EQ(status([](FrameState& s, Frame&) { s.large_parts = 8; }), kNeedsMemory);
  EXPECT_EQ(status([](FrameState&, Frame& f) { f.large_pass = false; }), kComplete);
  EXPECT_EQ(status([](FrameState& s, Frame& f) {
              f.large_pass = false;
              s.large_parts = 1;
            }),
            kNeedsMemory);
  EXPECT_EQ(status([](FrameState& s, Frame&) { s.bad_index = 1; }), kBadIndex);
  EXPECT_EQ(status([](FrameState& s, Frame&) { s.bad_index = s.most_layers = 2; }), kBadIndex | kNeedsMemory);
  for (int m = 0; m < 2; ++m) {
    const FrameReport needs = report([m](FrameState& s, Frame&) { s.needed[m] = 50; });
    EXPECT_EQ(needs.answer.status, kNeedsMemory);
    EXPECT_EQ(needs.crossings[m], 50u);
    EXPECT_EQ(needs.crossings[1 - m], 12u);
    EXPECT_EQ(needs.answer.crossing_count, 62u);
  }
  EXPECT_EQ(report([](FrameState& s, Frame&) { s.most_layers = 5; }).most_layers, 5u);
}

TEST_F(CudaQueries, PointsOnEachFaceOfTheBoxAndOfCells) {
  const Grid grid{{{-1, 2, 0.5f}, {3, 4, 1.5f}}, Axis::y, 4, 8};
  Mesh mesh = test::box_mesh({-5, 1, 0}, {2, 3, 1});
  test::append(mesh, test::box_mesh({-5, 3.5f, 0}, {5, 5, 5}));
  const Ldi ldi = test::software_ldi(mesh, grid);
  std::vector<Vec3> points;
  const auto values = [&](int k) {
    const float low = grid.box.min[k], high = grid.box.max[k], middle = (low + high) / 2;
    const auto around = [](float x) { return std::array{std::nextafter(x, -100.0f), x, std::nextafter(x, 100.0f)}; };
    std::vector<float> out;
    for (const float x : {low, middle, 0.75f * high + 0.25f * low, high})
      for (const float y : around(x)) out.push_back(y);
    return out;
  };
  for (const float x : values(0))
    for (const float y : values(1))
      for (const float z : values(2)) points.push_back({x, y, z});
  for (const std::uint32_t slots : {4u, 0u}) check_contains(ldi, points, slots);
}

TEST_F(CudaQueries, MorePointsThanThreadsAllGetTheirFlags) {
  Random random(7);
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::x, 32, 32};
  const Ldi ldi = test::software_ldi(test::round_sphere(20, 20), grid);
  check_contains(ldi, random_points(random, grid, 2048 * kQueryThreads + 1000), 4);
}

TEST_F(CudaQueries, RepeatedRunsAreTheSameToTheBit) {
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 90, 80};
  const Ldi a = test::software_ldi(test::round_sphere(20, 20, 0.9f), grid);
  const Ldi b = test::software_ldi(test::round_sphere(17, 19, 0.8f, {0.3f, 0.1f, 0.2f}), grid);
  QueryFrame query(Kind::intersect, {&a, &b}, 4, kThickness),
      shuffled(Kind::intersect, {&a, &b}, 4, kThickness, 1 << 16, 2);
  const FrameReport first = query.run();
  const std::vector<Span> spans = query.spans();
  ASSERT_FALSE(spans.empty());
  for (QueryFrame* again : {&query, &query, &shuffled}) {
    EXPECT_EQ(std::memcmp(&again->run(), &first, sizeof first), 0);
    EXPECT_EQ(again->spans(), spans);
  }
}

TEST_F(CudaQueries, ColumnsWithoutRoomAskForMoreMemory) {
  Mesh mesh;
  for (int i = 0; i < 5; ++i) {
    const float z = static_cast<float>(i) / 5;
    test::append(mesh, test::box_mesh({0, 0, z}, {i == 4 ? 0.5f : 1, 1, z + 0.1f}));
  }
  const Grid grid{kUnit.box, Axis::z, 6, 3};
  const Ldi ldi = test::software_ldi(mesh, grid);
  ASSERT_EQ(test::most_layers(ldi), 10u);
  const std::vector<Vec3> points(10, Vec3{0.1f, 0.1f, 0.05f});
  for (const Kind kind : {Kind::intersect, Kind::self_intersect, Kind::contains}) {
    for (const std::uint32_t slots : {8u, 12u}) {
      const std::size_t meshes = kind == Kind::intersect ? 2 : 1;
      QueryFrame query(kind, std::vector<const Ldi*>(meshes, &ldi), slots, kThickness);
      if (kind == Kind::contains) query.ask(points);
      const FrameReport& report = query.run();
      EXPECT_EQ(report.answer.status, slots == 8 ? kNeedsMemory : kComplete);
      EXPECT_EQ(report.most_layers, slots == 8 ? 10u : 0u);
      EXPECT_EQ(report.crossings[0], ldi.crossings.size());
      EXPECT_TRUE(query.state_is_zero());
    }
  }
}

TEST_F(CudaQueries, SpansOfEitherKindNeedRoom) {
  const Grid grid{kUnit.box, Axis::z, 5, 5};
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 0.5f});
  test::append(mesh, test::box_mesh({0, 0, 0.25f}, {0.6f, 1, 0.75f}));                  // 15 columns of overlap
  test::append(mesh, test::inside_out(test::box_mesh({0, 0, 0.8f}, {1, 0.4f, 0.9f})));  // 10 columns inside out
  const Ldi ldi = test::software_ldi(mesh, grid);
  for (const std::uint32_t room : {14u, 15u})
    for (const std::uint32_t room_inside_out : {9u, 10u}) {
      SCOPED_TRACE(testing::Message() << "room for " << room << " and " << room_inside_out);
      QueryFrame query(Kind::self_intersect, {&ldi}, 8, kThickness, 20);
      ASSERT_EQ(cudaMemset(query.frame.spans[0], 0xff, 20 * sizeof(Span)), cudaSuccess);
      ASSERT_EQ(cudaMemset(query.frame.spans[1], 0xff, 20 * sizeof(Span)), cudaSuccess);
      query.frame.span_capacity[0] = room;
      query.frame.span_capacity[1] = room_inside_out;
      const Answer& answer = query.run().answer;
      const bool fits = room == 15 && room_inside_out == 10;
      EXPECT_EQ(answer.status, fits ? kComplete : kNeedsMemory);
      EXPECT_EQ(answer.span_count, 15u);
      EXPECT_EQ(answer.inside_out_count, 10u);
      SelfOverlap want;
      lamella::self_intersect(ldi, kThickness, want);
      if (fits) {
        EXPECT_EQ(query.spans(0), want.spans);
        EXPECT_EQ(query.spans(1), want.inside_out);
      } else {
        for (int kind = 0; kind < 2; ++kind)
          for (const Span& s : query.spans(kind)) EXPECT_EQ(s.column, ~0u) << "nothing is written";
      }
    }
}

TEST_F(CudaQueries, MoreSpansThanThereIsRoomForAreNotWritten) {
  const Grid grid{kUnit.box, Axis::z, 5, 5};
  const Ldi ldi = test::software_ldi(test::box_mesh({0, 0, 0}, {1, 1, 1}), grid);
  for (const std::size_t room : {24, 25}) {
    QueryFrame query(Kind::intersect, {&ldi, &ldi}, 4, kThickness, room);
    const Answer& answer = query.run().answer;
    EXPECT_EQ(answer.status, room == 24 ? kNeedsMemory : kComplete);
    EXPECT_EQ(answer.span_count, 25u);
    EXPECT_TRUE(query.state_is_zero());
  }
}

}  // namespace
}  // namespace lamella::cuda
