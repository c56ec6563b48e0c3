#include <nlohmann/json.hpp>

#include "io/support.hpp"
#include "support/shared_meshes.hpp"

namespace lamella::test {
namespace {

TEST(SharedMeshes, EveryFileOfTheManifestHasItsDeclaredCounts) {
  LAMELLA_NEED_SHARED_MESHES();
  const auto folder = shared_meshes();
  std::ifstream manifest(folder / "manifest.json");
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
