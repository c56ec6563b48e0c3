#include "cli/engines/engine_list.hpp"

#include <gtest/gtest.h>

namespace lamella::cli {
namespace {

EngineInfo engine(const char* name, bool available, bool gpu = false, std::vector<std::string> devices = {},
                  bool hardware = false) {
  return {.name = name,
          .summary = "",
          .available = available,
          .why = "",
          .gpu = gpu,
          .hardware = hardware,
          .devices = std::move(devices)};
}

const EngineInfo kSoftware = engine("software", true);
const EngineInfo kReference = engine("reference", true);
const std::vector<std::string> kBoth{"NVIDIA H200, OpenGL 4.6", "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5"};

TEST(EngineList, AutomaticIsTheFirstOnTheCpuButTheReference) {
  EXPECT_EQ(automatic_engine({}), nullptr);
  EXPECT_EQ(automatic_engine({kReference}), nullptr);
  EXPECT_EQ(automatic_engine({engine("gl-lists", true, true), kReference, kSoftware})->name, "software");
  EXPECT_EQ(automatic_text({kReference}), "");
  EXPECT_EQ(automatic_text({kSoftware, kReference}), "automatic picks software\n");
}

TEST(EngineList, AutomaticTakesListsForLargeKeptMeshesOnARealGpuAlone) {
  const auto text = [](const char* name, bool available, bool hardware) {
    return automatic_text({kSoftware, engine(name, available, true, kBoth, hardware)});
  };
  EXPECT_EQ(text("gl-lists", true, true),
            "automatic picks software, and gl-lists for large meshes kept by a Detector\n");
  EXPECT_EQ(text("gl-lists", true, false), "automatic picks software\n");
  EXPECT_EQ(text("gl-lists", false, true), "automatic picks software\n");
  EXPECT_EQ(text("gl-ordered", true, true), "automatic picks software\n");
}

TEST(EngineList, AutomaticPrefersCudaToLists) {
  const EngineInfo lists = engine("gl-lists", true, true, kBoth, true);
  const auto text = [&](bool available) {
    return automatic_text({kSoftware, lists, engine("cuda", available, true, {"NVIDIA H200"}, available)});
  };
  EXPECT_EQ(text(true), "automatic picks software, and cuda for large meshes kept by a Detector\n");
  EXPECT_EQ(text(false), "automatic picks software, and gl-lists for large meshes kept by a Detector\n");
}

TEST(EngineList, DevicesAreListedOnceForAllEnginesThatShareThem) {
  EXPECT_EQ(devices_text({kSoftware, kReference}), "");
  EXPECT_EQ(devices_text({engine("gl-ordered", true, true, kBoth), kSoftware, engine("gl-lists", true, true, kBoth),
                          engine("other", true, true, {kBoth[0]})}),
            "GPUs for gl-ordered, gl-lists (--device N):\n"
            " 0  NVIDIA H200, OpenGL 4.6\n"
            " 1  llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5\n"
            "\n"
            "GPUs for other (--device N):\n"
            " 0  NVIDIA H200, OpenGL 4.6\n");
}

TEST(EngineList, AnEngineForMeshesAndScenesIsNamedOnceWithItsDevices) {
  const EngineInfo cuda = engine("cuda", true, true, {"NVIDIA H200, compute capability 9.0"}, true);
  EXPECT_EQ(devices_text({cuda, kSoftware, cuda}),
            "GPUs for cuda (--device N):\n"
            " 0  NVIDIA H200, compute capability 9.0\n");
}

}  // namespace
}  // namespace lamella::cli
