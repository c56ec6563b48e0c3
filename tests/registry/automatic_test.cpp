#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engines/opengl/engines.hpp"
#include "registry/automatic.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

constexpr std::uint64_t kColumns64 = 64 * 64, kColumns1024 = 1024 * 1024;

TEST(Automatic, ListsPayForMuchWorkAndFewThreads) {
  const auto pays = [](const QueryCost& cost, unsigned threads) { return gpu_pays(kListsSpeed, cost, threads); };
  // The corners of the table it rests on (bench/results/, `lamella bench automatic`).
  EXPECT_FALSE(pays({5'000, kColumns64}, 1));
  EXPECT_TRUE(pays({1'000'000, kColumns64}, 1));
  EXPECT_FALSE(pays({1'000'000, kColumns64}, 16));
  EXPECT_TRUE(pays({5'000, kColumns1024}, 1));
  EXPECT_TRUE(pays({5'000, kColumns1024}, 16));
  EXPECT_TRUE(pays({1'000'000, kColumns1024}, 16));
}

TEST(Automatic, CudaPaysSoonerThanListsButNotForNothing) {
  for (const unsigned threads : {1u, 16u}) {
    EXPECT_FALSE(gpu_pays(kCudaSpeed, {12, 16 * 16}, threads));
    EXPECT_TRUE(gpu_pays(kCudaSpeed, {1'000'000, kColumns1024}, threads));
    for (const std::uint64_t triangles : {100, 5'000, 100'000, 10'000'000})
      for (const std::uint64_t columns : {kColumns64, kColumns1024})
        EXPECT_LE(gpu_pays(kListsSpeed, {triangles, columns}, threads),
                  gpu_pays(kCudaSpeed, {triangles, columns}, threads));
  }
}

/// The work from which on a GPU pays, to the triangle or the column.
TEST(Automatic, AGpuPaysFromAQuarterMoreOn) {
  const auto pays = [](const GpuSpeed& gpu, std::uint64_t triangles, std::uint64_t columns, unsigned threads) {
    return gpu_pays(gpu, {triangles, columns}, threads);
  };
  // A CPU takes 2.3 ns for a triangle and 35 ns for a column, on one thread.
  EXPECT_TRUE(pays({.query = 1839.9}, 1000, 0, 1));
  EXPECT_FALSE(pays({.query = 1840.1}, 1000, 0, 1));
  EXPECT_TRUE(pays({.query = 2799.9}, 0, 100, 1));
  EXPECT_FALSE(pays({.query = 2800.1}, 0, 100, 1));
  EXPECT_TRUE(pays({.query = 4639.9}, 1000, 100, 1));
  EXPECT_FALSE(pays({.query = 4640.1}, 1000, 100, 1));
  // Each further thread adds 0.4.
  EXPECT_TRUE(pays({.query = 1314.2}, 1000, 0, 2));
  EXPECT_FALSE(pays({.query = 1314.3}, 1000, 0, 2));
  EXPECT_TRUE(pays({.query = 613.3}, 1000, 0, 6));
  EXPECT_FALSE(pays({.query = 613.4}, 1000, 0, 6));
  // What a GPU takes for a triangle and for a column adds up.
  EXPECT_TRUE(pays({.triangle = 1.839}, 1000, 0, 1));
  EXPECT_FALSE(pays({.triangle = 1.841}, 1000, 0, 1));
  EXPECT_TRUE(pays({.column = 27.9}, 0, 1000, 1));
  EXPECT_FALSE(pays({.column = 28.1}, 0, 1000, 1));
  EXPECT_FALSE(pays({.query = 1000, .triangle = 1, .column = 1}, 1000, 0, 1));
  EXPECT_FALSE(pays({}, 0, 0, 1)) << "no work";
  EXPECT_FALSE(pays(kListsSpeed, 129'032, 0, 1));
  EXPECT_TRUE(pays(kListsSpeed, 129'033, 0, 1));
  EXPECT_FALSE(pays(kListsSpeed, 0, 5'925, 1));
  EXPECT_TRUE(pays(kListsSpeed, 0, 5'926, 1));
  EXPECT_FALSE(pays(kCudaSpeed, 31'690, 0, 1));
  EXPECT_TRUE(pays(kCudaSpeed, 31'691, 0, 1));
  EXPECT_FALSE(pays(kCudaSpeed, 0, 1'610, 1));
  EXPECT_TRUE(pays(kCudaSpeed, 0, 1'611, 1));
}

TEST(Automatic, ABatchPaysFrom32PairsOnIfThereIsWorkEnough) {
  EXPECT_TRUE(gpu_pays_for_batch(32, {100'000, 100'000}));
  EXPECT_FALSE(gpu_pays_for_batch(31, {100'000, 100'000}));
  EXPECT_FALSE(gpu_pays_for_batch(32, {100'000, 99'999}));
  EXPECT_FALSE(gpu_pays_for_batch(32, {99'999, 100'000}));
  EXPECT_TRUE(gpu_pays_for_batch(32, {200'000, 0}));
  EXPECT_TRUE(gpu_pays_for_batch(1000, {0, 200'000}));
}

/// Stands for a GPU: answers nothing, and notes what it is asked and given.
class Noting final : public Engine {
 public:
  struct Notes {
    std::string
        calls;  ///< k: mesh kept, d: deformed, then i, s, c, g, h: query, with the first x of each of its meshes
  };
  explicit Noting(Notes& notes) : notes_(notes) {}
  [[nodiscard]] std::string_view name() const override { return "noting"; }
  [[nodiscard]] Aabb bounds(MeshRef) override { return {}; }
  void build(MeshRef, const Grid&, Ldi&) override { ADD_FAILURE() << "not asked for"; }
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView mesh) override {
    notes_.calls += 'k';
    return std::make_unique<Kept>(*this, mesh);
  }

 protected:
  void find_overlap(MeshRef a, MeshRef b, const QueryOptions&, Overlap&) override { note('i', {a, b}); }
  void find_self_overlap(MeshRef mesh, const QueryOptions&, SelfOverlap&) override { note('s', {mesh}); }
  void find_inside(MeshRef mesh, std::span<const Vec3>, const QueryOptions&, Containment&) override {
    note('c', {mesh});
  }
  void find_gradient(MeshRef a, MeshRef b, const QueryOptions&, const GradientOptions&, OverlapGradient&) override {
    note('g', {a, b});
  }
  void find_self_gradient(MeshRef mesh, const QueryOptions&, const GradientOptions&, SelfGradient&) override {
    note('h', {mesh});
  }

 private:
  class Kept final : public KeptMesh {
   public:
    Kept(Noting& owner, MeshView mesh)
        : KeptMesh(owner),
          owner_(owner),
          mesh_{{mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}} {}
    void deform(std::span<const Vec3> positions) override {
      owner_.notes_.calls += 'd';
      mesh_.positions.assign(positions.begin(), positions.end());
    }
    [[nodiscard]] std::size_t triangle_count() const override { return mesh_.triangles.size(); }
    [[nodiscard]] std::size_t broken_triangles() const override { return 0; }
    [[nodiscard]] MeshView view() const override { return mesh_; }

   private:
    Noting& owner_;
    Mesh mesh_;
  };
  void note(char query, std::initializer_list<MeshRef> meshes) {
    notes_.calls += query;
    for (const MeshRef& mesh : meshes) notes_.calls += std::to_string(static_cast<int>(mesh.view.positions[0].x));
    notes_.calls += ' ';
  }
  Notes& notes_;
};

TEST(Automatic, TheGpuGetsEachKeptMeshOnceAndItsNewPositionsOnce) {
  Noting::Notes notes;
  const auto engine = make_automatic_engine({}, [&](const EngineOptions&) { return std::make_unique<Noting>(notes); });
  const Mesh one = test::box_mesh({1, 0, 0}, {5, 1, 1}), two = test::box_mesh({2, 0, 0}, {5, 1, 1}),
             three = test::box_mesh({3, 0, 0}, {5, 1, 1});
  const auto a = engine->keep(one), b = engine->keep(two);
  EXPECT_EQ(notes.calls, "") << "meshes wait for the first query";
  EXPECT_EQ(a->triangle_count(), 12u);
  EXPECT_EQ(a->broken_triangles(), 0u);
  EXPECT_EQ(a->view().positions.size(), 8u);
  Overlap overlap;
  SelfOverlap self;
  Containment inside;
  engine->intersect(*a, *b, {}, overlap);
  EXPECT_EQ(overlap.engine, "noting");
  EXPECT_EQ(std::exchange(notes.calls, {}), "kki12 ");
  engine->intersect(*b, *a, {}, overlap);
  engine->self_intersect(*b, {}, self);
  engine->contains(*a, one.positions, {}, inside);
  EXPECT_EQ(std::exchange(notes.calls, {}), "i21 s2 c1 ");
  b->deform(three.positions);
  EXPECT_EQ(notes.calls, "") << "positions wait too";
  engine->intersect(*a, *b, {}, overlap);
  engine->intersect(*a, *b, {}, overlap);
  EXPECT_EQ(std::exchange(notes.calls, {}), "di13 i13 ");
  const auto c = engine->keep(one);
  c->deform(two.positions);
  engine->self_intersect(*c, {}, self);
  engine->self_intersect(*c, {}, self);
  EXPECT_EQ(std::exchange(notes.calls, {}), "ks2 s2 ") << "kept with its latest positions";
  engine->intersect(*a, two, {}, overlap);
  EXPECT_EQ(overlap.engine, "software") << "one of both is a view";
  engine->intersect(two, *a, {}, overlap);
  EXPECT_EQ(overlap.engine, "software");
  EXPECT_EQ(notes.calls, "");
}

TEST(Automatic, EndsOfSpansAndGradientsAreAskedOfAGpuThatKnowsThem) {
  const Mesh one = test::box_mesh({1, 0, 0}, {5, 1, 1}), two = test::box_mesh({2, 0, 0}, {5, 1, 1});
  for (const bool knows : {false, true}) {
    Noting::Notes notes;
    const auto engine = make_automatic_engine({}, [&](const EngineOptions&) { return std::make_unique<Noting>(notes); },
                                              {.ends = knows});
    const auto a = engine->keep(one), b = engine->keep(two);
    QueryOptions options{.resolution = 4};
    options.ends = true;
    Overlap overlap;
    SelfOverlap self;
    engine->intersect(*a, *b, options, overlap);
    engine->self_intersect(*a, options, self);
    EXPECT_EQ(std::exchange(notes.calls, {}), knows ? "kki12 s1 " : "");
    EXPECT_EQ(overlap.engine, knows ? "noting" : "software");
    EXPECT_EQ(overlap.ends.size(), knows ? 0u : 16u);
    options.ends = false;
    OverlapGradient gradient;
    SelfGradient self_gradient;
    engine->volume_gradient(*a, *b, options, {}, gradient);
    engine->self_gradient(*b, options, {}, self_gradient);
    EXPECT_EQ(std::exchange(notes.calls, {}), knows ? "g12 h2 " : "");
    EXPECT_EQ(gradient.vertices_a.size(), knows ? 0u : 8u);
    engine->intersect(*a, *b, options, overlap);
    EXPECT_EQ(overlap.engine, "noting");
    engine->volume_gradient(*a, two, options, {}, gradient);
    EXPECT_EQ(gradient.engine, "software") << "one of both is a view";
  }
  EXPECT_TRUE(kCudaSpeed.ends);
  EXPECT_FALSE(kListsSpeed.ends);
}

TEST(Automatic, WhatAGpuWouldHaveToSendBackIsAnsweredOnTheCpu) {
  Noting::Notes notes;
  const auto engine = make_automatic_engine({}, [&](const EngineOptions&) { return std::make_unique<Noting>(notes); });
  const Mesh small = test::box_mesh({0, 0, 0}, {1, 1, 1}), large = test::box_mesh({0.5f, -1, -1}, {3, 2, 2});
  const auto a = engine->keep(small), b = engine->keep(large);
  Containment inside;
  const std::vector<Vec3> points{{0.25f, 0.5f, 0.5f}, {0.75f, 0.5f, 0.5f}, {2, 0.5f, 0.5f}};
  engine->contains(*a, points, Aabb{{0.5f, 0, 0}, {1, 1, 1}}, {}, inside);
  EXPECT_EQ(inside.engine, "software");
  EXPECT_EQ(inside.inside, (std::vector<std::uint8_t>{0, 1, 0}));
  VerticesInside vertices;
  engine->vertices_inside(*a, *b, {}, vertices);
  EXPECT_EQ(vertices.engine, "software");
  EXPECT_EQ(vertices.a_in_b.inside.size(), 4u);
  EXPECT_EQ(vertices.b_in_a.inside.size(), 0u);
  RigidMesh rigid;
  engine->sample_rigid(*b, {}, rigid);
  engine->vertices_inside(*a, rigid, {{0.25, 0, 0}, {}}, {}, vertices);
  EXPECT_EQ(vertices.engine, "software");
  EXPECT_EQ(vertices.a_in_b.inside.size(), 4u);
  EXPECT_EQ(engine->bounds(*b), (Aabb{{0.5f, -1, -1}, {3, 2, 2}}));
  Ldi ldi;
  engine->build(*a, square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, 4), ldi);
  EXPECT_EQ(ldi.crossings.size(), 32u);
  EXPECT_EQ(notes.calls, "");
  EXPECT_EQ(engine->name(), "automatic");
}

/// A GPU that refuses what it is asked.
class Refusing final : public Engine {
 public:
  [[nodiscard]] std::string_view name() const override { return "refusing"; }
  [[nodiscard]] Aabb bounds(MeshRef) override { return {}; }
  void build(MeshRef, const Grid&, Ldi&) override {}
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView) override { throw Error("bad mesh"); }
};

TEST(Automatic, AnErrorOfTheInputIsNotHidden) {
  int made = 0;
  const auto engine = make_automatic_engine({}, [&](const EngineOptions&) {
    ++made;
    return std::make_unique<Refusing>();
  });
  const auto kept = engine->keep(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  for (int i = 0; i < 2; ++i) {
    SelfOverlap out;
    EXPECT_STREQ(test::error_of([&] { engine->self_intersect(*kept, {}, out); }).what(), "bad mesh");
  }
  EXPECT_EQ(made, 1) << "the engine is made once";
}

TEST(Automatic, AMeshThatAnotherEngineKeepsIsRefused) {
  const auto one = make_automatic_engine({}), other = make_automatic_engine({});
  const auto kept = one->keep(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  EXPECT_THROW((void)other->bounds(*kept), Error);
}

/// Stands for the GPU's engine for batches.
class NotingBatch final : public BatchEngine {
 public:
  struct Notes {
    std::string calls;  ///< a: added, d: deformed, each with the mesh's first x; i: pairs
    bool fails = false;
  };
  explicit NotingBatch(Notes& notes) : notes_(notes) {}
  void add(MeshView mesh) override { note('a', mesh.positions); }
  void deform(std::uint32_t mesh, std::span<const Vec3> positions) override {
    notes_.calls += std::to_string(mesh);
    note('d', positions);
  }
  std::span<const PairOverlap> intersect(std::span<const BatchPair> pairs) override {
    if (notes_.fails) throw Error("lost", Error::Kind::device);
    notes_.calls += "i" + std::to_string(pairs.size());
    answers_.assign(pairs.size(), {});
    for (PairOverlap& answer : answers_) answer.volume = 77;
    return answers_;
  }

 private:
  void note(char what, std::span<const Vec3> positions) {
    notes_.calls += what + std::to_string(static_cast<int>(positions[0].x)) + ' ';
  }
  Notes& notes_;
  std::vector<PairOverlap> answers_;
};

TEST(Automatic, TheGpuGetsEveryMeshOfABatchOnceAndThoseThatChanged) {
  NotingBatch::Notes notes;
  const auto batch = make_automatic_batch({}, {.resolution = 128}, [&](const EngineOptions&, const QueryOptions&) {
    return std::make_unique<NotingBatch>(notes);
  });
  const auto box = [](float x) { return test::box_mesh({x, 0, 0}, {x + 2, 1, 1}); };
  for (const float x : {1.f, 2.f}) batch->add(box(x));
  const std::vector<BatchPair> many(32, BatchPair{{0}, {1}, {}, {}}), few(31, BatchPair{{0}, {1}, {}, {}});
  EXPECT_NEAR(batch->intersect(few)[30].volume, 1, 1e-5);
  EXPECT_EQ(notes.calls, "") << "too few for a GPU";
  EXPECT_EQ(batch->intersect(many)[31].volume, 77);
  EXPECT_EQ(std::exchange(notes.calls, {}), "a1 a2 i32");
  batch->add(box(3));
  batch->deform(1, box(4).positions);
  batch->deform(2, box(5).positions);
  EXPECT_EQ(notes.calls, "");
  (void)batch->intersect(many);
  EXPECT_EQ(std::exchange(notes.calls, {}), "1d4 a5 i32");
  (void)batch->intersect(many);
  EXPECT_EQ(std::exchange(notes.calls, {}), "i32");
  notes.fails = true;
  batch->deform(0, box(3).positions);
  EXPECT_NEAR(batch->intersect(many)[0].volume, 1, 1e-5) << "answered by the CPU: from 4 to 5";
  notes.fails = false;
  EXPECT_NEAR(batch->intersect(many)[0].volume, 1, 1e-5) << "a device that failed is not asked again";
}

TEST(Automatic, TheWorkOfABatchIsItsTrianglesAndItsColumns) {
  NotingBatch::Notes notes;
  const auto asked = [&](std::uint32_t resolution, const Mesh& mesh) {
    notes.calls.clear();
    const auto batch = make_automatic_batch(
        {.threads = 1}, {.resolution = resolution},
        [&](const EngineOptions&, const QueryOptions&) { return std::make_unique<NotingBatch>(notes); });
    batch->add(mesh);
    batch->add(test::box_mesh({9, 9, 9}, {10, 10, 10}));  // apart: nothing to sample
    (void)batch->intersect(std::vector<BatchPair>(32, BatchPair{{0}, {1}, {}, {}}));
    return !notes.calls.empty();
  };
  Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_FALSE(asked(76, box)) << "32 x (76 x 76 columns + 24 triangles)";
  EXPECT_TRUE(asked(79, box));
  box.triangles.resize(6250 - 12 - 2, {0, 0, 0});
  EXPECT_FALSE(asked(1, box));
  box.triangles.push_back({0, 0, 0});
  EXPECT_TRUE(asked(1, box)) << "6249 triangles and a column for each of 32 pairs";
}

TEST(Automatic, MeshesGivenAsViewsGoToTheSoftwareEngine) {
  const auto engine = make_automatic_engine({}, [](const EngineOptions&) -> std::unique_ptr<Engine> {
    ADD_FAILURE() << "no GPU is wanted";
    return nullptr;
  });
  Overlap out;
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  engine->intersect(box, box, {}, out);
  EXPECT_EQ(out.engine, "software");
}

TEST(Automatic, LargeKeptMeshesAreAnsweredByTheBestThatIsHere) {
  std::string expected = "software";
  for (const char* name : {"gl-lists", "cuda"})
    for (const EngineInfo& info : engines())
      if (info.name == name && info.available && info.hardware) expected = name;
  const auto engine = make_automatic_engine({.threads = 1});
  const auto kept = engine->keep(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  SelfOverlap out;
  engine->self_intersect(*kept, {.resolution = 1024}, out);
  EXPECT_EQ(out.engine, expected);
  engine->self_intersect(*kept, {.resolution = 8}, out);
  EXPECT_EQ(out.engine, "software") << "too little work for a GPU";
}

/// The choice itself, on whatever draws here.
class AutomaticGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = opengl::unavailable(); !why.empty()) GTEST_SKIP() << why;
    engine_ = make_automatic_engine({}, opengl::make_lists_engine);
  }
  std::unique_ptr<Engine> engine_;
};

TEST_F(AutomaticGpu, KeptMeshesMoveToTheGpuWithTheirPositions) {
  const Mesh a = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const Mesh b = test::box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2}),
             b_later = test::box_mesh({0.75f, 0.5f, 0.5f}, {2, 2, 2});
  const auto kept_a = engine_->keep(a), kept_b = engine_->keep(b);
  Overlap out;
  engine_->intersect(*kept_a, *kept_b, {}, out);
  EXPECT_EQ(out.engine, "gl-lists");
  EXPECT_NEAR(out.volume, 0.125, 1e-5);
  kept_b->deform(b_later.positions);
  engine_->intersect(*kept_a, *kept_b, {}, out);
  EXPECT_NEAR(out.volume, 0.0625, 1e-5);
  SelfOverlap self;
  engine_->self_intersect(*kept_b, {}, self);
  EXPECT_EQ(self.engine, "gl-lists");
  Containment inside;
  engine_->contains(*kept_b, b.positions, {}, inside);
  EXPECT_EQ(inside.engine, "gl-lists");
}

/// A GPU that is there and does not work.
class Broken final : public Engine {
 public:
  [[nodiscard]] std::string_view name() const override { return "broken"; }
  [[nodiscard]] Aabb bounds(MeshRef) override { return {}; }
  void build(MeshRef, const Grid&, Ldi&) override {}
  [[nodiscard]] std::unique_ptr<KeptMesh> keep(MeshView) override { throw Error("no memory", Error::Kind::device); }
};

TEST(Automatic, WhatTheGpuCannotTakeIsAnsweredOnTheCpu) {
  int made = 0;
  const auto engine = make_automatic_engine({}, [&](const EngineOptions&) {
    ++made;
    return std::make_unique<Broken>();
  });
  const auto kept = engine->keep(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  for (int i = 0; i < 2; ++i) {
    SelfOverlap out;
    engine->self_intersect(*kept, {.resolution = 16}, out);
    EXPECT_EQ(out.engine, "software");
    EXPECT_EQ(out.health.occupied_columns, 256u);
  }
  EXPECT_EQ(made, 1) << "a device that failed is not tried again";
}

TEST(Automatic, ADeviceAskedForByNumberMustBeThere) {
  EXPECT_THROW((void)make_automatic_engine({.device = 4711}), Error);
}

TEST(Automatic, DeviceNumbersAreCudasWhereCudaIsAvailableElseOpenGls) {
  for (const char* name : {"cuda", "gl-lists"}) {
    for (const EngineInfo& info : engines()) {
      if (info.name != name || !info.available) continue;
      const auto count = static_cast<unsigned>(info.devices.size());
      EXPECT_NO_THROW((void)make_automatic_engine({.device = count - 1}));
      EXPECT_THROW((void)make_automatic_engine({.device = count}), Error);
      return;
    }
  }
  GTEST_SKIP() << "neither CUDA nor OpenGL is available";
}

}  // namespace
}  // namespace lamella
