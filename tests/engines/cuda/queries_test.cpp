// The query kernels on their own, against the CPU's queries on the same columns.

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
  const Ldi a = test::software_ldi(both, grid);
  const Ldi b = test::software_ldi(test::round_sphere(30, 20, 0.7f, {-0.2f, 0.4f, 0}), grid);
  check_intersect(a, b, 8);
  check_self(a, 4);
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
