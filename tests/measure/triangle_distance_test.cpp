#include "measure/triangle_distance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lamella/triangles_meet.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::measure {
namespace {

using test::Random;

/// How far the point is from being a mean of the corners with weights of 0 to 1: solved by least squares of the weights
/// of b and c, for triangles with area.
double off_triangle(Vec3d p, const Vec3d t[3]) {
  const Vec3d u = t[1] - t[0], v = t[2] - t[0], w = p - t[0];
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double size = uu * vv - uv * uv;
  const double b = (uw * vv - vw * uv) / size, c = (vw * uu - uw * uv) / size;
  const double outside = std::max({0.0, -b, -c, b + c - 1}) * std::sqrt(std::max(uu, vv));
  return std::max(outside, length(w - u * b - v * c));
}

/// Two convex sets are nearest at two points if and only if the planes there, across the line through both, have one
/// set on either side. Returns how far a corner is beyond its plane.
double beyond_planes(const NearestPair& pair, const Vec3d a[3], const Vec3d b[3]) {
  const double distance = std::sqrt(pair.square);
  const Vec3d n = (pair.on_b - pair.on_a) * (1 / distance);
  double beyond = 0;
  for (int i = 0; i < 3; ++i) beyond = std::max({beyond, dot(n, a[i] - pair.on_a), dot(n, pair.on_b - b[i])});
  return beyond;
}

struct Three {
  Vec3 at[3];
  Vec3d wide[3];
};
Three random_triangle(Random& random, const Aabb& box, float size) {
  Three t;
  const Aabb around{{-size, -size, -size}, {size, size, size}};
  t.at[0] = random.in(box);
  t.at[1] = t.at[0] + random.in(around);
  t.at[2] = t.at[0] + random.in(around);
  for (int i = 0; i < 3; ++i) t.wide[i] = to_double(t.at[i]);
  return t;
}

TEST(TriangleDistance, OfAPointOverTheFaceAnEdgeAndACorner) {
  const Vec3d t[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const NearestOnTriangle face = nearest_on_triangle({1, 1, 3}, t);
  EXPECT_EQ(face.square, 9);
  EXPECT_EQ(face.at, (Vec3d{1, 1, 0}));
  EXPECT_EQ(face.weights, (Vec3d{0.5, 0.25, 0.25}));
  const NearestOnTriangle edge = nearest_on_triangle({2, -3, 4}, t);
  EXPECT_EQ(edge.square, 25);
  EXPECT_EQ(edge.weights, (Vec3d{0.5, 0.5, 0}));
  const NearestOnTriangle corner = nearest_on_triangle({7, -1, 0}, t);
  EXPECT_EQ(corner.square, 10);
  EXPECT_EQ(corner.weights, (Vec3d{0, 1, 0}));
}

TEST(TriangleDistance, OfAPointAndALineOrAPoint) {
  const Vec3d line[3] = {{0, 0, 0}, {2, 0, 0}, {6, 0, 0}}, point[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  EXPECT_EQ(nearest_on_triangle({5, 3, 0}, line).square, 9);
  EXPECT_EQ(nearest_on_triangle({7, 0, 0}, line).square, 1);
  EXPECT_EQ(nearest_on_triangle({1, 1, 3}, point).square, 4);
}

TEST(TriangleDistance, OfTwoTrianglesInEveryKindOfPosition) {
  const Vec3d a[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const auto distance = [&](Vec3d x, Vec3d y, Vec3d z) {
    const Vec3d b[3] = {x, y, z};
    EXPECT_NEAR(std::sqrt(nearest_of_triangles(a, b).square), std::sqrt(nearest_of_triangles(b, a).square), 1e-15);
    return std::sqrt(nearest_of_triangles(a, b).square);
  };
  EXPECT_EQ(distance({1, 1, 2}, {1, 2, 5}, {2, 1, 5}), 2) << "a corner over a face";
  EXPECT_EQ(distance({-9, -9, 3}, {30, -9, 3}, {-9, 30, 3}), 3) << "corners under a face";
  EXPECT_EQ(distance({2, -1, 1}, {2, -1, -1}, {2, -5, 0}), 1) << "two edges that cross";
  EXPECT_EQ(distance({7, 0, 4}, {9, 0, 4}, {7, 0, 9}), 5) << "two corners";
  EXPECT_EQ(distance({1, -2, 0}, {3, -2, 0}, {2, -7, 0}), 2) << "parallel edges in one plane";
  EXPECT_EQ(distance({0, 0, 1}, {4, 0, 1}, {0, 4, 1}), 1) << "the same triangle above";
  EXPECT_EQ(distance({2, 2, 0}, {4, 4, 0}, {4, 4, 1}), 0) << "a corner on an edge";
  EXPECT_EQ(distance({-1, 3, 0}, {-1, 3, 0}, {-1, 3, 0}), 1) << "a point beside an edge";
  EXPECT_EQ(distance({1, 1, 5}, {1, 1, 2}, {1, 1, 9}), 2) << "a line over a face";
}

TEST(TriangleDistance, PlanesAcrossTheNearestPointsHaveATriangleOnEitherSide) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const Three a = random_triangle(random, {{-1, -1, -1}, {1, 1, 1}}, i % 2 == 0 ? 1 : 0.1f);
    const Three b = random_triangle(random, {{-1, -1, -1}, {1, 1, 1}}, i % 3 == 0 ? 2 : 0.2f);
    if (triangles_meet(a.at, b.at)) continue;
    const NearestPair pair = nearest_of_triangles(a.wide, b.wide);
    ASSERT_GT(pair.square, 0);
    EXPECT_LE(off_triangle(pair.on_a, a.wide), 1e-9);
    EXPECT_LE(off_triangle(pair.on_b, b.wide), 1e-9);
    EXPECT_LE(beyond_planes(pair, a.wide, b.wide), 1e-13 / std::sqrt(pair.square) + 1e-14) << i;
  }
}

TEST(TriangleDistance, NoSampledPairOfPointsIsNearer) {
  Random random(4);
  constexpr int kSteps = 12;
  const auto point = [](const Three& t, int i, int k) {
    return t.wide[0] + (t.wide[1] - t.wide[0]) * (double(i) / kSteps) + (t.wide[2] - t.wide[0]) * (double(k) / kSteps);
  };
  for (int round = 0; round < 100; ++round) {
    const Three a = random_triangle(random, {{-1, -1, -1}, {1, 1, 1}}, 1);
    const Three b = random_triangle(random, {{-1, -1, -1}, {1, 1, 1}}, 1);
    const double found = std::sqrt(nearest_of_triangles(a.wide, b.wide).square);
    double sampled = HUGE_VAL;
    for (int i = 0; i <= kSteps; ++i)
      for (int k = 0; i + k <= kSteps; ++k) {
        const Vec3d p = point(a, i, k);
        const double to_point = std::sqrt(nearest_on_triangle(p, b.wide).square);
        for (int r = 0; r <= kSteps; ++r)
          for (int s = 0; r + s <= kSteps; ++s) {
            const double between = length(p - point(b, r, s));
            EXPECT_GE(between, to_point - 1e-14);
            sampled = std::min(sampled, between);
          }
      }
    if (!triangles_meet(a.at, b.at)) {
      EXPECT_LE(found, sampled + 1e-14);
    }
  }
}

TEST(TriangleDistance, ManyPairsAtOnceAreAsOneByOne) {
  Random random(6);
  for (int round = 0; round < 200; ++round) {
    TrianglePairs pairs;
    double expected[TrianglePairs::kMost], found[TrianglePairs::kMost];
    for (std::size_t i = 0; i < TrianglePairs::kMost; ++i) {
      Three t[2];
      for (Three& x : t) {
        x = random_triangle(random, {{-1, -1, -1}, {1, 1, 1}}, round % 2 == 0 ? 1 : 0.1f);
        if (round % 5 == 0) x.wide[2] = x.wide[1];
        if (round % 7 == 0) x.wide[1] = x.wide[0];
      }
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
          pairs.a[3 * c + k][i] = t[0].wide[c][k];
          pairs.b[3 * c + k][i] = t[1].wide[c][k];
        }
      expected[i] = nearest_of_triangles(t[0].wide, t[1].wide).square;
    }
    squares_between(pairs, found);
    for (std::size_t i = 0; i < TrianglePairs::kMost; ++i)
      EXPECT_NEAR(std::sqrt(found[i]), std::sqrt(expected[i]), 1e-15);
  }
}

TEST(TriangleDistance, NearlyParallelEdgesThatCrossAreFound) {
  // Two thin triangles, above each other, whose long edges cross at an angle of 2^-20.
  const double small = 0x1p-20;
  const Vec3d a[3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}};
  const Vec3d b[3] = {{-1, -small, 0.5}, {1, small, 0.5}, {0, 0, 9}};
  EXPECT_NEAR(std::sqrt(nearest_of_triangles(a, b).square), 0.5, 1e-15);
}

}  // namespace
}  // namespace lamella::measure
