#include "stream/limits.hpp"
#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "stream/support.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(StreamLimits, AreWithinTheBudget) {
  for (const std::uint64_t memory : {std::uint64_t{64} << 20, std::uint64_t{2} << 30, std::uint64_t{1} << 40})
    for (const unsigned workers : {1u, 2u, 16u}) {
      const stream::Limits limits = stream::limits_for(memory, workers);
      EXPECT_EQ(limits.fixed_bytes + limits.bytes, memory);
      // What is left is for triangles that cover samples.
      EXPECT_LE(limits.vertex_bytes + limits.part_triangles * stream::kPerPartTriangle +
                    std::max(limits.point_bytes, limits.span_bytes) + limits.crossing_bytes,
                limits.bytes - limits.bytes / 8);
      EXPECT_GT(limits.part_triangles, 1000u);
    }
}

TEST(StreamLimits, ThreadsAreAsManyAsTheBudgetIsEnoughFor) {
  EXPECT_EQ(stream::workers_for(std::uint64_t{2} << 30, 64), 64u);
  EXPECT_EQ(stream::workers_for(1, 64), 1u);
  for (const std::uint64_t megabytes : {20, 24, 40, 64, 200, 1000}) {
    const unsigned workers = stream::workers_for(megabytes << 20, 1024);
    EXPECT_GE(stream::limits_for(megabytes << 20, workers).bytes, megabytes << 19);
  }
}

TEST(StreamLimits, ABudgetThatIsTooSmallIsAnErrorThatTellsTheLeast) {
  const Mesh ball = test::round_sphere(10, 10);
  const auto source = stream_view(ball);
  const Options options{.threads = 1};
  std::string message;
  try {
    (void)self_intersect({*source}, options, StreamOptions{.memory = 1 << 20});
  } catch (const Error& error) {
    message = error.what();
  }
  ASSERT_THAT(message, AllOf(HasSubstr("1048576 bytes is too little"), HasSubstr("allow ")));
  const std::uint64_t least = std::stoull(message.substr(message.find("allow ") + 6));
  EXPECT_THROW((void)self_intersect({*source}, options, StreamOptions{.memory = least - 1}), Error);
  EXPECT_EQ(self_intersect({*source}, options, StreamOptions{.memory = least}).verdict, Verdict::clear);
}

TEST(StreamLimits, PartsOfPointsGrowWithTheirNumberWithinTheBudget) {
  const Mesh ball = test::round_sphere(10, 10);
  const auto source = stream_view(ball);
  test::Random random(2);
  std::vector<Vec3d> points(600'000);
  for (Vec3d& p : points) p = to_double(random.in({{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}}));
  std::vector<std::size_t> rooms;
  const auto read = [&, next = std::size_t{0}](std::span<Vec3d> out) mutable {
    rooms.push_back(out.size());
    const std::size_t count = std::min(out.size(), points.size() - next);
    std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(next), count, out.begin());
    next += count;
    return count;
  };
  const Options options{.engine = "software", .resolution = 16, .close_holes = false};
  const Containment found = contains({*source}, {.read = read}, std::nullopt, options, {.memory = 1 << 28});
  const Containment expected = contains(ball, points, options);
  EXPECT_EQ(found.inside, expected.inside);
  EXPECT_GT(found.inside_count, 1000u);
  EXPECT_EQ(rooms[0], std::size_t{1} << 18);
  EXPECT_GT(rooms[1], rooms[0]);
  for (const std::size_t room : rooms) EXPECT_LE(room * stream::kPerPoint, (1 << 28) / 8);
}

/// Every triangle covers every sample: no tile is small enough.
TEST(StreamLimits, TrianglesOverOneTileThatDoNotFitAreAnErrorThatTellsTheLeast) {
  Mesh pile;
  for (int i = 0; i < 200; ++i)
    test::append(pile, test::box_mesh({0, 0, static_cast<float>(i)}, {1, 1, static_cast<float>(i) + 0.5f}));
  const auto source = stream_view(pile);
  test::Random random(1);
  stream::Limits limits = test::tiny_limits(random, 4000);
  SelfOverlap out;
  StreamReport report;
  try {
    stream::self_intersect({*source}, {.resolution = 8, .axis = Axis::z}, {}, limits, out, report);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("too little"), HasSubstr("allow")));
  }
}

/// A column of very many crossings takes memory too.
TEST(StreamLimits, MoreCrossingsThanThereIsMemoryForAreAnError) {
  Mesh pile;
  for (int i = 0; i < 100; ++i)
    test::append(pile, test::box_mesh({0, 0, static_cast<float>(i)}, {1, 1, static_cast<float>(i) + 0.5f}));
  const auto source = stream_view(pile);
  test::Random random(1);
  stream::Limits limits = test::tiny_limits(random, 1 << 20);
  limits.tile_columns = 16;
  limits.tile_crossings = 16 * 200;
  SelfOverlap out;
  StreamReport report;
  const Options options{.resolution = 8, .axis = Axis::z};
  stream::self_intersect({*source}, options, {}, limits, out, report);
  EXPECT_EQ(out.verdict, Verdict::clear);
  limits.tile_crossings = 16 * 100;
  try {
    stream::self_intersect({*source}, options, {}, limits, out, report);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("crossings"), HasSubstr("memory, allow more")));
  }
}

TEST(StreamLimits, OptionsThatNeedTheWholeMeshAreRefused) {
  const Mesh ball = test::round_sphere(10, 10);
  const auto source = stream_view(ball);
  const auto refusal = [&](const Options& options) {
    try {
      (void)self_intersect({*source}, options, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal({.tolerance = Tolerance{.relative = 0.01}}), HasSubstr("tolerance"));
  EXPECT_THAT(refusal({.certify = true}), HasSubstr("certify"));
  EXPECT_THAT(refusal({.exact = true}), HasSubstr("exact"));
  EXPECT_THAT(refusal({.ends = true}), HasSubstr("ends"));
  EXPECT_THAT(refusal({.engine = "reference"}), HasSubstr("reference"));
  EXPECT_THAT(refusal({}), testing::IsEmpty());
}

TEST(StreamLimits, WhatProgressThrowsEndsTheQuery) {
  const Mesh ball = test::round_sphere(10, 10);
  const auto source = stream_view(ball);
  struct Stop {};
  const StreamOptions stream{.progress = [](const StreamProgress&) { throw Stop{}; }};
  EXPECT_THROW((void)self_intersect({*source}, {}, stream), Stop);
}

TEST(StreamLimits, StrictRefusesAMeshThatIsNotClosedThoughNoRaySeesIt) {
  Mesh ball = test::round_sphere(40, 60);
  ball.triangles.erase(ball.triangles.begin() + 1000);  // smaller than a cell
  const auto source = stream_view(ball);
  StreamReport report;
  const Options coarse{.resolution = 4};
  const SelfOverlap found = self_intersect({*source}, coarse, {}, &report);
  EXPECT_EQ(found.health.open_columns, 0u);
  EXPECT_FALSE(report.closed[0]);
  ASSERT_EQ(found.doubts.size(), 1u);
  EXPECT_THAT(describe(found.doubts[0]), HasSubstr("not closed"));
  EXPECT_THROW((void)self_intersect({*source}, {.resolution = 4, .strict = true}, {}), Error);
}

}  // namespace
}  // namespace lamella
