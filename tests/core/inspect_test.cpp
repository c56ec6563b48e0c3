#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/edge_table.hpp"
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

/// Every edge with its uses, by a table of these numbers.
template <class Number>
std::vector<std::array<std::size_t, 4>> uses_of_edges(MeshView mesh) {
  std::vector<std::array<std::size_t, 4>> uses;
  for_each_edge(make_edge_table<Number>(mesh), [&](std::size_t a, std::size_t b, auto half_edges) {
    for (const auto& e : half_edges) uses.push_back({a, b, std::size_t{e.triangle()}, e.ascends() ? 1u : 0u});
  });
  std::sort(uses.begin(), uses.end());
  return uses;
}

/// A strip of triangles.
Mesh strip(std::uint32_t triangles) {
  Mesh mesh{std::vector<Vec3>(triangles + 2), {}};
  for (std::uint32_t i = 0; i < triangles; ++i)
    mesh.triangles.push_back(i % 2 == 0 ? Triangle{i, i + 1, i + 2} : Triangle{i + 1, i, i + 2});
  return mesh;
}

TEST(EdgeTable, NumbersAsManyTrianglesAsItsTypeHolds) {
  EXPECT_TRUE(can_number<std::uint32_t>(std::size_t{1} << 31));
  EXPECT_FALSE(can_number<std::uint32_t>((std::size_t{1} << 31) + 1));
  EXPECT_TRUE(can_number<std::uint64_t>(0xffffffffu));
  // 16 bits, where the limit is within reach.
  EXPECT_TRUE(can_number<std::uint16_t>(1u << 15));
  EXPECT_FALSE(can_number<std::uint16_t>((1u << 15) + 1));
  const Mesh most = strip(1u << 15), more = strip((1u << 15) + 1);
  EXPECT_EQ(uses_of_edges<std::uint16_t>(most), uses_of_edges<std::uint64_t>(most));
  EXPECT_NE(uses_of_edges<std::uint16_t>(more), uses_of_edges<std::uint64_t>(more));
  EXPECT_EQ(uses_of_edges<std::uint32_t>(more), uses_of_edges<std::uint64_t>(more));
}

}  // namespace
}  // namespace lamella
