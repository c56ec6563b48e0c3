#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/distance.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "measure/soup.hpp"
#include "scenes/models.hpp"
#include "support/instruction_sets.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::Random;

double largest(MeshView mesh, Vec3d p) {
  const Aabb box = bounds(mesh);
  double most = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(double{box.min[k]}), std::abs(double{box.max[k]})});
  return most;
}

void expect_as_brute_force(MeshView mesh, std::span<const Vec3d> points) {
  const ClosestPoints found = closest(mesh, points, 1);
  ASSERT_EQ(found.points.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double tolerance = 8 * largest(mesh, points[i]) * 0x1p-52;
    const ClosestPoint& c = found.points[i];
    EXPECT_NEAR(std::abs(c.distance), test::brute_distance(mesh, points[i]), tolerance) << i;
    EXPECT_NEAR(length(points[i] - c.position), std::abs(c.distance), tolerance);
    ASSERT_LT(c.triangle, mesh.triangles.size());
    EXPECT_LE(measure::nearest_on_triangle(c.position, test::corners3(mesh, c.triangle).at).square,
              tolerance * tolerance);
  }
}

std::vector<Vec3d> points_in(Random& random, const Aabb& box, int count) {
  std::vector<Vec3d> points;
  for (int i = 0; i < count; ++i) points.push_back(to_double(random.in(box)));
  return points;
}

TEST(Closest, FacesEdgesAndCornersOfABox) {
  const Mesh box = box_mesh({0, 0, 0}, {2, 2, 2});
  const std::vector<Vec3> points{{0.5f, 1.25f, 3}, {0.5f, 1.25f, 1.75f}, {3, 3, 1}, {3, 3, 3}, {-1, 1, 0.5f}};
  const ClosestPoints found = closest(box, points);
  EXPECT_TRUE(found.health.ok());
  EXPECT_DOUBLE_EQ(found.points[0].distance, 1);
  EXPECT_EQ(found.points[0].position, (Vec3d{0.5, 1.25, 2}));
  EXPECT_EQ(found.points[0].normal, (Vec3{0, 0, 1}));
  EXPECT_DOUBLE_EQ(found.points[1].distance, -0.25);
  EXPECT_EQ(found.points[1].normal, (Vec3{0, 0, 1}));
  const float half = std::sqrt(0.5f), third = std::sqrt(1 / 3.0f);
  EXPECT_DOUBLE_EQ(found.points[2].distance, std::sqrt(2.0));
  EXPECT_EQ(found.points[2].position, (Vec3d{2, 2, 1}));
  EXPECT_NEAR(length(found.points[2].normal - Vec3{half, half, 0}), 0, 1e-6);
  EXPECT_DOUBLE_EQ(found.points[3].distance, std::sqrt(3.0));
  EXPECT_NEAR(length(found.points[3].normal - Vec3{third, third, third}), 0, 1e-6)
      << "by angle, however the faces are cut into triangles";
  EXPECT_EQ(found.points[4].normal, (Vec3{-1, 0, 0}));
}

TEST(Closest, NormalsOfEdgesOnASlopeAreTheMeanOfBothFaces) {
  // A ridge along y.
  const Mesh roof{{{-1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 9, 0}, {0, 9, 1}, {1, 9, 0}},
                  {{0, 1, 3}, {1, 4, 3}, {1, 2, 4}, {2, 5, 4}}};
  const Vec3 above{0, 4, 3};
  const ClosestPoints found = closest(roof, {&above, 1});
  EXPECT_NEAR(length(found.points[0].normal - Vec3{0, 0, 1}), 0, 1e-6);
  EXPECT_EQ(found.points[0].position, (Vec3d{0, 4, 1}));
}

TEST(Closest, OfASphereIsTheRadiusLessTheTessellation) {
  const Mesh sphere = scenes::sphere(20'000);
  Random random(5);
  const auto points = points_in(random, {{-2, -2, -2}, {2, 2, 2}}, 500);
  const ClosestPoints found = closest(sphere, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double radius = length(points[i]);
    EXPECT_NEAR(found.points[i].distance, radius - 1, 1e-3);
    if (radius > 0.2) {
      EXPECT_GT(dot(to_double(found.points[i].normal), points[i]) / radius, 0.99);
    }
  }
}

TEST(Closest, OfRandomTrianglesIsWhatBruteForceFinds) {
  Random random(6);
  for (const std::uint32_t count : {1u, 2u, 10u, 300u, 3000u})
    for (const float size : {0.02f, 0.3f}) {
      const Mesh mesh = test::triangle_soup(random, count, {{-1, -1, -1}, {1, 1, 1}}, size);
      expect_as_brute_force(mesh, points_in(random, {{-2, -2, -2}, {2, 2, 2}}, 200));
    }
}

TEST(Closest, PointsOnTheSurfaceAreAtDistanceZero) {
  const Mesh mesh = scenes::torus(2000);
  const ClosestPoints found = closest(mesh, std::span<const Vec3>(mesh.positions));
  for (const ClosestPoint& c : found.points) {
    EXPECT_EQ(c.distance, 0);
    EXPECT_NEAR(length(c.normal), 1, 1e-6);
  }
}

TEST(Closest, FarAwayPointsAreExactToRounding) {
  Random random(7);
  const Mesh mesh = scenes::blob(3000);
  std::vector<Vec3d> points;
  for (const double far : {1e2, 1e4, 1e7, 1e12, 1e20, 1e29})
    for (int i = 0; i < 10; ++i) points.push_back(to_double(random.in({{-1, -1, -1}, {1, 1, 1}})) * far);
  expect_as_brute_force(mesh, points);
}

TEST(Closest, WindingDecidesWhereAMeshOverlapsItself) {
  // The nearest surface of the second point is a face of the first box that lies inside the second.
  Mesh mesh = box_mesh({0, 0, 0}, {4, 4, 4});
  test::append(mesh, box_mesh({3, 0, 0}, {8, 4, 4}));
  const std::vector<Vec3> points{{2, 2, 2}, {4.25f, 2, 2}, {3.5f, 2, 2}, {9, 2, 2}};
  const ClosestPoints found = closest(mesh, points);
  EXPECT_DOUBLE_EQ(found.points[0].distance, -1);
  EXPECT_DOUBLE_EQ(found.points[1].distance, -0.25);
  EXPECT_DOUBLE_EQ(found.points[2].distance, -0.5);
  EXPECT_DOUBLE_EQ(found.points[3].distance, 1);
}

TEST(Closest, SignsAreThoseOfContains) {
  const Mesh mesh = scenes::torus_knot(3000);
  Random random(8);
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i) points.push_back(random.in({{-2, -2, -1}, {2, 2, 1}}));
  const ClosestPoints found = closest(mesh, points);
  const Containment inside = contains(mesh, points, {.engine = "software", .exact = true});
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_EQ(std::signbit(found.points[i].distance), inside.inside[i] == kPointInside);
}

TEST(Closest, BrokenPointsAreNaNAndCounted) {
  const Mesh mesh = scenes::sphere(500);
  const std::vector<Vec3> points{{NAN, 0, 0}, {0, INFINITY, 0}, {2, 0, 0}, {0x1p110f, 0, 0}};
  const ClosestPoints found = closest(mesh, points);
  for (const int i : {0, 1, 3}) {
    EXPECT_TRUE(std::isnan(found.points[static_cast<std::size_t>(i)].distance));
    EXPECT_EQ(found.points[static_cast<std::size_t>(i)].triangle, kNoTriangle);
  }
  EXPECT_NEAR(found.points[2].distance, 1, 0.05);
  EXPECT_EQ(found.health.untrusted_points, 3u);
}

TEST(Closest, MeshesWithoutTrianglesAndWithBrokenOnes) {
  const Vec3 p{1, 2, 3};
  const ClosestPoints none = closest(Mesh{}, {&p, 1});
  EXPECT_EQ(none.points[0].distance, std::numeric_limits<double>::infinity());
  EXPECT_EQ(none.points[0].triangle, kNoTriangle);
  EXPECT_TRUE(closest(scenes::sphere(500), std::span<const Vec3>{}).points.empty());
  Mesh broken = box_mesh({0, 0, 0}, {2, 2, 2});
  broken.positions[7].x = NAN;
  const ClosestPoints found = closest(broken, {&p, 1});
  EXPECT_TRUE(std::isfinite(found.points[0].distance));
  EXPECT_GT(found.health.skipped_triangles, 0u);
  Mesh wrong = box_mesh({0, 0, 0}, {2, 2, 2});
  wrong.triangles[3].b = 8;
  EXPECT_THROW((void)closest(wrong, {&p, 1}), Error);
}

TEST(Closest, AnOpenMeshTellsWhichSignsItDoesNotKnow) {
  Mesh open = box_mesh({0, 0, 0}, {2, 2, 2});
  open.triangles = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}, {0, 4, 2}, {2, 4, 6}};  // three sides
  const Vec3 p{1.5f, 1, 0.75f};
  const ClosestPoints found = closest(open, {&p, 1});
  EXPECT_EQ(found.points[0].distance, 0.75);
  EXPECT_EQ(found.health.untrusted_points, 1u);
  EXPECT_FALSE(found.health.ok());
}

TEST(Closest, OneTriangleAHugeOneAndCoordinatesFarFromZero) {
  const Mesh one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  Random random(9);
  expect_as_brute_force(one, points_in(random, {{-1, -1, -1}, {2, 2, 2}}, 50));
  const Mesh huge{{{-1e25f, 0, 0}, {1e25f, 0, 0}, {0, 1e25f, 0}}, {{0, 1, 2}}};
  expect_as_brute_force(huge, points_in(random, {{-1e25f, -1e24f, -1e24f}, {1e25f, 1e25f, 1e24f}}, 50));
  Mesh mixed = scenes::sphere(3000);
  test::append(mixed, huge);
  expect_as_brute_force(mixed, points_in(random, {{-2, -2, -2}, {2, 2, 2}}, 50));
}

TEST(Closest, FarFromTheOriginOfTheWorldNothingIsLost) {
  const Vec3d far{1e7, -3e7, 2e7};
  Mesh mesh = scenes::blob(2000);
  std::vector<Vec3d> wide, points, moved;
  for (const Vec3 p : mesh.positions) wide.push_back(to_double(p) + far);
  Random random(10);
  points = points_in(random, {{-2, -2, -2}, {2, 2, 2}}, 100);
  for (const Vec3d p : points) moved.push_back(p + far);
  const ClosestPoints near = closest(mesh, points);
  const ClosestPoints in_doubles = closest(MeshView{.positions = {}, .triangles = mesh.triangles, .wide = wide}, moved);
  mesh.origin = far;
  const ClosestPoints with_origin = closest(mesh, moved);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(in_doubles.points[i].distance, near.points[i].distance, 5e-7);
    EXPECT_NEAR(length(in_doubles.points[i].position - far - near.points[i].position), 0, 1e-2);
    EXPECT_NEAR(with_origin.points[i].distance, near.points[i].distance, 1e-8);
  }
}

TEST(Closest, MovesAndTurnsWithTheMesh) {
  const Mesh mesh = scenes::blob(3000);
  Random random(11);
  const Transform pose{{0.3, -0.2, 0.5}, rotation_about({1, 2, 3}, 0.7)};
  const Mesh placed = transformed(mesh, pose);
  const auto points = points_in(random, {{-2, -2, -2}, {2, 2, 2}}, 200);
  std::vector<Vec3d> moved;
  for (const Vec3d p : points) moved.push_back(apply(pose, p));
  const ClosestPoints one = closest(mesh, points), other = closest(placed, moved);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(one.points[i].distance, other.points[i].distance, 1e-6);
}

bool same(const ClosestPoints& x, const ClosestPoints& y) {
  if (x.points.size() != y.points.size()) return false;
  for (std::size_t i = 0; i < x.points.size(); ++i) {
    const ClosestPoint &p = x.points[i], &q = y.points[i];
    if (p.distance != q.distance || p.position != q.position || p.normal != q.normal || p.triangle != q.triangle) {
      ADD_FAILURE() << i << ": " << p.distance << " and " << q.distance << ", triangles " << p.triangle << " and "
                    << q.triangle;
      return false;
    }
  }
  return true;
}

TEST(Closest, IsTheSameForAnyNumberOfThreadsAndEveryInstructionSet) {
  const Mesh mesh = scenes::blob(40'000);
  Random random(12);
  const auto points = points_in(random, {{-2, -2, -2}, {2, 2, 2}}, 5000);
  const ClosestPoints one = closest(mesh, points, 1);
  EXPECT_TRUE(same(one, closest(mesh, points, 4)));
  test::for_each_instruction_set([&] { EXPECT_TRUE(same(one, closest(mesh, points, 1))); });
}

TEST(Closest, AFinderGivesTheSameInItsKeptMemory) {
  DistanceFinder finder(1);
  Random random(13);
  for (const std::size_t faces : {3000u, 200u, 20'000u}) {
    const Mesh mesh = scenes::blob(faces, static_cast<std::uint32_t>(faces));
    const auto points = points_in(random, {{-2, -2, -2}, {2, 2, 2}}, 300);
    EXPECT_TRUE(same(finder.closest(mesh, points), closest(mesh, points, 1)));
  }
}

}  // namespace
}  // namespace lamella
