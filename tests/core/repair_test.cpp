#include "lamella/repair.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {
namespace {

Mesh flipped(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  return mesh;
}

Mesh both(Mesh a, const Mesh& b) {
  append(a, b);
  return a;
}

const Mesh kOuter = box_mesh({0, 0, 0}, {4, 4, 4});
const Mesh kInner = box_mesh({1, 1, 1}, {3, 3, 3});
const Mesh kApart = box_mesh({6, 0, 0}, {7, 1, 1});

TEST(Repair, LeavesACleanMeshAsItIs) {
  for (const Mesh& mesh : {Mesh{}, kOuter, scenes::torus_knot(2000)}) {
    const RepairResult result = repair(mesh);
    EXPECT_FALSE(result.report.changed());
    EXPECT_EQ(result.mesh.positions, mesh.positions);
    EXPECT_EQ(result.mesh.triangles, mesh.triangles);
    for (std::size_t i = 0; i < result.vertex_map.size(); ++i) EXPECT_EQ(result.vertex_map[i], i);
  }
}

TEST(Repair, WeldsVerticesAtTheSamePlaceAndSaysWhereTheyWent) {
  Mesh soup;
  for (const Triangle& t : kOuter.triangles) {
    const auto n = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(kOuter.positions[t[k]]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  soup.positions[0] = soup.positions[0] * -1.0f;  // -0
  const RepairResult result = repair(soup);
  EXPECT_EQ(result.report.welded_vertices, 28u);
  EXPECT_EQ(result.report.unused_vertices, 0u);
  EXPECT_EQ(result.report.closed_edges, 0u);
  EXPECT_EQ(result.mesh.positions.size(), 8u);
  EXPECT_TRUE(inspect(result.mesh).closed);
  for (std::size_t i = 0; i < soup.positions.size(); ++i)
    EXPECT_EQ(result.mesh.positions[result.vertex_map[i]], soup.positions[i]);
}

TEST(Repair, WeldsWithinADistanceAndNoFurther) {
  Random random(4);
  const Mesh ball = scenes::sphere(500);
  Mesh soup;
  for (const Triangle& t : ball.triangles) {
    const auto n = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k)
      soup.positions.push_back(ball.positions[t[k]] + random.in({{-1, -1, -1}, {1, 1, 1}}) * 1e-4f);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  EXPECT_GT(repair(soup).report.closed_edges, 0u);
  const RepairResult result = repair(soup, {.weld_distance = 1e-3f});
  EXPECT_EQ(result.report.closed_edges, 0u);
  EXPECT_EQ(result.mesh.positions.size(), ball.positions.size());
  EXPECT_TRUE(inspect(result.mesh).closed);
  EXPECT_EQ(repair(soup, {.weld_distance = 1e-7f}).report.welded_vertices, 0u);
  EXPECT_THROW((void)repair(soup, {.weld_distance = -1}), Error);
  EXPECT_THROW((void)repair(soup, {.weld_distance = std::numeric_limits<float>::infinity()}), Error);
}

TEST(Repair, DropsDegenerateAndUnusableFaces) {
  Mesh mesh = kOuter;
  mesh.triangles.push_back({0, 0, 5});
  mesh.positions.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0});
  mesh.positions.push_back({9, 9, 9});
  mesh.triangles.push_back({0, 1, 8});
  const RepairResult result = repair(mesh);
  EXPECT_EQ(result.report.degenerate_faces, 1u);
  EXPECT_EQ(result.report.unusable_faces, 1u);
  EXPECT_EQ(result.report.unused_vertices, 2u);
  EXPECT_EQ(result.mesh.triangles, kOuter.triangles);
  EXPECT_EQ(result.vertex_map[8], kNoVertex);
  EXPECT_EQ(result.vertex_map[9], kNoVertex);
}

TEST(Repair, OfFacesThatAreThereTwiceOneIsKeptAndOppositeOnesCancel) {
  Mesh twice = kOuter;
  twice.triangles.push_back({kOuter.triangles[3].b, kOuter.triangles[3].c, kOuter.triangles[3].a});
  EXPECT_EQ(repair(twice).report.doubled_faces, 1u);
  EXPECT_EQ(repair(twice).mesh.triangles, kOuter.triangles);

  Mesh sheet = kOuter;  // a wall inside, drawn from both sides
  sheet.triangles.push_back({0, 3, 7});
  sheet.triangles.push_back({0, 7, 3});
  EXPECT_EQ(repair(sheet).report.doubled_faces, 2u);
  EXPECT_EQ(repair(sheet).mesh.triangles, kOuter.triangles);
}

TEST(Repair, AClosedSurfaceDrawnFromBothSidesBecomesASolid) {
  Mesh mesh = kOuter;
  for (const Triangle& t : kOuter.triangles) mesh.triangles.push_back({t.a, t.c, t.b});
  const RepairResult result = repair(mesh);
  EXPECT_EQ(result.report.doubled_faces, 12u);
  EXPECT_NEAR(signed_volume(result.mesh), 64, 1e-6);
}

TEST(Repair, TurnsFacesThatLookAnotherWayThanTheirNeighbours) {
  Random random(9);
  const Mesh knot = scenes::torus_knot(3000);
  for (const std::uint32_t one_in : {2u, 10u, 1000u}) {
    Mesh mixed = knot;
    for (Triangle& t : mixed.triangles)
      if (random.below(one_in) == 0) std::swap(t.b, t.c);
    const RepairResult result = repair(mixed);
    EXPECT_GT(result.report.turned_faces, 0u);
    EXPECT_EQ(result.report.closed_edges, 0u);
    EXPECT_TRUE(inspect(result.mesh).closed);
    EXPECT_NEAR(signed_volume(result.mesh), signed_volume(knot), 1e-6);
  }
}

TEST(Repair, TurnsAMeshThatIsInsideOut) {
  const RepairResult result = repair(flipped(kOuter));
  EXPECT_EQ(result.report.turned_shells, 1u);
  EXPECT_NEAR(signed_volume(result.mesh), 64, 1e-6);
  EXPECT_EQ(repair(flipped(kOuter), {.orient = false}).report.turned_shells, 0u);
}

struct Nest {
  const char* name;
  Mesh mesh;
  double volume;  ///< once repaired
  std::uint64_t turned, cavities;
};

TEST(Repair, KeepsCavitiesAndSolidsInsideOthersAndTurnsTheRest) {
  const Mesh core = box_mesh({1.5f, 1.5f, 1.5f}, {2.5f, 2.5f, 2.5f});
  const std::vector<Nest> nests{
      {"hollow", both(kOuter, flipped(kInner)), 56, 0, 1},
      {"hollow, inside out as a whole", both(flipped(kOuter), kInner), 56, 2, 1},
      {"a solid inside a solid", both(kOuter, kInner), 72, 0, 0},
      {"a solid inside a cavity", both(both(kOuter, flipped(kInner)), core), 57, 0, 1},
      {"a solid inside a cavity, itself inside out", both(both(kOuter, flipped(kInner)), flipped(core)), 57, 1, 1},
      {"one of two apart", both(kOuter, flipped(kApart)), 65, 1, 0},
      {"both apart", both(flipped(kOuter), flipped(kApart)), 65, 2, 0},
  };
  for (const Nest& nest : nests) {
    SCOPED_TRACE(nest.name);
    const MeshReport before = inspect(nest.mesh);
    EXPECT_EQ(before.inside_out_components, nest.turned);
    EXPECT_EQ(before.cavities, nest.cavities);
    const RepairResult result = repair(nest.mesh);
    EXPECT_EQ(result.report.turned_shells, nest.turned);
    EXPECT_EQ(result.report.cavities, nest.cavities);
    EXPECT_NEAR(signed_volume(result.mesh), nest.volume, 1e-4);
    EXPECT_EQ(inspect(result.mesh).inside_out_components, 0u);
  }
}

TEST(Repair, JudgesBodiesThatTouchInAnEdgeApart) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  append(mesh, flipped(box_mesh({1, 1, 0}, {2, 2, 1})));
  EXPECT_EQ(inspect(mesh).inside_out_components, 1u);
  EXPECT_NEAR(signed_volume(repair(mesh).mesh), 2, 1e-6);
}

TEST(Repair, ClosesHolesAndTurnsWhatWasOpenAndInsideOut) {
  Mesh open = flipped(kOuter);
  open.triangles.resize(10);  // without the face at x = 4
  const MeshReport before = inspect(open);
  EXPECT_EQ(before.open_edges, 4u);
  EXPECT_EQ(before.holes, 1u);
  EXPECT_EQ(before.inside_out_components, 1u);
  const RepairResult result = repair(open);
  EXPECT_EQ(result.report.closed_holes, 1u);
  EXPECT_EQ(result.report.closed_edges, 4u);
  EXPECT_DOUBLE_EQ(result.report.fan_area, 16);
  EXPECT_NEAR(signed_volume(result.mesh), 64, 1e-6);
  EXPECT_EQ(result.mesh.positions.size(), 9u);

  const RepairResult not_closed = repair(open, {.close = false});
  EXPECT_EQ(not_closed.report.open_edges, 4u);
  EXPECT_EQ(not_closed.report.turned_shells, 1u);
  EXPECT_EQ(not_closed.mesh.positions.size(), 8u);
  EXPECT_EQ(not_closed.mesh.triangles.size(), 10u);
}

TEST(Repair, LeavesAOneSidedStripAndReportsIt) {
  Mesh strip;  // Moebius: five triangles around
  for (int i = 0; i < 5; ++i)
    strip.positions.push_back({std::cos(static_cast<float>(i)), std::sin(static_cast<float>(i)), i % 2 ? 1.0f : 0.0f});
  for (std::uint32_t i = 0; i < 5; ++i) strip.triangles.push_back({i, (i + 1) % 5, (i + 2) % 5});
  const RepairResult result = repair(strip);
  EXPECT_EQ(result.report.one_sided_patches, 1u);
  EXPECT_TRUE(is_closed(result.mesh));
}

TEST(Repair, MakesEveryMeshBoundASolidAndMapsItsVertices) {
  Random random(13);
  for (int round = 0; round < 1000; ++round) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < 12; ++i) mesh.positions.push_back(random.in({{0, 0, 0}, {1, 1, 1}}));
    for (std::uint32_t n = random.below(25); n > 0; --n)
      mesh.triangles.push_back({random.below(12), random.below(12), random.below(12)});
    const RepairResult result = repair(mesh);
    ASSERT_TRUE(is_closed(result.mesh)) << round;
    ASSERT_EQ(inspect(result.mesh).open_edges, 0u) << round;
    ASSERT_EQ(result.vertex_map.size(), mesh.positions.size());
    for (std::size_t i = 0; i < result.vertex_map.size(); ++i) {
      const std::uint32_t to = result.vertex_map[i];
      ASSERT_TRUE(to == kNoVertex || result.mesh.positions[to] == mesh.positions[i]);
    }
  }
}

TEST(Repair, KeepsTheOriginOfAMeshFarAway) {
  Mesh far = flipped(kOuter);
  far.origin = {1e9, 2e9, -3e9};
  EXPECT_EQ(repair(far).mesh.origin, far.origin);
  EXPECT_EQ(inspect(far).origin, far.origin);
}

TEST(Inspect, CountsOpenEdgesByPlaceAndBoundaryEdgesByIndex) {
  Mesh soup;
  for (const Triangle& t : kOuter.triangles) {
    const auto n = static_cast<std::uint32_t>(soup.positions.size());
    for (int k = 0; k < 3; ++k) soup.positions.push_back(kOuter.positions[t[k]]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  const MeshReport report = inspect(soup);
  EXPECT_EQ(report.boundary_edges, 36u);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.open_edges, 0u);
  soup.triangles.push_back(soup.triangles[0]);
  EXPECT_EQ(inspect(soup).duplicate_faces, 1u);
  EXPECT_EQ(inspect(soup).open_edges, 3u);
}

TEST(Repair, ManySmallSolidsAmongLargeTrianglesEndInGoodTime) {
  Mesh mesh;  // each small one lies below all large ones: without a bound that would be 4 * 10^8 tests
  for (int i = 0; i < 10000; ++i) {
    const auto at = static_cast<float>(i % 100), up = static_cast<float>(i) / 100;
    append(mesh, flipped(box_mesh({at, up, 0}, {at + 0.5f, up + 0.005f, 1})));
    append(mesh,
           tetrahedron({-200, -200, 2.0f + up}, {400, -200, 2.0f + up}, {0, 400, 2.0f + up}, {0, 0, 2.001f + up}));
  }
  const RepairResult result = repair(mesh);
  EXPECT_EQ(result.report.turned_shells, 10000u);
  EXPECT_GT(result.report.unjudged_shells, 0u);
}

}  // namespace
}  // namespace lamella::test
