#include "proof/winding.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/exact.hpp"
#include "support/closed_meshes.hpp"
#include "support/winding_number.hpp"

namespace lamella::proof {
namespace {

int winding_at(const Mesh& mesh, Vec3d p, int axis) {
  Workers workers(1);
  WindingScratch scratch;
  const WindingPoint point{p};
  int winding = 0;
  find_windings(mesh, {&point, 1}, axis, workers, scratch, {&winding, 1});
  return winding;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // __int128
using Wide = __int128;
#pragma GCC diagnostic pop

int sign_of_wide(Wide x) { return (x > 0) - (x < 0); }

/// Points with whole coordinates, and one with fractions of 2^-16, so that all fits integers when it is scaled.
struct Case {
  std::int64_t a[3], b[3], c[3], p[3];
};
Vec3 point_of(const std::int64_t* x) {
  return {static_cast<float>(x[0] >> 16), static_cast<float>(x[1] >> 16), static_cast<float>(x[2] >> 16)};
}
Vec3d wide_point_of(const std::int64_t* x) {
  return {static_cast<double>(x[0]) / 65536, static_cast<double>(x[1]) / 65536, static_cast<double>(x[2]) / 65536};
}

TEST(ExactPoints, OrientationsOfAPointInDoublesAreThoseOfIntegers) {
  test::Random random(3);
  for (int round = 0; round < 20000; ++round) {
    Case k{};
    const std::uint32_t reach = round % 2 == 0 ? 8 : 1u << 18;
    for (std::int64_t* x : {k.a, k.b, k.c})
      for (int i = 0; i < 3; ++i) x[i] = (static_cast<std::int64_t>(random.below(2 * reach)) - reach) << 16;
    // In or next to the plane, so that rounding cannot tell.
    const std::int64_t s = random.below(256), t = random.below(256);
    for (int i = 0; i < 3; ++i)
      k.p[i] =
          k.a[i] + (k.b[i] - k.a[i]) / 256 * s + (k.c[i] - k.a[i]) / 256 * t + (round % 3 == 0 ? random.below(2) : 0);
    Wide q[3], r[3], d[3];
    for (int i = 0; i < 3; ++i) q[i] = (k.b[i] - k.a[i]) >> 16, r[i] = (k.c[i] - k.a[i]) >> 16, d[i] = k.p[i] - k.a[i];
    const Wide determinant =
        (q[1] * r[2] - q[2] * r[1]) * d[0] + (q[2] * r[0] - q[0] * r[2]) * d[1] + (q[0] * r[1] - q[1] * r[0]) * d[2];
    const Vec3 a = point_of(k.a), b = point_of(k.b), c = point_of(k.c);
    const Vec3d p = wide_point_of(k.p);
    ASSERT_EQ(orient3d_wide(a, b, c, p), sign_of_wide(determinant));
    ASSERT_EQ(exact_stage::orient3d_wide_expansion(a, b, c, p), sign_of_wide(determinant));
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const int turn = sign_of_wide(q[u] * d[v] - q[v] * d[u]);
      ASSERT_EQ(orient2d_wide(a, b, p, axis), turn);
      ASSERT_EQ(exact_stage::orient2d_wide_expansion(a, b, p, axis), turn);
    }
  }
}

TEST(ExactPoints, DeterminantsOfEdgesAreOrientations) {
  test::Random random(4);
  const auto point = [&] {
    return Vec3{static_cast<float>(random.below(9)), static_cast<float>(random.below(9)),
                static_cast<float>(random.below(9))} *
           (random.below(2) != 0 ? 1 : 0.1f);
  };
  for (int round = 0; round < 20000; ++round) {
    const Vec3 a = point(), b = point(), c = point(), d = point();
    ASSERT_EQ(determinant_sign({a, b}, {a, c}, {a, d}), orient3d(a, b, c, d));
    ASSERT_EQ(determinant_sign({b, a}, {a, c}, {a, d}), -orient3d(a, b, c, d));
  }
}

TEST(Winding, ABoxAlongEveryAxis) {
  const Mesh box = test::box_mesh({0, 0, 0}, {2, 2, 2});
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(winding_at(box, {1, 1, 1}, axis), 1);  // the ray passes through the diagonals of faces
    EXPECT_EQ(winding_at(box, {0.5, 0.25, 0.75}, axis), 1);
    EXPECT_EQ(winding_at(box, {3, 1, 1}, axis), 0);
    EXPECT_EQ(winding_at(box, {1, -1, 1}, axis), 0);
    EXPECT_EQ(winding_at(box, {1, 1, 3}, axis), 0);
    EXPECT_EQ(winding_at(box, {2, 1, 1}, axis), kOnSurface);
    EXPECT_EQ(winding_at(box, {2, 2, 1}, axis), kOnSurface);
    EXPECT_EQ(winding_at(box, {0, 0, 0}, axis), kOnSurface);
    EXPECT_EQ(winding_at(box, {2, 2, 3}, axis), 0);  // in line with an edge
    EXPECT_EQ(winding_at(box, {2, 3, 3}, axis), 0);  // in the plane of a face
  }
}

TEST(Winding, LessThanAFloatFromTheSurface) {
  const Mesh box = test::box_mesh({0, 0, 0}, {2, 2, 2});
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(winding_at(box, {2 - 0x1p-50, 1, 1}, axis), 1);
    EXPECT_EQ(winding_at(box, {2 + 0x1p-50, 1, 1}, axis), 0);
    EXPECT_EQ(winding_at(box, {1, 0x1p-200, 1}, axis), 1);
    EXPECT_EQ(winding_at(box, {1, -0x1p-200, 1}, axis), 0);
  }
}

TEST(Winding, ManyPointsAsByAnglesOnAnyAxis) {
  const Mesh sphere = test::round_sphere(12, 17, 1);
  Mesh mesh = sphere;
  test::append(mesh, test::round_sphere(8, 9, 0.5f, {0.7f, 0.1f, 0}));
  test::Random random(5);
  std::vector<WindingPoint> points;
  for (int i = 0; i < 400; ++i) points.push_back({to_double(random.in({{-1.3f, -1.3f, -1.3f}, {1.3f, 1.3f, 1.3f}}))});
  Workers workers(2);
  WindingScratch scratch;
  std::vector<int> windings(points.size());
  for (int axis = 0; axis < 3; ++axis) {
    find_windings(mesh, points, axis, workers, scratch, windings);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double expected = test::winding_number(mesh, to_float(points[i].at));
      ASSERT_NEAR(windings[i], expected, 1e-6) << i;
    }
  }
}

}  // namespace
}  // namespace lamella::proof
