#include <gtest/gtest.h>

#include <cmath>

#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"
#include "support/exact_inside.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::distance;
using test::winding_number;

TEST(Contains, TellsInsideFromOutsideOfABox) {
  const std::vector<Vec3> points{
      {0.5f, 0.5f, 0.5f}, {1.5f, 0.5f, 0.5f}, {-1, 0, 0}, {0.5f, 0.5f, 7}, {0.01f, 0.99f, 0.5f}};
  const Containment c = contains(box_mesh({0, 0, 0}, {1, 1, 1}), points);
  EXPECT_EQ(c.inside, (std::vector<std::uint8_t>{1, 0, 0, 0, 1}));
  EXPECT_EQ(c.inside_count, 2u);
  EXPECT_TRUE(c.health.ok());
}

TEST(Contains, DiffersFromExactOnlyWithinOneCellOfTheSurface) {
  for (const char* name : {"torus", "torus_knot", "blob", "hand"}) {
    const Mesh mesh = scenes::make_model(name, 3000);
    const Aabb box = bounds(mesh);
    test::Random random(11);
    std::vector<Vec3> points(1500);
    for (Vec3& p : points) p = random.in(box);
    for (const std::uint32_t n : {32u, 128u}) {
      const Containment c = contains(mesh, points, {.resolution = n});
      const double cell = std::hypot(c.grid.cell_u(), c.grid.cell_v());
      for (std::size_t i = 0; i < points.size(); ++i) {
        const bool exact = winding_number(mesh, points[i]) > 0.5;
        if (exact != (c.inside[i] != 0)) {
          EXPECT_LE(distance(mesh, points[i]), cell) << name << " at " << n;
        }
      }
    }
  }
}

TEST(Contains, PointsThatAreNotNumbersAreOutside) {
  const std::vector<Vec3> points{
      {NAN, 0.5f, 0.5f}, {0.5f, NAN, 0.5f}, {0.5f, 0.5f, NAN}, {INFINITY, 0, 0}, {1e38f, 1e38f, 0}};
  EXPECT_EQ(contains(box_mesh({0, 0, 0}, {1, 1, 1}), points).inside_count, 0u);
}

TEST(Contains, PointsInColumnsThatDoNotCloseAreCountedNotGuessed) {
  Mesh open = box_mesh({0, 0, 0}, {1, 1, 1});
  open.triangles.erase(open.triangles.begin());
  std::vector<Vec3> points(400);
  test::Random random(5);
  for (Vec3& p : points) p = random.in({{0.1f, 0.1f, 0.1f}, {0.9f, 0.9f, 0.9f}});
  const Containment c = contains(open, points, {.axis = Axis::z, .close_holes = false});
  EXPECT_FALSE(c.health.ok());
  EXPECT_GT(c.health.untrusted_points, 100u);
  EXPECT_EQ(c.inside_count + c.health.untrusted_points, points.size());
}

TEST(Contains, AnInsideOutMeshHoldsNoPointsAndSaysSo) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  for (Triangle& t : mesh.triangles) std::swap(t.a, t.b);
  const std::vector<Vec3> points{{0.5f, 0.5f, 0.5f}};
  const Containment c = contains(mesh, points, {.resolution = 16});
  EXPECT_EQ(c.inside_count, 0u);
  EXPECT_EQ(c.health.inside_out_columns, 256u);
}

TEST(Contains, NoPointsAndNoMeshAreFine) {
  EXPECT_EQ(contains(box_mesh({0, 0, 0}, {1, 1, 1}), std::span<const Vec3>{}).inside_count, 0u);
  const std::vector<Vec3> points{{0, 0, 0}};
  EXPECT_EQ(contains({}, points).inside, std::vector<std::uint8_t>{0});
}

TEST(Contains, SameFlagsForEveryThreadCount) {
  const Mesh mesh = scenes::serpent(20000);
  std::vector<Vec3> points(50000);
  test::Random random(9);
  for (Vec3& p : points) p = random.in(bounds(mesh));
  EXPECT_EQ(contains(mesh, points, {.threads = 1}).inside, contains(mesh, points, {.threads = 4}).inside);
}

TEST(Contains, WithABoxLooksOnlyAtThePointsInIt) {
  const std::vector<Vec3> points{{0.25f, 0.5f, 0.5f}, {0.75f, 0.5f, 0.5f}, {0.25f, 0.5f, 2},
                                 {0.25f, 0.5f, 4},    {NAN, 0, 0},         {0.5f, 0.5f, 0.5f}};
  const Aabb box{{-1, -1, -1}, {0.5f, 2, 3}};
  const Containment c = contains(box_mesh({0, 0, 0}, {1, 1, 1}), points, box, {.resolution = 16});
  EXPECT_EQ(c.inside, (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 1})) << "the last lies on the box's face, in the mesh";
  EXPECT_EQ(c.inside_count, 2u);
  EXPECT_EQ(c.not_looked_at, 3u);
  EXPECT_EQ(c.box, box);
  EXPECT_EQ(c.grid.box, (Aabb{{0, 0, 0}, {0.5f, 1, 1}})) << "all columns go through the mesh's box";
  EXPECT_TRUE(c.health.ok());
  EXPECT_EQ(contains(box_mesh({0, 0, 0}, {1, 1, 1}), points).box, std::nullopt);
}

TEST(Contains, ASmallBoxSamplesFinerThanTheWholeMesh) {
  const Mesh mesh = scenes::make_model("torus_knot", 3000);
  const Aabb whole = bounds(mesh);
  const Aabb box{center(whole) - extent(whole) * 0.15f, center(whole) + extent(whole) * 0.3f};
  test::Random random(23);
  std::vector<Vec3> points(1000);
  for (Vec3& p : points) p = random.in(box);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Containment c = contains(mesh, points, box, {.resolution = 64, .axis = axis});
    EXPECT_EQ(c.not_looked_at, 0u);
    const double cell = test::cell_diagonal(c.grid);
    EXPECT_LT(cell, 0.46 * test::cell_diagonal(contains(mesh, points, {.resolution = 64, .axis = axis}).grid));
    int inside = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool exact = winding_number(mesh, points[i]) > 0.5;
      inside += exact ? 1 : 0;
      if (exact != (c.inside[i] != 0)) {
        EXPECT_LE(distance(mesh, points[i]), cell);
      }
    }
    EXPECT_GT(inside, 50);
  }
}

TEST(Contains, ABoxBesideTheMeshHasNothingInside) {
  const std::vector<Vec3> points{{3, 3, 3}, {0.5f, 0.5f, 0.5f}};
  const Containment c = contains(box_mesh({0, 0, 0}, {1, 1, 1}), points, {{2, 2, 2}, {4, 4, 4}});
  EXPECT_EQ(c.inside_count, 0u);
  EXPECT_EQ(c.not_looked_at, 1u);
  EXPECT_EQ(c.grid.column_count(), 0u);
}

TEST(Contains, RefusesABoxWithoutVolume) {
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  const std::vector<Vec3> points{{0.5f, 0.5f, 0.5f}};
  for (const Aabb& box : {Aabb{}, Aabb{{0, 0, 0}, {1, 1, 0}}, Aabb{{0, 0, 0}, {1, 1, NAN}},
                          Aabb{{0, 0, 0}, {1, 1, INFINITY}}, Aabb{{1, 1, 1}, {0, 0, 0}}}) {
    const std::string message = test::error_of([&] { (void)contains(mesh, points, box); }).what();
    EXPECT_NE(message.find("encloses no volume"), std::string::npos) << message;
  }
}

TEST(Contains, InABoxOpenColumnsAreCountedToo) {
  Mesh open = box_mesh({0, 0, 0}, {1, 1, 1});
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 2);  // no low face along z
  const std::vector<Vec3> points{{0.25f, 0.25f, 0.75f}, {0.75f, 0.75f, 0.75f}};
  const Aabb above{{0, 0, 0.5f}, {0.5f, 0.5f, 1}};
  const Containment c = contains(open, points, above, {.resolution = 16, .axis = Axis::z, .close_holes = false});
  EXPECT_EQ(c.health.open_columns, 256u) << "the hole is outside the box, but on the rays";
  EXPECT_EQ(c.health.untrusted_points, 1u);
  EXPECT_THROW((void)contains(open, points, above, {.axis = Axis::z, .strict = true}), Error);
}

}  // namespace
}  // namespace lamella
