#include "cli/engine_list.hpp"

#include <gtest/gtest.h>

namespace lamella::cli {
namespace {

EngineInfo engine(const char* name, bool available, bool gpu = false, std::vector<std::string> devices = {}) {
  return {.name = name, .summary = "", .available = available, .why = "", .gpu = gpu, .devices = std::move(devices)};
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
  const auto text = [](bool available, std::vector<std::string> devices) {
    return automatic_text({kSoftware, engine("gl-lists", available, true, std::move(devices))});
  };
  const std::string both = "automatic picks software, and gl-lists for large meshes kept by a Detector\n";
  EXPECT_EQ(text(true, kBoth), both);
  EXPECT_EQ(text(true, {kBoth[0]}), both);
  EXPECT_EQ(text(true, {kBoth[1]}), "automatic picks software\n");
  EXPECT_EQ(text(true, {"softpipe", "SWR (LLVM 15)"}), "automatic picks software\n");
  EXPECT_EQ(text(true, {}), "automatic picks software\n");
  EXPECT_EQ(text(false, kBoth), "automatic picks software\n");
  EXPECT_EQ(automatic_text({kSoftware, engine("gl-ordered", true, true, kBoth)}), "automatic picks software\n");
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

}  // namespace
}  // namespace lamella::cli
