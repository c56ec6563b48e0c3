#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/opengl/engines.hpp"
#include "engines/software/engines.hpp"
#include "lamella/detector.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "registry/registry.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using testing::HasSubstr;

TEST(Registry, EnginesAreListedThePreferredFirst) {
  std::vector<std::string> names;
  for (const EngineInfo& info : engines()) names.push_back(info.name);
  EXPECT_THAT(names, testing::ElementsAre("software", "cuda", "gl-lists", "gl-unordered", "gl-ordered", "gl-tr395",
                                          "software-wscg", "reference"));
}

TEST(Registry, EveryListedEngineIsMadeByItsName) {
  for (const EngineInfo& info : engines()) {
    EXPECT_FALSE(info.summary.empty());
    EXPECT_EQ(info.available, info.why.empty());
    if (info.available) {
      EXPECT_EQ(make_engine({.engine = info.name})->name(), info.name);
    }
  }
}

TEST(Registry, AnEngineThatIsNotAvailableIsAnErrorThatSaysWhy) {
  for (const EngineInfo& info : engines()) {
    if (info.available) continue;
    try {
      (void)make_engine({.engine = info.name});
      FAIL() << info.name;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::device);
      EXPECT_THAT(e.what(), testing::AllOf(HasSubstr(info.name), HasSubstr(info.why)));
    }
  }
}

TEST(Registry, EnginesOnAGpuListTheirDevices) {
  for (const EngineInfo& info : engines()) {
    EXPECT_EQ(info.gpu, info.name == "cuda" || info.name.starts_with("gl-"));
    EXPECT_EQ(info.devices.empty(), !info.gpu || !info.available) << info.name;
  }
}

TEST(Registry, OpenGlEnginesShareTheirDevicesAndCudaHasItsOwn) {
  std::vector<EngineInfo> all = engines();
  for (const EngineInfo& info : scene_engines()) all.push_back(info);
  std::vector<std::string> cuda, opengl;
  for (const EngineInfo& info : all)
    if (info.gpu) (info.name == "cuda" ? cuda : opengl) = info.devices;
  for (const EngineInfo& info : all) {
    if (!info.gpu) continue;
    EXPECT_EQ(info.devices, info.name == "cuda" ? cuda : opengl) << info.name;
    if (info.name == "cuda") {
      EXPECT_EQ(info.hardware, info.available) << "there is no other CUDA device than a GPU";
    }
  }
}

TEST(Registry, EnginesForScenesAreListedThePreferredFirst) {
  std::vector<std::string> names;
  for (const EngineInfo& info : scene_engines()) names.push_back(info.name);
  EXPECT_THAT(names, testing::ElementsAre("software", "cuda", "gl-pairs"));
}

TEST(Registry, ADeviceBeyondTheListIsAnError) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  for (const EngineInfo& info : engines()) {
    if (!info.gpu || !info.available) continue;
    const auto beyond = static_cast<unsigned>(info.devices.size());
    for (const unsigned device : {beyond, 1000u}) try {
        (void)intersect(box, box, {.engine = info.name, .device = device});
        FAIL() << info.name;
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::device);
        EXPECT_THAT(e.what(), HasSubstr(std::to_string(device)));
      }
    EXPECT_TRUE(intersect(box, box, {.engine = info.name, .device = beyond - 1}).health.ok()) << "the last of the list";
  }
}

TEST(Registry, AutomaticAnswersWithTheSoftwareEngineWhereMeshesAreGivenAnew) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(intersect(box, box).engine, "software");
  EXPECT_EQ(self_intersect(box, {.engine = "automatic"}).engine, "software");
  EXPECT_EQ(contains(box, box.positions, {.engine = "automatic"}).engine, "software");
}

TEST(Registry, AutomaticNeverTakesAnEngineThatIsThereForStudy) {
  Detector detector({.engine = "automatic"});
  const Mesh ball = test::round_sphere(60, 120);
  const ObjectId a = detector.add(ball), b = detector.add(ball);
  for (const std::string& engine : {detector.intersect(a, b).engine, detector.self_intersect(a).engine,
                                    detector.contains(a, ball.positions).engine})
    EXPECT_THAT(engine, testing::AnyOf("software", "cuda", "gl-lists"));
}

TEST(Registry, EveryEngineSaysWhatItIs) {
  const std::string set = std::string(" (") + software::instruction_set() + ")";
  std::vector<std::string> summaries, scene_summaries;
  for (const EngineInfo& info : engines()) {
    summaries.push_back(info.summary);
    EXPECT_EQ(info.self_overlap, info.name != "gl-tr395") << info.name;
    if (info.name != "cuda") {
      EXPECT_EQ(info.hardware, info.gpu && opengl::is_hardware(std::nullopt)) << info.name;
    }
  }
  for (const EngineInfo& info : scene_engines()) {
    scene_summaries.push_back(info.summary);
    EXPECT_EQ(info.gpu, info.name != "software");
    EXPECT_EQ(info.available, info.why.empty());
  }
  EXPECT_THAT(
      summaries,
      testing::ElementsAre(
          "vectorised rasteriser on the CPU" + set, "columns and queries on the GPU, the same as software's (CUDA)",
          "one pass into per-pixel lists, queries on the GPU (OpenGL)",
          "stencil-routed layers, sorted on the CPU (OpenGL)", "depth peeling (OpenGL)",
          "TR 395 as published: stencil layers, alternation (OpenGL); wrong, unseen, where a mesh overlaps itself",
          "WSCG 2004's software generator as published: culled, clipped to the box, one thread",
          "brute force in exact arithmetic on the CPU; slow, for checking the others"));
  EXPECT_THAT(scene_summaries,
              testing::ElementsAre("vectorised rasteriser on the CPU" + set,
                                   "inconsistent pairs and points on the GPU, the same as software's (CUDA)",
                                   "inconsistent pairs by peeling; pairs and points, no volumes (OpenGL)"));
}

TEST(Registry, NamesAreThoseOfTheEngines) {
  std::vector<std::string> names;
  for (const EngineInfo& info : engines()) names.push_back(info.name);
  EXPECT_EQ(engine_names(), names);
}

TEST(Registry, AutomaticIsSoftwareInScenesAndMadeForBatches) {
  EXPECT_TRUE(make_pair_finder("automatic", {})->on_cpu());
  EXPECT_TRUE(make_pair_finder("software", {})->on_cpu());
  EXPECT_NE(make_batch_engine({.engine = "software"}), nullptr);
  EXPECT_NE(make_batch_engine({.engine = "automatic"}), nullptr);
  EXPECT_EQ(make_engine({})->name(), "automatic");
}

TEST(Registry, ATaskThatAnEngineDoesNotHaveIsAnErrorThatListsThoseThatDo) {
  const auto error = [](const auto& make) {
    const Error e = test::error_of(make);
    EXPECT_EQ(e.kind(), Error::Kind::input);
    return std::string(e.what());
  };
  EXPECT_EQ(error([] { (void)make_pair_finder("reference", {}); }),
            "engine reference cannot answer scenes; use one of: automatic, software, cuda, gl-pairs");
  EXPECT_EQ(error([] { (void)make_pair_finder("x", {}); }),
            "there is no engine \"x\" for scenes; use one of: automatic, software, cuda, gl-pairs");
  EXPECT_EQ(error([] { (void)make_batch_engine({.engine = "gl-lists"}); }),
            "engine gl-lists cannot answer batches; use one of: automatic, software, cuda");
  EXPECT_EQ(error([] { (void)make_batch_engine({.engine = "x"}); }),
            "there is no engine \"x\" for batches; use one of: automatic, software, cuda");
  EXPECT_EQ(error([] { (void)make_engine({.engine = "gl-pairs"}); }),
            "engine gl-pairs cannot answer queries; use one of: automatic, software, cuda, gl-lists, gl-unordered, "
            "gl-ordered, gl-tr395, software-wscg, reference");
}

TEST(Registry, OptionsReachTheEngines) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const std::vector<BatchPair> pair{{{0}, {0}, {}, {}}};
  for (const char* name : {"software", "automatic"}) {
    const auto engine = make_engine({.engine = name, .max_crossings = 100});
    Ldi ldi;
    EXPECT_NO_THROW(engine->build(box, square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, 7), ldi));
    EXPECT_THROW(engine->build(box, square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::z, 8), ldi), Error);
    const auto batch = make_batch_engine({.engine = name, .resolution = 5, .axis = Axis::y});
    batch->add(box);
    EXPECT_EQ(batch->intersect(pair)[0].grid, square_grid({{0, 0, 0}, {1, 1, 1}}, Axis::y, 5));
  }
}

TEST(Registry, AnUnknownNameFailsAndListsTheKnownOnes) {
  try {
    (void)make_engine({.engine = "sofware"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(
        e.what(),
        testing::AllOf(
            HasSubstr("\"sofware\""),
            HasSubstr("software, cuda, gl-lists, gl-unordered, gl-ordered, gl-tr395, software-wscg, reference")));
  }
}

}  // namespace
}  // namespace lamella
