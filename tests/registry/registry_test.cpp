#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lamella/detector.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "support/closed_meshes.hpp"

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
