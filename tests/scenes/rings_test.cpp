#include "scenes/rings.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "scenes/catalogue.hpp"
#include "scenes/check.hpp"

namespace lamella::scenes {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Rings, AreWrittenWithTheBytesOfTheWholeMesh) {
  const auto folder = std::filesystem::temp_directory_path() / ("lamella_rings_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const CatalogueModel& model : catalogue()) {
    if (model.rings == nullptr) continue;
    for (const std::size_t faces : {4, 100, 30'000}) {
      const Mesh mesh = model.make(faces);
      EXPECT_EQ(defect(mesh), "");
      write_mesh(folder / "whole.ply", mesh);
      EXPECT_EQ(write_ply(folder / "rings.ply", model.rings(faces)), bounds(mesh));
      EXPECT_EQ(content(folder / "rings.ply"), content(folder / "whole.ply")) << model.name << " " << faces;
    }
  }
  std::filesystem::remove_all(folder);
}

TEST(Rings, TooManyVerticesForTheFileAreAnError) {
  EXPECT_THROW((void)write_ply("never.ply", torus_surface(std::size_t{1} << 33)), Error);
  EXPECT_FALSE(std::filesystem::exists("never.ply"));
}

}  // namespace
}  // namespace lamella::scenes
