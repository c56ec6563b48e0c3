#include <gmock/gmock.h>

#include <cmath>

#include "core/subsets.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

TEST(Components, OneTetrahedronIsOne) {
  const Mesh mesh = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const std::vector<Mesh> parts = split_components(mesh);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].triangles.size(), 4u);
  EXPECT_EQ(signed_volume(parts[0]), signed_volume(mesh));
}

TEST(Components, NoTrianglesAreNoComponents) {
  EXPECT_TRUE(split_components(Mesh{}).empty());
  EXPECT_TRUE(split_components(Mesh{{{0, 0, 0}}, {}}).empty());
}

TEST(Components, TwoBoxesAreTwoInTheOrderOfTheirFirstTrianglesWithoutUnusedVertices) {
  Mesh mesh = test::box_mesh({5, 0, 0}, {6, 1, 1});
  mesh.positions.push_back({100, 100, 100});
  test::append(mesh, test::box_mesh({0, 0, 0}, {2, 1, 1}));
  std::swap(mesh.triangles[3], mesh.triangles[17]);  // their triangles need not stand together
  mesh.origin = {1e6, 0, 0};
  const std::vector<Mesh> parts = split_components(mesh);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(bounds(parts[0]), (Aabb{{5, 0, 0}, {6, 1, 1}}));
  EXPECT_EQ(bounds(parts[1]), (Aabb{{0, 0, 0}, {2, 1, 1}}));
  for (const Mesh& part : parts) {
    EXPECT_EQ(part.triangles.size(), 12u);
    EXPECT_EQ(part.positions.size(), 8u);
    EXPECT_EQ(part.origin, mesh.origin);
    EXPECT_TRUE(inspect(part).closed);
  }
}

TEST(Components, VerticesWithEqualCoordinatesConnectAndMinusZeroIsZero) {
  Mesh soup;  // a box whose triangles share no vertices
  for (const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1}); const Triangle& t : box.triangles)
    for (int i = 0; i < 3; ++i) {
      Vec3 p = box.positions[t[i]];
      if (p.x == 0 && soup.positions.size() % 2 == 0) p.x = -0.0f;
      soup.positions.push_back(p);
    }
  for (std::uint32_t i = 0; i < soup.positions.size(); i += 3) soup.triangles.push_back({i, i + 1, i + 2});
  EXPECT_EQ(split_components(soup).size(), 1u);
  for (Vec3& p : std::span(soup.positions).first(3)) p.x += 10;
  EXPECT_EQ(split_components(soup).size(), 2u);
}

TEST(Components, VerticesThatAreNotNumbersConnectOnlyThroughTheirIndices) {
  const float nan = std::nanf("");
  const Mesh mesh{{{nan, 0, 0}, {1, 0, 0}, {0, 1, 0}, {INFINITY, 5, 0}, {6, 5, 0}, {5, 6, 0}}, {{0, 1, 2}, {3, 4, 5}}};
  EXPECT_EQ(split_components(mesh).size(), 2u);
}

TEST(Components, AMeshOfDoublesIsSplitByItsDoublesAndEachPartKeepsItsDigits) {
  const Mesh box = test::box_mesh({0, 0, 0}, {0.001f, 0.001f, 0.001f});
  std::vector<Vec3d> wide;
  std::vector<Triangle> triangles;
  for (const double x : {1e7, 1e7 + 0.01, -1e7}) {  // the first two are one place as floats
    const auto base = static_cast<std::uint32_t>(wide.size());
    for (const Vec3& p : box.positions) wide.push_back(to_double(p) + Vec3d{x, 0, 0});
    for (const Triangle& t : box.triangles) triangles.push_back({base + t.a, base + t.b, base + t.c});
  }
  const std::vector<Mesh> parts =
      split_components({.positions = {}, .triangles = triangles, .origin = {}, .wide = wide});
  ASSERT_EQ(parts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(signed_volume(parts[i]), 1e-9, 1e-14);
    EXPECT_NEAR(double{parts[i].positions[0].x} + parts[i].origin.x, wide[8 * i].x, 1e-8);
  }
}

TEST(Components, AnIndexOutOfRangeIsAnError) {
  EXPECT_THROW((void)split_components(Mesh{{{0, 0, 0}}, {{0, 0, 1}}}), Error);
}

TEST(Subsets, TheSubsetsOfAMeshHaveAllOfItsTrianglesInOrder) {
  test::Random random(3);
  constexpr std::uint32_t kVertices = 50, kParts = 7;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> part_of;
  for (int i = 0; i < 300; ++i) {
    triangles.push_back({random.below(kVertices), random.below(kVertices), random.below(kVertices)});
    part_of.push_back(random.below(kParts));
  }
  std::vector<std::size_t> next(kParts);
  const std::vector<MeshSubset> subsets = subsets_of(triangles, kVertices, part_of, kParts);
  ASSERT_EQ(subsets.size(), kParts);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const MeshSubset& s = subsets[part_of[i]];
    const Triangle t = s.triangles.at(next[part_of[i]]++);
    EXPECT_EQ((Triangle{s.vertices.at(t.a), s.vertices.at(t.b), s.vertices.at(t.c)}), triangles[i]);
  }
  for (std::size_t part = 0; part < kParts; ++part) EXPECT_EQ(next[part], subsets[part].triangles.size());
}

}  // namespace
}  // namespace lamella
