// Checks of meshes, on one thread and on several, and what a mesh measures.

#include "lamella/mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/mesh_check.hpp"
#include "core/mesh_scan.hpp"
#include "core/origin.hpp"
#include "core/world_only.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Enough triangles for several chunks on each of two threads.
Mesh many_triangles() {
  Mesh mesh = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  mesh.triangles.resize(60000, {1, 2, 3});
  return mesh;
}

void expect_index_error(const Mesh& mesh, const char* what) {
  Workers one(1), two(2);
  EXPECT_STREQ(test::error_of([&] { check_indices(mesh); }).what(), what);
  EXPECT_STREQ(test::error_of([&] { check_indices(mesh, one); }).what(), what);
  EXPECT_STREQ(test::error_of([&] { check_indices(mesh, two); }).what(), what);
}

TEST(MeshCheck, TheFirstIndexOutOfRangeIsNamedWithItsTriangle) {
  Mesh mesh = many_triangles();
  Workers workers(2);
  EXPECT_NO_THROW(check_indices(mesh));
  EXPECT_NO_THROW(check_indices(mesh, workers));
  mesh.triangles[59999].a = 77;
  expect_index_error(mesh, "triangle 59999 names vertex 77, but the mesh has only 4 vertices");
  mesh.triangles[30000].c = 4;
  mesh.triangles[30000].b = 5;
  expect_index_error(mesh, "triangle 30000 names vertex 5, but the mesh has only 4 vertices");
  mesh.triangles[0].c = 4;
  expect_index_error(mesh, "triangle 0 names vertex 4, but the mesh has only 4 vertices");
  mesh.positions.clear();
  expect_index_error(mesh, "triangle 0 names vertex 0, but the mesh has only 0 vertices");
  mesh.triangles = {{0, 0, 0}};
  expect_index_error(mesh, "triangle 0 names vertex 0, but the mesh has only 0 vertices");
  mesh.triangles.clear();
  EXPECT_NO_THROW(check_indices(mesh));
  EXPECT_NO_THROW(check_indices(mesh, workers));
  EXPECT_STREQ(test::error_of([&] { fail_index(mesh); }).what(),
               "a triangle named a vertex that the mesh does not have, and the mesh was changed meanwhile");
}

TEST(MeshCheck, AMeshHasAtMostAsManyTrianglesAs32BitsCount) {
  const Triangle none;  // only counted, not read
  const std::size_t most = 0xffffffffu;
  EXPECT_NO_THROW(check_triangle_count({{}, {&none, most}}));
  EXPECT_STREQ(test::error_of([&] {
                 check_triangle_count({{}, {&none, most + 1}});
               }).what(),
               "a mesh may have at most 2^32 - 1 triangles; split it");
}

TEST(MeshCheck, TheNumberOfVerticesMayNotChange) {
  EXPECT_NO_THROW(check_vertex_count(5, 5));
  EXPECT_STREQ(test::error_of([&] { check_vertex_count(5, 6); }).what(),
               "6 positions for a mesh of 5 vertices: to change their number, remove the mesh and add it again");
  EXPECT_THROW(check_vertex_count(6, 5), Error);
}

TEST(MeshCheck, BrokenTrianglesHaveAnUnusableVertexOrAnIndexOutOfRange) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(count_broken(mesh), 0u);
  mesh.triangles = {{0, 1, 2}, {7, 1, 2}, {1, 7, 2}, {1, 2, 7}, {3, 4, 5}};
  mesh.positions[7].y = kNan;
  EXPECT_EQ(count_broken(mesh), 3u);
  for (const Triangle& t : mesh.triangles) EXPECT_EQ(usable(mesh, t), t.a != 7 && t.b != 7 && t.c != 7);
  mesh.triangles = {{0, 1, 8}, {0, 9, 1}, {10, 0, 1}, {0, 1, 2}};
  EXPECT_EQ(count_broken(mesh), 3u);
  mesh.positions.clear();
  EXPECT_EQ(count_broken(mesh), 4u);
  mesh.triangles.clear();
  EXPECT_EQ(count_broken(mesh), 0u);
}

TEST(MeshScan, FactsOfManyPositionsAreThoseOfAllChunks) {
  test::Random random(3);
  Workers workers(2);
  std::vector<Vec3> positions(60000);
  for (Vec3& p : positions) p = random.in({{-1, -2, -3}, {1, 2, 3}});
  positions[100] = {-9, 0, 0};
  positions[30000] = {0, 9, 0};
  positions[59999] = {0, 0, 9};
  PositionFacts facts = inspect_positions(positions, workers);
  EXPECT_TRUE(facts.usable);
  EXPECT_EQ(facts.box, inspect_positions(positions).box);
  EXPECT_EQ(facts.box.min.x, -9);
  EXPECT_EQ(facts.box.max.y, 9);
  EXPECT_EQ(facts.box.max.z, 9);
  for (const std::size_t at : {0u, 59999u}) {
    const Vec3 before = std::exchange(positions[at], {kNan, 100, 100});
    facts = inspect_positions(positions, workers);
    EXPECT_FALSE(facts.usable);
    EXPECT_EQ(facts.box, inspect_positions(positions).box);
    positions[at] = before;
  }
  EXPECT_TRUE(inspect_positions(std::span<const Vec3>(), workers).box.empty());
}

TEST(Mesh, TheSignedVolumeIsThatOfTheSolid) {
  Mesh box = test::box_mesh({1, 2, 3}, {2, 4, 6});
  EXPECT_DOUBLE_EQ(signed_volume(box), 6);
  EXPECT_DOUBLE_EQ(inspect(box).volume, 6);
  EXPECT_DOUBLE_EQ(inspect(box).area, 22);
  Mesh turned = box;
  for (Triangle& t : turned.triangles) std::swap(t.a, t.b);
  EXPECT_DOUBLE_EQ(signed_volume(turned), -6);
  const float far = 1 << 20;
  EXPECT_DOUBLE_EQ(signed_volume(test::box_mesh({far, -far, far}, {far + 1, 2 - far, far + 3})), 6);
  EXPECT_EQ(signed_volume(Mesh{}), 0);
  EXPECT_EQ(signed_volume(Mesh{{{kNan, 0, 0}}, {{0, 0, 0}}}), 0);
  // What lies apart with a broken vertex does not count.
  const auto base = static_cast<std::uint32_t>(box.positions.size());
  box.positions.insert(box.positions.end(), {{1, 2, 3}, {2, 3, 3}, {1, 4, kNan}});
  for (const Triangle& t :
       {Triangle{base, base + 1, base + 2}, Triangle{base + 1, base + 2, base}, Triangle{base + 2, base, base + 1}})
    box.triangles.push_back(t);
  EXPECT_DOUBLE_EQ(signed_volume(box), 6);
}

TEST(Mesh, ATransformedMeshHasEveryVertexPlaced) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 2, 3});
  const Mesh moved = transformed(box, {{10, 20, 30}, {0, 0, 1, 0}});  // half a turn about z
  EXPECT_EQ(moved.triangles, box.triangles);
  ASSERT_EQ(moved.positions.size(), box.positions.size());
  for (std::size_t i = 0; i < box.positions.size(); ++i) {
    const Vec3 p = box.positions[i];
    EXPECT_EQ(moved.positions[i], (Vec3{10 - p.x, 20 - p.y, 30 + p.z}));
  }
}

/// Corners of a box as doubles.
std::vector<Vec3d> widened(const Mesh& mesh, Vec3d by) {
  std::vector<Vec3d> out;
  for (const Vec3& p : mesh.positions) out.push_back(to_double(p) + by);
  return out;
}

MeshView view_of(const std::vector<Vec3d>& wide, const Mesh& mesh) {
  return {.positions = {}, .triangles = mesh.triangles, .origin = {}, .wide = wide};
}

TEST(Mesh, AMeshOfDoublesHasTheBoxAndTheVolumeOfItsDoubles) {
  const Mesh box = test::box_mesh({0, 0, 0}, {0.001f, 0.002f, 0.004f});
  const std::vector<Vec3d> wide = widened(box, {1e7, 0, 0});
  EXPECT_NEAR(signed_volume(view_of(wide, box)), 8e-9, 8e-15);
  EXPECT_EQ(bounds(view_of(wide, box)).min.x, 1e7f);
  EXPECT_EQ(bounds(view_of(wide, box)).max.y, 0.002f);
  std::vector<Vec3d> broken = wide;
  broken.push_back({kNan, 1e300, 0});
  EXPECT_EQ(bounds(view_of(broken, box)), bounds(view_of(wide, box)));
}

TEST(Mesh, TheBoxAndTheVolumeDoNotDependOnTheOrigin) {
  Mesh box = test::box_mesh({1, 2, 3}, {2, 4, 6});
  const Aabb before = bounds(box);
  box.origin = {1e9, -1e9, 5};
  EXPECT_EQ(bounds(box), before);
  EXPECT_DOUBLE_EQ(signed_volume(box), 6);
}

TEST(Mesh, AMeshThatIsTransformedFarAwayKeepsItsShape) {
  const Mesh box = test::box_mesh({0, 0, 0}, {0.001f, 0.002f, 0.003f});
  const Mesh far = transformed(box, {{1e7, -2e7, 3e7}, {}});
  EXPECT_FALSE(far.origin == Vec3d{});
  for (std::size_t i = 0; i < box.positions.size(); ++i) {
    const Vec3d expected = to_double(box.positions[i]) + Vec3d{1e7, -2e7, 3e7};
    EXPECT_LT(length(to_double(far.positions[i]) + far.origin - expected), 1e-8);
  }
  const Mesh back = transformed(far, {{-1e7, 2e7, -3e7}, {}});
  EXPECT_EQ(back.origin, (Vec3d{}));
  for (std::size_t i = 0; i < box.positions.size(); ++i) EXPECT_LT(length(back.positions[i] - box.positions[i]), 1e-8f);
  Mesh in_place = box;
  transform(in_place, {{1e7, -2e7, 3e7}, {}});
  EXPECT_EQ(in_place.positions, far.positions);
  EXPECT_EQ(in_place.origin, far.origin);
  EXPECT_EQ(placed_positions(box, {{1e7, -2e7, 3e7}, {}}, far.origin), far.positions);
}

TEST(Mesh, AMeshOfManyVerticesIsTransformedInPlaceAsInACopy) {
  test::Random random(7);
  Mesh mesh;
  for (int i = 0; i < 40000; ++i) mesh.positions.push_back(random.in({{-1, -1, -1}, {1, 1, 1}}));
  const Transform pose{{3, 4, 5}, rotation_about({1, 2, 3}, 0.7)};
  const Mesh copy = transformed(mesh, pose);
  transform(mesh, pose);
  EXPECT_EQ(mesh.positions, copy.positions);
  EXPECT_EQ(mesh.origin, (Vec3d{}));
}

TEST(Mesh, WhereOriginsAreUnknownAMeshWithOneIsRefused) {
  Mesh box = test::box_mesh({0, 0, 0}, {1, 2, 3});
  EXPECT_NO_THROW(check_world_only(box, "f"));
  const std::vector<Vec3d> wide = widened(box, {});
  EXPECT_THROW(check_world_only(view_of(wide, box), "f"), Error);
  box.origin = {0, 0, 1};
  EXPECT_THROW(check_world_only(box, "f"), Error);
  EXPECT_NO_THROW(check_world_only(in_world(box), "f"));
}

TEST(Mesh, InTheWorldAMeshHasNoOriginAndItsPlaceAsFloats) {
  Mesh box = test::box_mesh({0, 0, 0}, {1, 2, 3});
  box.origin = {100, 200, 300};
  const Mesh world = in_world(box);
  EXPECT_EQ(world.origin, (Vec3d{}));
  EXPECT_EQ(world.triangles, box.triangles);
  EXPECT_EQ(bounds(world), (Aabb{{100, 200, 300}, {101, 202, 303}}));
}

TEST(ExactView, HasDoublesOnlyWhilePositionsAreTheirRoundings) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(exact_view(mesh).wide.empty());
  mesh.origin = {1000, 0, 0};
  for (const Vec3& p : mesh.positions) mesh.wide.push_back(to_double(p) * (1 + 1e-10));
  EXPECT_EQ(exact_view(mesh).wide.size(), 8u);
  EXPECT_TRUE(exact_view(mesh).positions.empty());
  EXPECT_NEAR(wide_box(exact_view(mesh)).max.x, 1001 + 1e-10, 1e-12);
  mesh.positions[3].y += 0.25f;  // moved, and its doubles were forgotten
  EXPECT_TRUE(exact_view(mesh).wide.empty());
  EXPECT_EQ(exact_view(mesh).origin, mesh.origin);
  mesh.positions[3].y -= 0.25f;
  mesh.wide.pop_back();
  EXPECT_TRUE(exact_view(mesh).wide.empty());
}

Mesh in_doubles_at(Vec3d origin, std::vector<Vec3d> positions) {
  Mesh mesh{.positions = {}, .triangles = {{0, 1, 2}}, .origin = origin, .wide = std::move(positions)};
  for (const Vec3d& p : mesh.wide) mesh.positions.push_back(to_float(p));
  return mesh;
}

TEST(ExactView, InTheWorldAMeshKeepsItsDoubles) {
  const Mesh mesh = in_world(in_doubles_at({1000, 0, 0}, {{0.1, 0.2, 0.3}, {0.5, 0.7, 0.1}, {0.3, 0.9, 0.6}}));
  const MeshView view = exact_view(mesh);
  ASSERT_EQ(view.wide.size(), 3u);
  EXPECT_EQ(view.wide[0], (Vec3d{0.1 + 1000, 0.2, 0.3}));
}

TEST(ExactView, InTheWorldAMeshThatWasEditedHasItsFloats) {
  Mesh mesh = in_doubles_at({1e6, 0, 0}, {{0.1, 0.2, 0.3}, {0.5, 0.7, 0.1}, {0.3, 0.9, 0.6}});
  for (Vec3& p : mesh.positions) p.x += 0.01f;  // which floats at 10^6 do not hold
  mesh = in_world(std::move(mesh));
  EXPECT_TRUE(mesh.wide.empty());
  EXPECT_TRUE(exact_view(mesh).wide.empty());
}

TEST(ExactView, OfAMeshThatWasMovedHasItsFloats) {
  Mesh mesh = test::box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Vec3& p : mesh.positions) mesh.wide.push_back(to_double(p) * (1 + 1e-10));
  ASSERT_FALSE(exact_view(mesh).wide.empty());
  transform(mesh, {{1, 2, 3}, {}});
  EXPECT_TRUE(mesh.wide.empty());
}

}  // namespace
}  // namespace lamella
