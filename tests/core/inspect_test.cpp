#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/mesh.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

TEST(Inspect, ATetrahedronIsClosedAndHasItsVolume) {
  const MeshReport r = inspect(test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}));
  EXPECT_TRUE(r.closed);
  EXPECT_EQ(r.components, 1u);
  EXPECT_NEAR(r.volume, 1.0 / 6, 1e-12);
  EXPECT_NEAR(r.area, 1.5 + std::sqrt(3.0) / 2, 1e-12);
  EXPECT_EQ(r.bounds, (Aabb{{0, 0, 0}, {1, 1, 1}}));
  EXPECT_TRUE(r.defects.empty());
}

TEST(Inspect, AMissingFaceLeavesThreeBoundaryEdgesAndSaysWhere) {
  Mesh mesh = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  mesh.triangles.erase(mesh.triangles.begin());  // the one in z = 0
  const MeshReport r = inspect(mesh);
  EXPECT_FALSE(r.closed);
  EXPECT_EQ(r.boundary_edges, 3u);
  EXPECT_EQ(r.nonmanifold_edges, 0u);
  EXPECT_EQ(r.inconsistent_edges, 0u);
  ASSERT_EQ(r.defects.size(), 3u);
  for (const Vec3 p : r.defects) EXPECT_EQ(p.z, 0);
}

TEST(Inspect, AFlippedFaceMakesItsEdgesInconsistent) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  std::swap(mesh.triangles[5].b, mesh.triangles[5].c);
  const MeshReport r = inspect(mesh);
  EXPECT_FALSE(r.closed);
  EXPECT_EQ(r.inconsistent_edges, 3u);
  EXPECT_EQ(r.boundary_edges, 0u);
}

TEST(Inspect, AThirdFaceOnAnEdgeMakesItNonManifold) {
  Mesh mesh = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  mesh.positions.push_back({2, 2, 2});
  mesh.triangles.push_back({0, 1, 4});
  const MeshReport r = inspect(mesh);
  EXPECT_EQ(r.nonmanifold_edges, 1u);
  EXPECT_EQ(r.boundary_edges, 2u);
  EXPECT_EQ(r.components, 1u);
}

TEST(Inspect, DegenerateTrianglesAreThoseWithoutAreaOrWithARepeatedVertex) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 0, 3}, {0, 1, 3}};
  EXPECT_EQ(inspect(mesh).degenerate_triangles, 2u);
  EXPECT_FALSE(inspect(mesh).closed);
}

TEST(Inspect, AnInvertedSolidHasNegativeVolume) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 2, 3});
  for (Triangle& t : mesh.triangles) std::swap(t.a, t.b);
  EXPECT_NEAR(inspect(mesh).volume, -6, 1e-12);
  EXPECT_TRUE(inspect(mesh).closed);
}

TEST(Inspect, ComponentsAreCountedByTheirTriangles) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  test::append(mesh, test::box_mesh({3, 0, 0}, {4, 1, 1}));
  mesh.positions.push_back({9, 9, 9});  // used by none
  EXPECT_EQ(inspect(mesh).components, 2u);
}

TEST(Inspect, FarFromTheOriginVolumeKeepsItsDigits) {
  const float far = 1 << 20;
  EXPECT_NEAR(inspect(test::box_mesh({far, far, far}, {far + 1, far + 2, far + 3})).volume, 6, 1e-9);
}

TEST(Inspect, BrokenVerticesAreCountedAndLeftOutOfTheSums) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  mesh.positions[7].z = NAN;
  const MeshReport r = inspect(mesh);
  EXPECT_EQ(r.nonfinite_vertices, 1u);
  EXPECT_TRUE(std::isfinite(r.volume));
}

TEST(Inspect, AnIndexOutOfRangeIsAnError) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  mesh.triangles[3].c = 8;
  EXPECT_THROW((void)inspect(mesh), Error);
}

TEST(Inspect, NothingIsNotClosed) { EXPECT_FALSE(inspect({}).closed); }

}  // namespace
}  // namespace lamella
