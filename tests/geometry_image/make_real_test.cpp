#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "lamella/geometry_image.hpp"
#include "lamella/mesh_io.hpp"
#include "support/shared_meshes.hpp"

namespace lamella {
namespace {

struct RealMesh {
  const char* file;
  int n, genus;
  std::size_t components;
  double distance;  ///< the furthest that a vertex may be, in diagonals of the box

  friend void PrintTo(const RealMesh& mesh, std::ostream* out) { *out << mesh.file; }
};

class MakeImageOfRealMesh : public ::testing::TestWithParam<RealMesh> {};

TEST_P(MakeImageOfRealMesh, IsClosedNotFlippedAndWithinOnePercentOfTheVolume) {
  LAMELLA_NEED_SHARED_MESHES();
  const Mesh mesh = read_mesh(test::shared_meshes() / GetParam().file);
#ifndef NDEBUG
  if (mesh.triangles.size() > 40'000) GTEST_SKIP() << "takes minutes in a build with asserts or sanitizers";
#endif
  const MadeImages made = make_geometry_images(mesh, {.n = GetParam().n});
  ASSERT_EQ(made.images.size(), GetParam().components);
  EXPECT_EQ(made.reports[0].genus, GetParam().genus);
  const double diagonal = length(extent(bounds(mesh)));
  for (std::size_t i = 0; i < made.images.size(); ++i) {
    SCOPED_TRACE(i);
    const MakeImageReport& report = made.reports[i];
    EXPECT_EQ(report.flipped_count, 0u);
    EXPECT_NEAR(report.image_volume / report.volume, 1, 0.01);
    EXPECT_LT(report.distance, GetParam().distance * diagonal);
    const MeshReport image = inspect(to_mesh(made.images[i]));
    EXPECT_TRUE(image.closed);
    EXPECT_EQ(static_cast<long>(image.vertices) - static_cast<long>(image.triangles / 2), 2 - 2 * report.genus);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Meshes, MakeImageOfRealMesh,
    ::testing::Values(RealMesh{"bunny_75k.ply", 8, 0, 1, 0.005}, RealMesh{"armadillo_86k.ply", 8, 0, 1, 0.008},
                      RealMesh{"lucy_100k.ply", 8, 0, 1, 0.008}, RealMesh{"knot_6k.ply", 9, 1, 1, 0.003},
                      RealMesh{"anatomy/vertebra_L4_15k.ply", 9, 1, 1, 0.003},
                      RealMesh{"buddha_100k.ply", 9, 10, 1, 0.006}, RealMesh{"turbine_18k.ply", 8, 11, 1, 0.01},
                      RealMesh{"mug_21k.ply", 8, 1, 1, 0.004}, RealMesh{"helicopter_1k.ply", 7, 0, 34, 0.01}),
    [](const auto& mesh) {
      std::string name = mesh.param.file;
      name = name.substr(name.find('/') + 1);
      return name.substr(0, name.find('.'));
    });

}  // namespace
}  // namespace lamella
