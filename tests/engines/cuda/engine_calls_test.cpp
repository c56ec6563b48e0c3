// The engine "cuda" over many calls: kept meshes, several engines that take turns, and calls that fail.

#include <optional>
#include <utility>
#include <vector>

#include "engine_fixture.hpp"
#include "engines/cuda/frame.hpp"
#include "lamella/detector.hpp"
#include "scenes/scenes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::CudaEngine;
using test::error_of;
using test::expect_same;
using test::kEmulated;
using test::round_sphere;
using testing::HasSubstr;

// ---- kept meshes, repeated and interleaved

TEST_F(CudaEngine, KeptMeshesAnswerAsViewsDo) {
  auto [hand, phone] = scenes::hand_and_phone(800, 300, 0.5f);
  const auto kept_hand = engine_->keep(hand), kept_phone = engine_->keep(phone);
  EXPECT_EQ(kept_hand->triangle_count(), hand.triangles.size());
  EXPECT_EQ(engine_->bounds(*kept_hand), bounds(hand));
  const auto points = test::points_around(hand, 100);
  for (int frame = 0; frame < 4; ++frame) {
    SCOPED_TRACE(testing::Message() << "frame " << frame);
    for (Vec3& p : phone.positions) p = p + Vec3{0.01f, -0.02f, 0.015f};
    kept_phone->deform(phone.positions);
    const QueryOptions options{.resolution = 32};
    expect_same(test::intersect(*engine_, *kept_hand, *kept_phone, options),
                test::intersect(*software_, hand, phone, options));
    expect_same(test::self_intersect(*engine_, *kept_phone, options), test::self_intersect(*software_, phone, options));
    expect_same(test::contains(*engine_, *kept_hand, points, options),
                test::contains(*software_, hand, points, options));
    // A view in between, of another size each time.
    expect_self(round_sphere(5 + frame, 10), {.resolution = 16});
  }
}

TEST_F(CudaEngine, BrokenVerticesOfKeptMeshesComeAndGo) {
  Mesh mesh = round_sphere(8, 16);
  const auto kept = engine_->keep(mesh);
  const std::vector<Vec3> whole = mesh.positions;
  EXPECT_EQ(kept->broken_triangles(), 0u);
  mesh.positions[20].x = std::numeric_limits<float>::quiet_NaN();
  kept->deform(mesh.positions);
  EXPECT_EQ(kept->broken_triangles(), 6u);
  expect_same(test::self_intersect(*engine_, *kept), test::self_intersect(*software_, mesh));
  EXPECT_THROW((void)test::self_intersect(*engine_, *kept, {.strict = true}), Error);
  kept->deform(whole);
  EXPECT_EQ(kept->broken_triangles(), 0u);
  EXPECT_EQ(test::self_intersect(*engine_, *kept, {.strict = true}).health.skipped_triangles, 0u);
  EXPECT_THROW(kept->deform(std::span(whole).first(3)), Error);
}

TEST_F(CudaEngine, AKeptMeshOfAnotherEngineIsAnError) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  const auto other = make({});
  const auto kept = other->keep(box), copied = software_->keep(box);
  for (KeptMesh* mesh : {kept.get(), copied.get()})
    EXPECT_THAT(error_of([&] { (void)test::self_intersect(*engine_, *mesh); }).what(),
                HasSubstr("engine that made it"));
  EXPECT_THROW((void)test::self_intersect(*software_, *kept), Error);
}

TEST_F(CudaEngine, RepeatedRunsAreTheSameToTheBit) {
  const auto [hand, phone] = scenes::hand_and_phone(1000, 400, 0.5f);
  const QueryOptions options{.resolution = 48};
  const Overlap first = test::intersect(*engine_, hand, phone, options);
  const SelfOverlap first_self = test::self_intersect(*engine_, hand, options);
  ASSERT_TRUE(first.colliding());
  for (std::uint64_t run = 2; run < 6; ++run) {
#if defined(LAMELLA_CUDA_EMULATION)
    cuda_emulation::set_schedule(run);
#endif
    if (run == 4) engine_ = make({});
    const Overlap again = test::intersect(*engine_, hand, phone, options);
    EXPECT_TRUE(again.spans == first.spans);
    EXPECT_EQ(again.volume, first.volume);
    EXPECT_EQ(again.centroid, first.centroid);
    EXPECT_EQ(test::self_intersect(*engine_, hand, options).volume, first_self.volume);
  }
}

TEST_F(CudaEngine, TwoDetectorsTakeTurns) {
  const auto [hand, phone] = scenes::hand_and_phone(800, 300, 0.5f);
  const auto [hat, mouse] = scenes::hat_and_mouse(300, 800, 0.25f);
  Detector one({.engine = "cuda", .resolution = 32});
  const ObjectId a = one.add(hand), b = one.add(phone);
  {
    Detector two({.engine = "cuda", .resolution = 20});
    const ObjectId c = two.add(hat), d = two.add(mouse);
    for (int frame = 0; frame < 3; ++frame) {
      expect_same(one.intersect(a, b), test::intersect(*software_, hand, phone, {.resolution = 32}));
      expect_same(two.intersect(c, d), test::intersect(*software_, hat, mouse, {.resolution = 20}));
      expect_same(one.self_intersect(a), test::self_intersect(*software_, hand, {.resolution = 32}));
      expect_same(two.self_intersect(d), test::self_intersect(*software_, mouse, {.resolution = 20}));
    }
  }
  one.remove(b);
  const ObjectId e = one.add(mouse);
  expect_same(one.intersect(a, e), test::intersect(*software_, hand, mouse, {.resolution = 32}));
}

TEST_F(CudaEngine, ManyQuestionsInTurn) {
  const Mesh mesh = round_sphere(8, 16), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  const auto a = engine_->keep(mesh), b = engine_->keep(other);
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t n = 1; n < 13; ++n)
      expect_same(test::intersect(*engine_, *a, *b, {.resolution = n}),
                  test::intersect(*software_, mesh, other, {.resolution = n}));
}

TEST_F(CudaEngine, QuestionsThatDifferInOneThingAreNotTakenForEachOther) {
  const Mesh ball = test::inside_out(round_sphere(8, 16)), box = box_mesh({-0.75f, -0.5f, -0.5f}, {2, 0.5f, 0.5f});
  Mesh both = ball;
  test::append(both, box);
  const auto kept_ball = engine_->keep(ball), kept_box = engine_->keep(box), kept_both = engine_->keep(both);
  const std::vector<Vec3> points = test::points_around(box, 60);
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 6, 5};
  Grid other = grid;
  other.box.max.z = 0.5f;
  for (int round = 0; round < 2; ++round) {
    // Fewer questions than are remembered in a row, so that a wrong one would be found again.
    for (const float thickness : {0x1p-20f, 0.3f})
      for (const std::optional<Axis> axis : {std::optional<Axis>{}, std::optional{Axis::y}}) {
        const QueryOptions options{.resolution = 7, .axis = axis, .min_thickness = thickness};
        expect_same(test::self_intersect(*engine_, *kept_both, options),
                    test::self_intersect(*software_, both, options));
      }
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 0}, {0, 0}, {1, 1}, {2, 1}}) {
      KeptMesh* kept[] = {kept_ball.get(), kept_box.get(), kept_both.get()};
      const Mesh* meshes[] = {&ball, &box, &both};
      expect_same(test::intersect(*engine_, *kept[a], *kept[b], {.resolution = 7}),
                  test::intersect(*software_, *meshes[a], *meshes[b], {.resolution = 7}));
    }
    for (const std::size_t count : {std::size_t{60}, std::size_t{30}, std::size_t{0}})
      expect_same(test::contains(*engine_, *kept_both, std::span(points).first(count), {.resolution = 7}),
                  test::contains(*software_, both, std::span(points).first(count), {.resolution = 7}));
    for (const Grid& g : {grid, other, Grid{grid.box, Axis::x, 6, 5}, Grid{grid.box, Axis::z, 5, 6}})
      expect_same(test::build(*engine_, *kept_both, g), test::build(*software_, both, g));
  }
}

TEST_F(CudaEngine, WhatIsReadBackIsTheReportAndTheSpansOnce) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1}), other = test::moved(box, {0.5f, 0.5f, 0.5f});
  Mesh self = box;
  test::append(self, other);
  test::append(self, test::inside_out(box_mesh({3, 0, 0}, {4, 1, 1})));
  const auto a = engine_->keep(box), b = engine_->keep(other), c = engine_->keep(self);
  const QueryOptions options{.resolution = 2};
  for (int call = 0; call < 3; ++call) {
    // So few that none are fetched in advance: as many as there are.
    const Overlap overlap = test::intersect(*engine_, *a, *b, options);
    ASSERT_EQ(overlap.spans.size(), 4u);
    EXPECT_EQ(overlap.read_back_bytes, sizeof(cuda::FrameReport) + 4 * sizeof(Span));
    const SelfOverlap twice = test::self_intersect(*engine_, *c, {.resolution = 4, .axis = Axis::z});
    EXPECT_EQ(twice.read_back_bytes,
              sizeof(cuda::FrameReport) + (twice.spans.size() + twice.inside_out.size()) * sizeof(Span));
    EXPECT_EQ(twice.spans.size(), 2u);
    EXPECT_EQ(twice.inside_out.size(), 3u);
    const Containment inside = test::contains(*engine_, *a, other.positions, options);
    EXPECT_EQ(inside.read_back_bytes, sizeof(cuda::FrameReport) + 8);
  }
  // With more spans an eighth more is fetched from the second call on.
  const std::uint64_t spans = test::intersect(*engine_, *a, *b, {.resolution = 16}).spans.size();
  ASSERT_EQ(spans, 256u);
  const Overlap again = test::intersect(*engine_, *a, *b, {.resolution = 16});
  EXPECT_EQ(again.read_back_bytes, sizeof(cuda::FrameReport) + (spans + spans / 8) * sizeof(Span));
  VerticesInside inside;
  engine_->vertices_inside(*a, *b, options, inside);
  // Two images of four columns: offsets, and two crossings in each column.
  EXPECT_EQ(inside.read_back_bytes, 2 * (sizeof(cuda::FrameReport) + 5 * 4 + 8 * sizeof(Crossing)));
}

// ---- what goes wrong

TEST_F(CudaEngine, TooManyCrossingsAreTheSameErrorAndTheNextCallWorks) {
  const Mesh mesh = round_sphere(8, 16);
  const auto small = make({.max_crossings = 1000});
  const auto strict = make_engine({.engine = "software", .threads = 1, .max_crossings = 1000});
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 40, 40};
  const auto words = [&](Engine& engine) {
    return std::string(error_of([&] { (void)test::build(engine, mesh, grid); }).what());
  };
  EXPECT_EQ(words(*small), words(*strict));
  EXPECT_THROW((void)test::self_intersect(*small, mesh, {.resolution = 40}), Error);
  expect_same(test::self_intersect(*small, mesh, {.resolution = 12}),
              test::self_intersect(*software_, mesh, {.resolution = 12}));
  EXPECT_THROW((void)test::contains(*small, mesh, mesh.positions, {.resolution = 40}), Error);
  expect_same(test::build(*small, mesh, {{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 20, 20}),
              test::build(*software_, mesh, {{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 20, 20}));
}

TEST_F(CudaEngine, OutOfMemoryIsAnErrorAndTheNextCallWorks) {
  const Mesh mesh = round_sphere(8, 16), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  const QueryOptions small{.resolution = 16}, large{.resolution = 8192};
  expect_pair(mesh, other, small);
  {
    const test::ScarceMemory scarce(std::size_t{kEmulated ? 16 : 64} << 20);
    const Error error = error_of([&] { (void)test::intersect(*engine_, mesh, other, large); });
    EXPECT_EQ(error.kind(), Error::Kind::device);
    EXPECT_THAT(error.what(), HasSubstr("not enough memory on the GPU"));
    expect_all(mesh, other, small);
    EXPECT_THROW((void)test::contains(*engine_, mesh, other.positions, large), Error);
    expect_all(mesh, other, small);
  }
  expect_all(mesh, other, {.resolution = 24});
}

TEST_F(CudaEngine, LittleMemoryMeansCountedColumnsWithTheSameAnswer) {
  const Mesh mesh = round_sphere(8, 16), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  // Columns in slots are given a quarter of what is left, which is not enough for them here.
  const test::ScarceMemory scarce(std::size_t{kEmulated ? 3 : 160} << 20);
  expect_all(mesh, other, {.resolution = kEmulated ? 100u : 1200u});
}

TEST_F(CudaEngine, TenMillionTrianglesAndSixteenMillionColumns) {
  if (kEmulated) GTEST_SKIP() << "too much for the emulation";
  software_ = make_engine({.engine = "software"});
  const Mesh large = scenes::sphere(10'000'000), small = scenes::torus(100'000);
  expect_all(large, small, {.resolution = 1024});
  expect_all(small, large, {.resolution = 4096});
}

TEST_F(CudaEngine, OptionsOutOfRangeAreErrors) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_THROW((void)test::self_intersect(*engine_, box, {.resolution = 0}), Error);
  EXPECT_THROW((void)test::self_intersect(*engine_, box, {.resolution = kMaxResolution + 1}), Error);
  EXPECT_THROW((void)make({.device = 1000}), Error);
}

#if defined(LAMELLA_CUDA_EMULATION)
TEST_F(CudaEngine, AnotherQuestionAboutAMeshStartsWithTheRoomThatItsColumnsNeed) {
  const auto kept = engine_->keep(test::stacked_plates(6));  // 12 crossings in a column: at first there is room for 8
  const auto launches_for = [&](std::uint32_t resolution) {
    const std::uint64_t before = cuda_emulation::launches();
    const SelfOverlap answer = test::self_intersect(*engine_, *kept, {.resolution = resolution, .axis = Axis::z});
    EXPECT_EQ(answer.health.occupied_columns, resolution * resolution);
    return cuda_emulation::launches() - before;
  };
  const std::uint64_t first = launches_for(4), next = launches_for(4);
  EXPECT_GT(first, next) << "the first frame is repeated";
  EXPECT_EQ(launches_for(5), next);
}

TEST_F(CudaEngine, NoWaitIsForgotten) {
  const auto [hand, phone] = scenes::hand_and_phone(600, 200, 0.5f);
  cuda_emulation::set_deferred(true);
  expect_all(hand, phone, {.resolution = 24});
  const auto a = engine_->keep(hand), b = engine_->keep(phone);
  for (int frame = 0; frame < 3; ++frame)
    expect_same(test::intersect(*engine_, *a, *b, {.resolution = 24}),
                test::intersect(*software_, hand, phone, {.resolution = 24}));
}

TEST_F(CudaEngine, AfterAnyCallThatFailsTheNextWorks) {
  using cuda_emulation::Call;
  const Mesh mesh = test::nested_spheres(6, 4), other = test::moved(mesh, {0.5f, 0.3f, 0.2f});
  const Overlap expected = test::intersect(*software_, mesh, other, {.resolution = 6});
  constexpr unsigned kSkips[] = {0, 1, 2, 4, 7, 11, 16};
  for (const Call call : {Call::allocation, Call::host_allocation, Call::launch, Call::copy, Call::instantiate,
                          Call::graph_launch, Call::synchronize, Call::create})
    for (const unsigned skip : kSkips) {
      SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(call) << " after " << skip);
      const auto engine = make({});
      cuda_emulation::fail(call, skip);
      bool failed = false;
      for (int frame = 0; frame < 4; ++frame) try {
          expect_same(test::intersect(*engine, mesh, other, {.resolution = 6}), expected);
        } catch (const Error&) {
          failed = true;
        }
      cuda_emulation::fail(call, 0, 0);
      expect_same(test::intersect(*engine, mesh, other, {.resolution = 6}), expected);
      if (!failed) break;
    }
}
#endif

}  // namespace
}  // namespace lamella
