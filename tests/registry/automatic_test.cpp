#include <gtest/gtest.h>

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
