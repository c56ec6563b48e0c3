#include <cstdlib>
#include <nlohmann/json.hpp>

#include "io/support.hpp"

namespace lamella::test {
namespace {

std::filesystem::path meshes_folder() {
  const char* shared = std::getenv("LAMELLA_SHARED");
  return std::filesystem::path(shared != nullptr ? shared : LAMELLA_SHARED_DIR) / "meshes";
}

TEST(SharedMeshes, EveryFileOfTheManifestHasItsDeclaredCounts) {
  const auto folder = meshes_folder();
  std::ifstream manifest(folder / "manifest.json");
  if (!manifest) GTEST_SKIP() << "no shared meshes at " << folder << "; set LAMELLA_SHARED";
  std::size_t read = 0;
  const auto contents = nlohmann::json::parse(manifest);
  for (const auto& entry : contents.at("meshes")) {
    const std::string file = entry.at("file");
    SCOPED_TRACE(file);
    const Mesh mesh = read_mesh(folder / file);
    EXPECT_EQ(mesh.triangles.size(), entry.at("triangles").get<std::size_t>());
    EXPECT_EQ(mesh.positions.size(), entry.at("vertices").get<std::size_t>());
    ++read;
  }
  EXPECT_GT(read, 0u);
}

}  // namespace
}  // namespace lamella::test
