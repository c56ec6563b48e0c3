#include <gtest/gtest.h>

#include <cmath>

#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

/// Winding number by solid angles (van Oosterom and Strackee), in double: exact but for points on the surface.
double winding_number(MeshView mesh, Vec3 point) {
  double angle = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3d p = to_double(point);
    const Vec3d a = to_double(mesh.positions[t.a]) - p, b = to_double(mesh.positions[t.b]) - p,
                c = to_double(mesh.positions[t.c]) - p;
    const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
    angle += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle / (2 * 3.14159265358979323846);
}

/// Distance from a point to a triangle.
double distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  const auto to_segment = [&](Vec3d s, Vec3d e) {
    const Vec3d d = e - s;
    const double t = std::clamp(dot(p - s, d) / dot(d, d), 0.0, 1.0);
    const Vec3d r = p - (s + d * t);
    return std::sqrt(dot(r, r));
  };
  const Vec3d n = cross(b - a, c - a);
  const bool above =
      dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 && dot(cross(a - c, p - c), n) >= 0;
  if (above && dot(n, n) > 0) return std::abs(dot(p - a, n)) / std::sqrt(dot(n, n));
  return std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
}

double distance(MeshView mesh, Vec3 point) {
  double d = INFINITY;
  for (const Triangle& t : mesh.triangles)
    d = std::min(d, distance(to_double(point), to_double(mesh.positions[t.a]), to_double(mesh.positions[t.b]),
                             to_double(mesh.positions[t.c])));
  return d;
}

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
  const Containment c = contains(open, points, {.axis = Axis::z});
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
  EXPECT_EQ(contains(box_mesh({0, 0, 0}, {1, 1, 1}), {}).inside_count, 0u);
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

}  // namespace
}  // namespace lamella
