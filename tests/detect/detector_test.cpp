#include "lamella/detector.hpp"

#include <gtest/gtest.h>

#include "lamella/batch.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/scenes.hpp"
#include "support/allocations.hpp"

namespace lamella {
namespace {

using test::allocations_of;

class DetectorThreads : public testing::TestWithParam<unsigned> {};

TEST_P(DetectorThreads, AllocatesNothingOnceWarm) {
  Detector detector({.threads = GetParam()});
  std::vector<Mesh> frames;
  const Mesh serpent = scenes::serpent(60000);
  const Mesh knot = scenes::torus_knot(12000);
  for (int i = 0; i < 4; ++i) {
    frames.push_back(serpent);
    scenes::wobble(serpent.positions, static_cast<float>(i) * 0.25f, 3, frames.back().positions);
  }
  const std::vector<Vec3> points = scenes::random_points(serpent, 10000);
  const ObjectId kept = detector.add(serpent), rigid = detector.add_rigid(knot), other = detector.add_rigid(serpent);
  const auto all_frames = [&] {
    for (const Mesh& frame : frames) {
      (void)detector.intersect(frame, knot);
      (void)detector.self_intersect(frame);
      (void)detector.contains(frame, points);
      (void)detector.contains(frame, points, bounds(knot));
      (void)detector.vertices_inside(frame, knot);
      detector.move(rigid, {{0, 0.1, 0}, rotation_about({0, 1, 0}, 0.2)});
      (void)detector.contains(rigid, points);
      (void)detector.vertices_inside(rigid, other);
      detector.move(rigid, {});
      (void)detector.vertices_inside(kept, rigid);
      (void)detector.volume_gradient(frame, knot);
      (void)detector.volume_gradient(kept, rigid);
      (void)detector.self_gradient(frame);
    }
  };
  // Which worker gets which triangles is up to the scheduler, so each worker's memory may take a while to settle.
  std::size_t allocations = 1;
  for (int round = 0; round < 200 && allocations != 0; ++round) allocations = allocations_of(all_frames);
  EXPECT_EQ(allocations, 0u);
  const auto allocate = [] {
    int* volatile p = new int(1);  // volatile: a pair that nobody looks at may be left out
    delete p;
  };
  EXPECT_EQ(allocations_of(allocate), 1u) << "the counter counts";
}

TEST_P(DetectorThreads, PeakMemoryIsUnder32BytesPerVertex16PerCrossingAndATilePerThread) {
  const Mesh mesh = scenes::serpent(400000);
  const Aabb box = bounds(mesh);
  for (const std::uint32_t n : {128u, 1024u}) {
    Ldi ldi;
    (void)allocations_of([&] {
      const auto engine = make_engine({.threads = GetParam()});
      engine->build(mesh, {box, *choose_axis(box), n, n}, ldi);
    });
    const double columns = 4.0 * static_cast<double>(ldi.offsets.size());  // the image itself
    const double tiles = 2.5e6 * GetParam();
    const double allowed = 32.0 * static_cast<double>(mesh.positions.size()) +
                           16.0 * static_cast<double>(ldi.crossings.size()) + columns + tiles;
    EXPECT_LT(static_cast<double>(test::g_peak), allowed) << n;
  }
}

TEST_P(DetectorThreads, ABatchAllocatesNothingOnceWarmEither) {
  Batch batch({.engine = "software", .resolution = 32, .threads = GetParam()});
  batch.add(scenes::sphere(500));
  batch.add(scenes::torus_knot(1200));
  std::vector<BatchPair> pairs;
  for (int i = 0; i < 20; ++i)
    pairs.push_back({i % 2 == 0 ? 0u : 1u, 1, {{0.05 * i, 0, 0}, {}}, {{}, rotation_about({0, 1, 0}, 0.1 * i)}});
  std::size_t allocations = 1;
  for (int round = 0; round < 200 && allocations != 0; ++round)
    allocations = allocations_of([&] {
      (void)batch.intersect(pairs);
      (void)batch.volume_gradients(pairs);
    });
  EXPECT_EQ(allocations, 0u);
}

INSTANTIATE_TEST_SUITE_P(Threads, DetectorThreads, testing::Values(1u, 2u));

TEST(Detector, AnswersLikeTheFreeFunctions) {
  Detector detector({.resolution = 64, .threads = 2});
  for (float t = 0; t < 1; t += 0.3f) {
    const auto [hand, phone] = scenes::hand_and_phone(4800, 900, t);
    const Overlap expected = intersect(hand, phone, {.resolution = 64});
    const Overlap& o = detector.intersect(hand, phone);
    EXPECT_EQ(o.spans, expected.spans);
    EXPECT_EQ(o.volume, expected.volume);
    EXPECT_EQ(o.centroid, expected.centroid);
    const SelfOverlap expected_self = self_intersect(hand, {.resolution = 64});
    EXPECT_EQ(detector.self_intersect(hand).spans, expected_self.spans);
  }
}

TEST(Detector, RecoversFromAnError) {
  Detector detector;
  Mesh bad = scenes::sphere(500);
  bad.triangles[3].a = 1'000'000;
  const Mesh good = scenes::sphere(500);
  EXPECT_THROW((void)detector.self_intersect(bad), Error);
  EXPECT_NEAR(detector.intersect(good, good).volume, inspect(good).volume, 0.02);
}

TEST(Detector, KeptMeshesAnswerLikeViewsFrameAfterFrame) {
  const Options options{.engine = "software", .resolution = 64, .threads = 2};
  Detector kept(options), given(options);
  auto [hand, phone] = scenes::hand_and_phone(4800, 900, 0);
  const std::vector<Vec3> points = scenes::random_points(hand, 1000);
  const ObjectId hand_id = kept.add(hand), phone_id = kept.add(phone);
  for (const float t : {0.0f, 0.3f, 0.5f}) {
    hand = scenes::hand_and_phone(4800, 900, t).a;
    kept.deform(hand_id, hand.positions);
    EXPECT_EQ(kept.intersect(hand_id, phone_id).spans, given.intersect(hand, phone).spans);
    EXPECT_EQ(kept.self_intersect(hand_id).spans, given.self_intersect(hand).spans);
    EXPECT_EQ(kept.contains(hand_id, points).inside, given.contains(hand, points).inside);
  }
}

TEST(Detector, KeepsACopy) {
  Detector detector({.engine = "software"});
  Mesh ball = scenes::sphere(500);
  const double volume = detector.intersect(ball, ball).volume;
  const ObjectId id = detector.add(ball);
  ball.positions.clear();
  ball.triangles.clear();
  EXPECT_EQ(detector.intersect(id, id).volume, volume);
}

TEST(Detector, AnIdOfNoKeptMeshIsAnError) {
  Detector detector({.engine = "software", .resolution = 16}), other({.engine = "software", .resolution = 16});
  const Mesh ball = scenes::sphere(500);
  EXPECT_THROW((void)detector.self_intersect(ObjectId{}), Error) << "nothing was added";
  const ObjectId a = detector.add(ball), b = detector.add(ball);
  EXPECT_THROW((void)detector.self_intersect(ObjectId{2}), Error);
  EXPECT_THROW((void)other.self_intersect(a), Error) << "of another detector";
  detector.remove(a);
  EXPECT_THROW((void)detector.self_intersect(a), Error);
  EXPECT_THROW((void)detector.intersect(a, b), Error);
  EXPECT_THROW((void)detector.intersect(b, a), Error);
  EXPECT_THROW((void)detector.contains(a, ball.positions), Error);
  EXPECT_THROW(detector.deform(a, ball.positions), Error);
  EXPECT_THROW(detector.remove(a), Error);
  const ObjectId c = detector.add(ball);
  EXPECT_NE(c, a) << "an id is never reused";
  EXPECT_NE(c, b);
  EXPECT_TRUE(detector.intersect(b, c).colliding());
}

TEST(Detector, AnotherNumberOfVerticesIsAnErrorAndChangesNothing) {
  Detector detector({.engine = "software"});
  const Mesh ball = scenes::sphere(500);
  const ObjectId id = detector.add(ball);
  const double volume = detector.intersect(id, id).volume;
  std::vector<Vec3> positions(ball.positions.size() + 1);
  EXPECT_THROW(detector.deform(id, positions), Error);
  positions.resize(ball.positions.size() - 1);
  EXPECT_THROW(detector.deform(id, positions), Error);
  EXPECT_THROW(detector.deform(id, std::span<const Vec3>{}), Error);
  EXPECT_EQ(detector.intersect(id, id).volume, volume);
}

TEST(Detector, KeptMeshesMoveWithTheDetector) {
  Detector a({.engine = "software", .resolution = 32});
  const ObjectId id = a.add(scenes::sphere(100));
  Detector b = std::move(a);
  EXPECT_TRUE(b.intersect(id, id).colliding());
}

/// Samples every mesh as a box of its bounds.
class BoxEngine final : public Engine {
 public:
  [[nodiscard]] std::string_view name() const override { return "boxes"; }
  [[nodiscard]] Aabb bounds(MeshRef mesh) override { return lamella::bounds(mesh.view); }
  void build(MeshRef mesh, const Grid& grid, Ldi& out) override {
    const Aabb box = bounds(mesh);
    out = {};
    out.grid = grid;
    for (std::size_t i = 0; i < grid.column_count(); ++i) {
      out.offsets.push_back(static_cast<std::uint32_t>(2 * i));
      for (const bool entry : {true, false}) {
        const float w = (entry ? box.min : box.max)[grid.w()] - grid.box.min[grid.w()];
        out.crossings.push_back(Crossing::make(std::clamp(w, 0.0f, grid.depth()), entry));
      }
    }
    out.offsets.push_back(static_cast<std::uint32_t>(out.crossings.size()));
  }
};

TEST(Detector, TakesAnEngineOfTheCallers) {
  const Mesh a = scenes::sphere(500), b = transformed(a, {{1, 0, 0}, {}});
  Detector detector(std::make_unique<BoxEngine>(), {.resolution = 16});
  const Overlap& o = detector.intersect(a, b);
  EXPECT_EQ(o.engine, "boxes");
  const Vec3 overlap = extent(bounds(a));
  const double expected = (static_cast<double>(bounds(a).max.x) - bounds(b).min.x) * overlap.y * overlap.z;
  EXPECT_NEAR(o.volume, expected, 1e-5 * expected);
  const ObjectId id = detector.add(a);
  EXPECT_EQ(detector.self_intersect(id).volume, 0);
  EXPECT_EQ(detector.self_intersect(id).engine, "boxes");
  EXPECT_EQ(detector.options().engine, "boxes");
  EXPECT_EQ(detector.options().resolution, 16u);
  EXPECT_THROW(Detector(std::unique_ptr<Engine>{}), Error);
}

TEST(Engine, OptionsOfALaterQueryAreHonoured) {
  const Mesh ball = scenes::sphere(500);
  const auto engine = make_engine({.engine = "software", .threads = 1});
  Overlap out;
  for (const QueryOptions& options :
       {QueryOptions{.resolution = 8, .axis = Axis::x}, QueryOptions{.resolution = 24, .axis = Axis::y}}) {
    engine->intersect(ball, ball, options, out);
    EXPECT_EQ(out.grid.columns, options.resolution);
    EXPECT_EQ(out.grid.axis, options.axis);
  }
  engine->intersect(ball, ball, {.min_thickness = 10}, out);
  EXPECT_FALSE(out.colliding());
}

TEST(Detector, AnUnknownEngineFailsAtOnce) { EXPECT_THROW(Detector({.engine = "warp"}), Error); }

TEST(Detector, CanBeMoved) {
  Detector a({.resolution = 32});
  Detector b = std::move(a);
  EXPECT_EQ(b.options().resolution, 32u);
  EXPECT_FALSE(b.self_intersect(scenes::sphere(100)).colliding());
}

TEST(Detector, MemoryIsForTheThreadsThatCanRunNotForAllThatWereAskedFor) {
  const Mesh ball = scenes::sphere(500);
  const auto peak_of = [&](unsigned threads) {
    test::allocations_of([&] { (void)Detector({.engine = "software", .threads = threads}).self_intersect(ball); });
    return test::g_peak.load();
  };
  (void)peak_of(0);  // what every process takes once
  EXPECT_LT(peak_of(kMaxThreads), peak_of(0) * 3 / 2 + (1 << 20));
}

}  // namespace
}  // namespace lamella
