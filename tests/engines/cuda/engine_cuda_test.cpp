// The engine "cuda" must answer what the software engine answers, to the bit: columns, spans, flags. Only sums, which
// it takes in another order, may differ in their last digits.

#include "compare.hpp"
#include "lamella/detector.hpp"
#include "scenes/scenes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::error_of;
using test::expect_same;
using test::kEmulated;
using test::Random;
using test::round_sphere;
using testing::HasSubstr;

constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};
constexpr std::size_t kPoints = kEmulated ? 300 : 3000;

class CudaEngine : public test::CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (IsSkipped()) return;
    engine_ = make({});
    software_ = make_engine({.engine = "software", .threads = 1});
  }
  void TearDown() override {
    engine_.reset();
    CudaTest::TearDown();
  }
  static std::unique_ptr<Engine> make(Options options) {
    options.engine = "cuda";
    options.threads = 2;
    return make_engine(options);
  }

  void expect_columns(MeshView mesh, const Grid& grid) {
    expect_same(test::build(*engine_, mesh, grid), test::build(*software_, mesh, grid));
  }
  void expect_pair(MeshView a, MeshView b, const Options& options) {
    expect_same(test::intersect(*engine_, a, b, options), test::intersect(*software_, a, b, options));
  }
  void expect_self(MeshView mesh, const Options& options) {
    expect_same(test::self_intersect(*engine_, mesh, options), test::self_intersect(*software_, mesh, options));
  }
  void expect_points(MeshView mesh, const Options& options) {
    const auto points = test::points_around(mesh, kPoints);
    expect_same(test::contains(*engine_, mesh, points, options), test::contains(*software_, mesh, points, options));
  }
  void expect_all(MeshView a, MeshView b, const Options& options) {
    expect_pair(a, b, options);
    expect_self(a, options);
    expect_points(a, options);
  }

  std::unique_ptr<Engine> engine_, software_;
};

// ---- columns

TEST_F(CudaEngine, OneTriangleOverOneSample) {
  const Mesh mesh{{{-1, -1, 0.25f}, {3, -1, 0.25f}, {-1, 3, 0.25f}}, {{0, 1, 2}}};
  const Ldi ldi = test::build(*engine_, mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 1, 1});
  ASSERT_EQ(ldi.crossings.size(), 1u);
  EXPECT_EQ(ldi.crossings[0], Crossing::make(0.25f, false));
}

TEST_F(CudaEngine, ABoxAlongEveryAxis) {
  for (const Axis axis : kAxes) expect_columns(box_mesh({0, 0, 0}, {1, 2, 3}), {{{0, 0, 0}, {1, 2, 3}}, axis, 8, 5});
}

TEST_F(CudaEngine, ColumnsOfRandomMeshesOnRandomGrids) {
  for (std::uint32_t seed = 0; seed < (kEmulated ? 25 : 400); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    expect_columns(test::random_closed_mesh(random, grid), grid);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaEngine, ColumnsOfASphereAtEveryTriangleSize) {
  for (const int rings : {2, 5, 20, kEmulated ? 40 : 200}) {
    const Mesh mesh = round_sphere(rings, 2 * rings);
    for (const std::uint32_t n : {9u, 64u, kEmulated ? 100u : 1000u})
      expect_columns(mesh, {{{-1, -1, -1}, {1, 1, 1}}, kAxes[n % 3], n, n});
  }
}

TEST_F(CudaEngine, MeshesOfNothing) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::x, 4, 3};
  expect_columns({}, grid);
  expect_columns(Mesh{{{0, 0, 0}, {1, 1, 1}}, {}}, grid);
  EXPECT_TRUE(engine_->bounds({}).empty());
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1}), vertices{box.positions, {}};
  for (const Mesh& nothing : {Mesh{}, vertices, Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}}) {
    expect_all(nothing, box, {.resolution = 4});
    expect_pair(box, nothing, {.resolution = 4});
  }
  expect_same(test::contains(*engine_, box, {}, {.resolution = 4}),
              test::contains(*software_, box, {}, {.resolution = 4}));
}

TEST_F(CudaEngine, TrianglesThatCannotBePlaced) {
  Mesh mesh = round_sphere(10, 20);
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  mesh.positions[5].y = nan;
  mesh.positions[60].x = inf;
  mesh.positions[100].z = -1e38f;
  test::append(mesh, {{{nan, nan, nan}, {nan, 0, 0}, {inf, inf, 0}}, {{0, 1, 2}}});
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 33, 33};
  expect_columns(mesh, grid);
  EXPECT_EQ(test::build(*engine_, mesh, grid).skipped_triangles, 5u + 6 + 6 + 1);
  expect_all(mesh, box_mesh({0, 0, 0}, {2, 2, 2}), {.resolution = 33});
  // Nothing to sample, but triangles to count.
  expect_all(Mesh{{{nan, 0, 0}, {0, inf, 0}, {0, 0, nan}}, {{0, 1, 2}, {2, 1, 0}}}, mesh, {.resolution = 5});
  // So far away that the lattice ends before.
  mesh = round_sphere(10, 20);
  mesh.positions[70] = {1e15f, -1e14f, 3};
  expect_columns(mesh, {{{-1, -1, -1}, {1, 1, 1}}, Axis::x, 64, 64});
}

TEST_F(CudaEngine, AnIndexOutOfRangeIsTheSameError) {
  Mesh mesh = round_sphere(20, 40);
  mesh.triangles[321].b = static_cast<std::uint32_t>(mesh.positions.size());
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 8, 8};
  const auto words = [&](Engine& engine) {
    return std::string(error_of([&] { (void)test::build(engine, mesh, grid); }).what());
  };
  EXPECT_EQ(words(*engine_), words(*software_));
  EXPECT_THROW((void)engine_->keep(mesh), Error);
  EXPECT_THROW((void)test::build(*engine_, Mesh{{}, std::vector<Triangle>(100)}, grid), Error);
  expect_columns(round_sphere(20, 40), grid);
}

// ---- whole queries

TEST_F(CudaEngine, TwoBoxes) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({0.5f, 1.1f, 1}, {3, 1.7f, 3});
  for (const std::uint32_t n : {1u, 2u, 3u, 7u, 33u})
    for (const Axis axis : kAxes) expect_all(a, b, {.resolution = n, .axis = axis});
  expect_pair(a, box_mesh({2, 0, 0}, {3, 2, 2}), {.resolution = 8});
  EXPECT_EQ(test::intersect(*engine_, a, b).engine, "cuda");
}

TEST_F(CudaEngine, AHandAndAPhone) {
  const auto [hand, phone] = scenes::hand_and_phone(kEmulated ? 1200 : 24000, kEmulated ? 400 : 9000, 0.5f);
  for (const std::uint32_t n : {64u, kEmulated ? 100u : 513u}) expect_all(hand, phone, {.resolution = n});
}

TEST_F(CudaEngine, AKnotAndASerpent) {
  const auto [knot, serpent] =
      scenes::overlapping("torus_knot", kEmulated ? 1000 : 50000, "serpent", kEmulated ? 1500 : 200000, true);
  expect_all(serpent, knot, {.resolution = kEmulated ? 64u : 1024u});
}

TEST_F(CudaEngine, AFistThatOverlapsItself) {
  const Mesh fist = scenes::hand(kEmulated ? 1200 : 40000, 1);
  for (const float thickness : {0.0f, 0.01f, 0.5f}) {
    expect_self(fist, {.resolution = kEmulated ? 50u : 500u, .min_thickness = thickness});
    expect_points(fist, {.resolution = kEmulated ? 50u : 500u, .min_thickness = thickness});
  }
}

TEST_F(CudaEngine, ShellsThatAreInsideOutAndMeshesThatAreOpen) {
  Mesh mesh = test::nested_spheres(3, 12);
  test::append(mesh, test::inside_out(round_sphere(16, 32, 0.8f, {0.5f, 0, 0})));
  expect_all(mesh, test::inside_out(round_sphere(8, 16)), {.resolution = 40});
  mesh.triangles.resize(mesh.triangles.size() - 200);
  expect_all(mesh, round_sphere(8, 16), {.resolution = 40});
}

TEST_F(CudaEngine, RandomClosedMeshes) {
  for (std::uint32_t seed = 0; seed < (kEmulated ? 8 : 100); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    const auto near = [&] {
      Mesh mesh = test::random_closed_mesh(random, grid);
      const Vec3 size = extent(grid.box);
      for (Vec3& p : mesh.positions)
        for (int k = 0; k < 3; ++k) p[k] = std::clamp(p[k], grid.box.min[k] - size[k], grid.box.max[k] + size[k]);
      return mesh;
    };
    const Mesh a = near(), b = near();
    expect_all(a, b, {.resolution = std::min(grid.columns, kEmulated ? 64u : 1000u)});
  }
}

TEST_F(CudaEngine, MoreThanAThousandCrossingsInAColumn) {
  const Mesh plates = test::stacked_plates(600);
  const Mesh other = test::moved(test::stacked_plates(520), {0.25f, 0.25f, 0.5f});
  const Options options{.resolution = 5, .axis = Axis::z};
  expect_all(plates, other, options);
  const Ldi ldi = test::build(*engine_, plates, {{{0, 0, 0}, {1, 1, 1201}}, Axis::z, 4, 4});
  EXPECT_EQ(ldi.column(7).size(), 1200u);
  expect_columns(plates, {{{0, 0, 0}, {1, 1, 1201}}, Axis::z, 4, 4});
  // And back to a few.
  expect_all(box_mesh({0, 0, 0}, {1, 1, 1}), round_sphere(8, 16), options);
}

TEST_F(CudaEngine, EveryNumberOfLayersThatTheRoomForColumnsCanTurnOn) {
  for (const std::uint32_t plates : {1u, 4u, 5u, 8u, 15u, 16u, 17u, 40u}) {
    SCOPED_TRACE(testing::Message() << plates << " plates");
    expect_all(test::stacked_plates(plates), test::moved(test::stacked_plates(3), {0.1f, 0.2f, 0.5f}),
               {.resolution = 6, .axis = Axis::z});
  }
}

TEST_F(CudaEngine, SheetsThatDoNotCloseInAnyNumber) {
  for (const int sheets : {7, 8, 9, 31, 32, 33}) {
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 100});
    mesh.triangles.resize(4);  // those across z
    for (int i = 2; i < sheets; ++i) {
      const auto z = static_cast<float>(i);
      test::append(mesh, {{{0, 0, z}, {1, 0, z}, {0, 1, z}, {1, 1, z}}, {{0, 1, 2}, {1, 3, 2}}});
    }
    expect_all(mesh, box_mesh({0, 0, 0}, {1, 1, 1}), {.resolution = 5, .axis = Axis::z});
  }
}

TEST_F(CudaEngine, AFrameThatIsRepeatedReadsItsOwnSpansBack) {
  // Cubes side by side, then one above another: many more crossings in a column, as many spans, others.
  Mesh cubes;
  for (int i = 0; i < 12; ++i)
    test::append(cubes, box_mesh({static_cast<float>(i), 0, 0}, {static_cast<float>(i + 1), 1, 1}));
  const Mesh slab = box_mesh({0, 0, -1}, {12, 1, 0.5f});
  const auto a = engine_->keep(cubes), b = engine_->keep(slab);
  const Options options{.resolution = 10, .axis = Axis::z};
  const Overlap before = test::intersect(*engine_, *a, *b, options);
  expect_same(before, test::intersect(*software_, cubes, slab, options));
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t k = 0; k < 8; ++k) {
      Vec3& p = cubes.positions[8 * i + k];
      p = {p.x - static_cast<float>(i), p.y, p.z + 2 * static_cast<float>(i) + 0.25f};
    }
  a->update_vertices(cubes.positions);
  const Overlap after = test::intersect(*engine_, *a, *b, options);
  ASSERT_EQ(after.spans.size(), before.spans.size());
  expect_same(after, test::intersect(*software_, cubes, slab, options));
}

TEST_F(CudaEngine, MoreSpansThanWereGuessed) {
  const Mesh mesh = test::stacked_plates(5);
  const Mesh twice = [&] {
    Mesh m = mesh;
    test::append(m, test::moved(mesh, {0, 0, 0.5f}));
    test::append(m, test::inside_out(test::moved(mesh, {0, 0, 40})));
    return m;
  }();
  const Options options{.resolution = 64, .axis = Axis::z};
  EXPECT_EQ(test::self_intersect(*engine_, twice, options).spans.size(), 5u * 64 * 64);
  expect_self(twice, options);
  expect_pair(twice, mesh, options);
}

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
    kept_phone->update_vertices(phone.positions);
    const Options options{.resolution = 32};
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
  kept->update_vertices(mesh.positions);
  EXPECT_EQ(kept->broken_triangles(), 6u);
  expect_same(test::self_intersect(*engine_, *kept), test::self_intersect(*software_, mesh));
  EXPECT_THROW((void)test::self_intersect(*engine_, *kept, {.strict = true}), Error);
  kept->update_vertices(whole);
  EXPECT_EQ(kept->broken_triangles(), 0u);
  EXPECT_EQ(test::self_intersect(*engine_, *kept, {.strict = true}).health.skipped_triangles, 0u);
  EXPECT_THROW(kept->update_vertices(std::span(whole).first(3)), Error);
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
  const Options options{.resolution = 48};
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
  const MeshId a = one.add(hand), b = one.add(phone);
  {
    Detector two({.engine = "cuda", .resolution = 20});
    const MeshId c = two.add(hat), d = two.add(mouse);
    for (int frame = 0; frame < 3; ++frame) {
      expect_same(one.intersect(a, b), test::intersect(*software_, hand, phone, {.resolution = 32}));
      expect_same(two.intersect(c, d), test::intersect(*software_, hat, mouse, {.resolution = 20}));
      expect_same(one.self_intersect(a), test::self_intersect(*software_, hand, {.resolution = 32}));
      expect_same(two.self_intersect(d), test::self_intersect(*software_, mouse, {.resolution = 20}));
    }
  }
  one.remove(b);
  const MeshId e = one.add(mouse);
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
  const Options small{.resolution = 16}, large{.resolution = 8192};
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
