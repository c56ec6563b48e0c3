// How a triangle is to be sampled, and the division of rows, on the host: the same lines as in the kernels.

#include "engines/cuda/triangle.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/rows.hpp"

namespace lamella::cuda {
namespace {

constexpr Grid kGrid{{{0, 0, 0}, {100, 100, 100}}, Axis::z, 100, 100};

Method method_of(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 corners[3] = {a, b, c};
  SmallTriangle out;
  return set_up(corners, make_target(kGrid, whole(kGrid)), out);
}

TEST(CudaTriangle, SmallOnesWithinTheImageAreSmall) {
  EXPECT_EQ(method_of({10, 10, 5}, {20, 10, 5}, {10, 20, 5}), Method::small);
}

TEST(CudaTriangle, LargeOnesAndThoseThatReachOutAreByRows) {
  EXPECT_EQ(method_of({10, 10, 5}, {90, 10, 5}, {10, 90, 5}), Method::rows);
  EXPECT_EQ(method_of({-10, 10, 5}, {5, 10, 5}, {5, 20, 5}), Method::rows);
}

TEST(CudaTriangle, NoSampleInTheBoxIsNothing) {
  EXPECT_EQ(method_of({10.1f, 10.1f, 5}, {10.3f, 10.1f, 5}, {10.1f, 10.3f, 5}), Method::none);
}

TEST(CudaTriangle, ALongSliverWithoutAreaIsNothing) {
  EXPECT_EQ(method_of({10, 5, 5}, {50, 45, 6}, {90, 85, 7}), Method::none);
  EXPECT_EQ(method_of({10, 10, 5}, {12, 12, 6}, {14, 14, 7}), Method::none);
}

/// Twice the area of (p, q, r) in a plane.
std::int64_t cross(std::array<std::int64_t, 2> p, std::array<std::int64_t, 2> q, std::array<std::int64_t, 2> r) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

// All triangles with corners in the 5 x 5 lattice points around a sample. A sample counts as moved by (e, e^2): with e
// = 1 / 1000 the products stay exact, and are small enough to decide nothing but ties.
TEST(CudaTriangle, EveryTinyTriangleCoversItsSampleIfItCoversTheSampleMovedABit) {
  constexpr std::int64_t kMoved = 1'000'000;
  const Target target = make_target(kGrid, whole(kGrid));
  constexpr std::int32_t kCell = 30, kSample = (kCell + 1) * kSubStep - 1;  // less one, as in SnappedCorners
  int covered = 0;
  for (int n = 0; n < 25 * 25 * 25; ++n) {
    const int corners[3] = {n % 25, n / 25 % 25, n / 625};
    SnappedCorners c{};
    std::array<std::int64_t, 2> at[3];
    for (int k = 0; k < 3; ++k) {
      const int u = corners[k] % 5 - 2, v = corners[k] / 5 - 2;
      c.u[k] = kSample + u;
      c.v[k] = kSample + v;
      c.z[k] = 5;
      at[k] = {u * kMoved, v * kMoved};
    }
    const std::int64_t area = cross(at[0], at[1], at[2]);
    bool expected = area != 0;
    for (int k = 0; k < 3; ++k) expected = expected && (cross(at[k], at[(k + 1) % 3], {1000, 1}) > 0) == (area > 0);
    SmallTriangle s{};
    s.first_u = s.first_row = kCell;
    s.width = s.height = 1;
    const bool has_area = set_up_edges(c, target, s);
    ASSERT_EQ(has_area, area != 0) << "triangle " << n;
    const bool found = has_area && is_covered(s, edge_values(s, 0, 0));
    ASSERT_EQ(found, expected) << "triangle " << n;
    if (!found) continue;
    ++covered;
    ASSERT_EQ(s.depth.entry, area < 0) << "triangle " << n;
    ASSERT_EQ(s.first_column, static_cast<std::uint32_t>(kCell * 100 + kCell));
    ASSERT_EQ(s.area * kMoved * kMoved, std::abs(area));
    const Crossing crossing{key_at(s, edge_values(s, 0, 0), target.depth)};
    ASSERT_EQ(crossing, Crossing::make(5, area < 0));
  }
  EXPECT_GT(covered, 1000);
}

TEST(CudaTriangle, CornersAreOnTheLatticeWhereBothCoordinatesAreBelowItsLimit) {
  const Target target = make_target(kGrid, whole(kGrid));
  const float limit = kLatticeLimit / kSubStep, below = std::nextafter(limit, 0.0f);  // in cells of length 1
  for (int corner = 0; corner < 3; ++corner)
    for (int component = 0; component < 3; ++component)
      for (const float sign : {-1.0f, 1.0f}) {
        SCOPED_TRACE(testing::Message() << "corner " << corner << ", component " << component << ", sign " << sign);
        Vec3 corners[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
        LatticeVertex placed[3];
        EXPECT_TRUE(place_corners(corners, target, placed));
        corners[corner][component] = sign * below;
        EXPECT_TRUE(place_corners(corners, target, placed));
        const LatticeVertex& p = placed[corner];
        const double at = static_cast<double>(sign) * below;
        if (component == 0) {
          EXPECT_EQ(static_cast<double>(p.u), at * kSubStep);
        }
        if (component == 1) {
          EXPECT_EQ(static_cast<double>(p.v), at * kSubStep);
        }
        if (component == 2) {
          EXPECT_EQ(p.depth, at);
        }
        for (const float beyond : {limit, std::numeric_limits<float>::infinity()}) {
          corners[corner][component] = sign * beyond;
          EXPECT_EQ(place_corners(corners, target, placed), component == 2) << "depths have no limit";
        }
      }
}

TEST(CudaTriangle, OnlyTrianglesWithAllCornersNearCanBeSmallAndCut) {
  const Target target = make_target(kGrid, whole(kGrid));
  for (int component = 0; component < 2; ++component)
    for (const float sign : {-1.0f, 1.0f}) {
      SCOPED_TRACE(testing::Message() << "component " << component << ", sign " << sign);
      // All corners next to one another, at a distance where lattice coordinates are still exact, and where not.
      const auto is_small_at = [&](float cells) {
        Vec3 corners[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
        for (Vec3& p : corners) p[component] += sign * cells;
        return is_cut_small(corners, target);
      };
      EXPECT_TRUE(is_small_at(0));
      EXPECT_TRUE(is_small_at(16'000));
      EXPECT_FALSE(is_small_at(17'000));
    }
  for (int component = 0; component < 2; ++component)
    for (int corner = 0; corner < 3; ++corner) {
      // A box of kMaxSmallExtent samples is small, one more is not. Samples lie at the middle of cells.
      Vec3 corners[3] = {{0.25f, 0.25f, 3}, {0.25f, 0.25f, 6}, {0.25f, 0.25f, 9}};
      corners[corner][component] = static_cast<float>(kMaxSmallExtent) + 0.25f;
      EXPECT_TRUE(is_cut_small(corners, target));
      corners[corner][component] += 0.5f;
      EXPECT_FALSE(is_cut_small(corners, target));
      corners[corner][component] = 0.25f - static_cast<float>(kMaxSmallExtent);
      EXPECT_TRUE(is_cut_small(corners, target));
      corners[corner][component] -= 1;
      EXPECT_FALSE(is_cut_small(corners, target));
    }
}

TEST(CudaTriangle, TheBoxDecidesTheMethod) {
  // Corners lie between samples, which are at the middle of cells: a triangle from a to b has b - a samples across.
  const auto method = [](int width, int height, int first) {
    const auto at = [](int cell) { return static_cast<float>(cell) + 0.75f; };
    return method_of({at(first), at(first), 5}, {at(first + width), at(first), 5}, {at(first), at(first + height), 5});
  };
  const int most = kMaxSmallExtent;
  EXPECT_EQ(method(most, most, 20), Method::small);
  EXPECT_EQ(method(most + 1, most, 20), Method::rows);
  EXPECT_EQ(method(most, most + 1, 20), Method::rows);
  EXPECT_EQ(method(0, 5, 20), Method::none);
  EXPECT_EQ(method(5, 0, 20), Method::none);
  EXPECT_EQ(method(1, 1, 20), Method::small);
  // Up to a lattice point before the first sample's cell ends, and beyond: along each axis, at each end.
  constexpr float kPoint = 1.0f / kSubStep;
  for (int component = 0; component < 2; ++component) {
    const auto reaching = [&](float to) {
      Vec3 corners[3] = {{50, 50, 5}, {51, 50, 5}, {50, 51, 5}};
      corners[component == 0 ? 1 : 2][component] = to;
      SmallTriangle out;
      // Narrow windows, so that the box is small from either end.
      return set_up(corners, make_target(kGrid, {40, 40, 60, 60}), out);
    };
    EXPECT_EQ(reaching(39.5f + 2 * kPoint), Method::small);
    EXPECT_EQ(reaching(39.5f + kPoint), Method::rows);
    EXPECT_EQ(reaching(30), Method::rows);
    EXPECT_EQ(reaching(60.5f - kPoint), Method::small);
    EXPECT_EQ(reaching(60.5f), Method::rows);
    EXPECT_EQ(reaching(70), Method::rows);
  }
}

TEST(CudaTriangle, NumbersOfMoreThan64BitsAreRoundedOnce) {
  const auto wide = [](std::int64_t high, std::uint64_t low) { return (static_cast<Wide>(high) << 64) + low; };
  EXPECT_EQ(to_double(wide(0, 5)), 5.0);
  EXPECT_EQ(to_double(wide(1, 0)), 0x1p64);
  EXPECT_EQ(to_double(-wide(1, 0)), -0x1p64);
  // Half way between two doubles: to even, unless anything follows.
  EXPECT_EQ(to_double(wide(1, 1u << 11)), 0x1p64);
  EXPECT_EQ(to_double(wide(1, (1u << 11) + 1)), 0x1.0000000000001p64);
}

}  // namespace
}  // namespace lamella::cuda
