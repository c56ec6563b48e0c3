#include "measure/merged_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "proof/closed.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

TEST(MergedMesh, PutsVerticesOfACubeAtTheirMean) {
  Mesh mesh{{{0.1f, 0.1f, 0.1f}, {0.3f, 0.1f, 0.1f}, {5, 0, 0}, {0, 5, 0}, {0, 0, 5}}, {}};
  mesh.triangles = {{0, 1, 2}, {1, 2, 3}, {0, 3, 4}};
  MergedMesh merged;
  merged.merge(mesh, 1);
  const MeshView view = merged.view();
  ASSERT_EQ(view.positions.size(), 4u);
  EXPECT_NEAR(view.positions[0].x, 0.2f, 1e-6f);
  EXPECT_FLOAT_EQ(view.positions[0].y, 0.1f);
  ASSERT_EQ(view.triangles.size(), 2u);  // the first has two corners in one cube
  EXPECT_EQ(view.positions[view.triangles[0].b], (Vec3{5, 0, 0}));
  EXPECT_EQ(view.positions[view.triangles[1].c], (Vec3{0, 0, 5}));
}

TEST(MergedMesh, NumbersCubesOnEitherSideOfTheOrigin) {
  const Mesh mesh{{{-0.1f, 0, 0}, {0.1f, 0, 0}, {-1e30f, 0, 0}, {1e30f, 0, 0}}, {{0, 1, 2}, {1, 2, 3}}};
  MergedMesh merged;
  merged.merge(mesh, 1);
  EXPECT_EQ(merged.view().positions.size(), 4u);
  EXPECT_EQ(merged.view().triangles.size(), 2u);
}

TEST(MergedMesh, StaysClosedAndKeepsTheVolume) {
  Workers workers(1);
  for (const Mesh& mesh : {scenes::torus_knot(20'000), scenes::hand(8'000), scenes::blob(10'000, 3)}) {
    const float size = length(extent(bounds(mesh)));
    MergedMesh merged;
    for (const float part : {0.005f, 0.02f, 0.1f}) {
      merged.merge(mesh, part * size);
      const MeshView view = merged.view();
      EXPECT_TRUE(proof::is_closed(view, true, workers)) << part;
      EXPECT_LE(view.triangles.size(), mesh.triangles.size());
      if (part > 0.03f) continue;
      EXPECT_NEAR(signed_volume(view), signed_volume(mesh), 0.1 * signed_volume(mesh)) << part;
    }
    EXPECT_LT(merged.view().triangles.size(), mesh.triangles.size() / 10);
  }
}

TEST(MergedMesh, KeepsWhatCannotBeUsedApart) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  mesh.positions[3].y = std::numeric_limits<float>::quiet_NaN();
  MergedMesh merged;
  merged.merge(mesh, 10);
  EXPECT_EQ(merged.view().positions.size(), 2u);  // all others are in one cube
  merged.merge(mesh, 0.5f);
  EXPECT_EQ(merged.view().positions.size(), 8u);
  EXPECT_EQ(merged.view().triangles.size(), mesh.triangles.size());
  EXPECT_TRUE(std::isnan(merged.view().positions[3].y));
}

}  // namespace
}  // namespace lamella
