#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

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
  const auto is_whole = [](const Triangle& t) { return t.a != 7 && t.b != 7 && t.c != 7; };
  EXPECT_EQ(r.area, 0.5 * static_cast<double>(std::count_if(mesh.triangles.begin(), mesh.triangles.end(), is_whole)));
  EXPECT_EQ(r.degenerate_triangles, 0u);
}

TEST(Inspect, AnIndexOutOfRangeIsAnError) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  mesh.triangles[3].c = 8;
  EXPECT_THROW((void)inspect(mesh), Error);
}

TEST(Inspect, NothingIsNotClosed) { EXPECT_FALSE(inspect({}).closed); }

/// Everything that the report counts, from a map of edges and by repeated relabelling.
MeshReport brute_force(const Mesh& mesh) {
  MeshReport r;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, bool>>> edges;
  std::vector<std::uint32_t> label(mesh.triangles.size());
  bool repeats = false;
  for (std::uint32_t n = 0; n < mesh.triangles.size(); ++n) {
    const Triangle& t = mesh.triangles[n];
    label[n] = n;
    for (const auto& [from, to] : {std::pair(t.a, t.b), std::pair(t.b, t.c), std::pair(t.c, t.a)})
      edges[{std::min(from, to), std::max(from, to)}].emplace_back(n, from < to);
    const bool repeat = t.a == t.b || t.b == t.c || t.a == t.c;
    repeats = repeats || repeat;
    const Vec3d a = to_double(mesh.positions[t.a]), b = to_double(mesh.positions[t.b]),
                c = to_double(mesh.positions[t.c]);
    const double twice = length(cross(b - a, c - a));
    r.degenerate_triangles += repeat || twice == 0 ? 1 : 0;
    r.area += twice / 2;
  }
  std::vector<Vec3> defects[3];
  for (const auto& [edge, uses] : edges) {
    int kind = -1;
    if (uses.size() == 1) ++r.boundary_edges, kind = 0;
    if (uses.size() > 2) ++r.nonmanifold_edges, kind = 1;
    if (uses.size() == 2 && uses[0].second == uses[1].second) ++r.inconsistent_edges, kind = 2;
    if (kind >= 0) defects[kind].push_back((mesh.positions[edge.first] + mesh.positions[edge.second]) * 0.5f);
    for (const auto& use : uses) {
      const std::uint32_t from = label[use.first], to = label[uses[0].first];
      std::replace(label.begin(), label.end(), from, to);
    }
  }
  for (const auto& of_kind : defects) r.defects.insert(r.defects.end(), of_kind.begin(), of_kind.end());
  if (r.defects.size() > 8) r.defects.resize(8);
  r.components = std::set(label.begin(), label.end()).size();
  r.closed = !mesh.triangles.empty() && !repeats && defects[0].empty() && defects[1].empty() && defects[2].empty();
  return r;
}

TEST(Inspect, EveryCountIsThatOfBruteForce) {
  test::Random random(21);
  std::size_t closed = 0;
  for (int round = 0; round < 3000; ++round) {
    Mesh mesh;
    if (random.below(3) == 0) mesh = test::box_mesh({0, 0, 0}, {1, 2, 3});
    if (random.below(3) == 0) test::append(mesh, test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}));
    for (std::uint32_t i = 0; i < 4; ++i)
      mesh.positions.push_back({static_cast<float>(random.below(3)), static_cast<float>(random.below(3)), 1});
    const auto vertices = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t more = random.below(5); more > 0; --more)
      mesh.triangles.push_back({random.below(vertices), random.below(vertices), random.below(vertices)});
    if (random.below(4) == 0 && !mesh.triangles.empty()) mesh.triangles.pop_back();
    const MeshReport r = inspect(mesh), expected = brute_force(mesh);
    ASSERT_EQ(r.vertices, mesh.positions.size());
    ASSERT_EQ(r.triangles, mesh.triangles.size());
    ASSERT_EQ(r.boundary_edges, expected.boundary_edges);
    ASSERT_EQ(r.nonmanifold_edges, expected.nonmanifold_edges);
    ASSERT_EQ(r.inconsistent_edges, expected.inconsistent_edges);
    ASSERT_EQ(r.degenerate_triangles, expected.degenerate_triangles);
    ASSERT_EQ(r.components, expected.components);
    ASSERT_EQ(r.defects, expected.defects);
    ASSERT_EQ(r.closed, expected.closed);
    ASSERT_EQ(r.nonfinite_vertices, 0u);
    ASSERT_NEAR(r.area, expected.area, 1e-9);
    closed += r.closed ? 1 : 0;
  }
  EXPECT_GT(closed, 100u);
}

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
