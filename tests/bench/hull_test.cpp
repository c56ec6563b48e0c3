#include "bench/gi/hull.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

/// Closed, and no point above any face.
void expect_hull(const Hull& hull, const std::vector<Vec3>& points) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& face : hull.faces) {
    const Vec3d a = hull.vertices[face[0]], b = hull.vertices[face[1]], c = hull.vertices[face[2]];
    const Vec3d normal = cross(b - a, c - a);
    const double length = std::sqrt(dot(normal, normal));
    ASSERT_GT(length, 0);
    for (const Vec3 p : points) EXPECT_LE(dot(normal, to_double(p) - a) / length, 1e-7);
    for (unsigned k = 0; k < 3; ++k) ++edges[{face[k], face[(k + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), edges.size() / 2 + 2) << "Euler";
}

TEST(ConvexHull, OfACubeWithPointsOnItsFacesHasEightCorners) {
  std::vector<Vec3> points;
  for (int i = 0; i < 125; ++i)
    points.push_back({static_cast<float>(i % 5), static_cast<float>(i / 5 % 5), static_cast<float>(i / 25)});
  const Hull hull = convex_hull(points);
  expect_hull(hull, points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 12u);
}

TEST(ConvexHull, EnclosesRandomPoints) {
  std::mt19937 random(3);
  std::normal_distribution<float> any;
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) points.push_back({any(random), 2 * any(random), any(random)});
  const Hull hull = convex_hull(points);
  expect_hull(hull, points);
  EXPECT_GT(hull.vertices.size(), 10u);
  EXPECT_LT(hull.vertices.size(), 200u);
}

TEST(ConvexHull, RefusesPointsOfOnePlane) {
  EXPECT_THROW((void)convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}}), Error);
  EXPECT_THROW((void)convex_hull(std::vector<Vec3>(9, Vec3{1, 2, 3})), Error);
  EXPECT_THROW((void)convex_hull({}), Error);
}

}  // namespace
}  // namespace lamella::bench
