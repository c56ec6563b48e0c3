#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "lamella/geometry_image.hpp"
#include "scenes/hard_meshes.hpp"

namespace lamella {
namespace {

class HardMesh : public ::testing::TestWithParam<std::size_t> {};

int genus_of(const MeshReport& mesh) {
  return static_cast<int>((2 - (static_cast<long>(mesh.vertices) - static_cast<long>(mesh.triangles / 2))) / 2);
}

TEST_P(HardMesh, BecomesAClosedImageNearTheSurface) {
  const Mesh mesh = scenes::hard_meshes()[GetParam()].make(1);
  const MeshReport before = inspect(mesh);
  ASSERT_TRUE(before.closed);
  ASSERT_EQ(before.components, 1u);
  ASSERT_GT(before.volume, 0);
  const MadeImages made = make_geometry_images(mesh, {.n = 7});
  ASSERT_EQ(made.images.size(), 1u);
  const MakeImageReport& report = made.reports[0];
  EXPECT_EQ(report.flipped_count, 0u);
  EXPECT_EQ(report.genus, genus_of(before));
  const MeshReport after = inspect(to_mesh(made.images[0]));
  EXPECT_TRUE(after.closed);
  EXPECT_EQ(genus_of(after), report.genus);
  EXPECT_LT(report.distance, 0.02 * length(extent(bounds(mesh))));
  EXPECT_NEAR(report.image_volume / report.volume, 1, 0.03);
}

INSTANTIATE_TEST_SUITE_P(All, HardMesh, ::testing::Range<std::size_t>(0, 10),
                         [](const auto& each) { return std::string(scenes::hard_meshes()[each.param].name); });

TEST(HardMeshes, AreTen) { EXPECT_EQ(scenes::hard_meshes().size(), 10u); }

}  // namespace
}  // namespace lamella
