#include "proof/points_crossing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "proof/integer_winding.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::proof {
namespace {

constexpr Vec3 kFlat[3] = {{0, 0, 1}, {4, 0, 1}, {0, 4, 1}};

TEST(PointCrossing, ATriangleAboveAndBelowAPoint) {
  const PointCrossing above = cross_triangle({1, 1, 0}, kFlat), below = cross_triangle({1, 1, 2}, kFlat);
  EXPECT_EQ(above.turn, 1);
  EXPECT_TRUE(above.above);
  EXPECT_EQ(below.turn, 1);
  EXPECT_FALSE(below.above);
  EXPECT_EQ(cross_triangle({3, 3, 0}, kFlat).turn, 0);
  EXPECT_EQ(cross_triangle({1, 1, 0}, {kFlat[0], kFlat[2], kFlat[1]}).turn, -1);
}

TEST(PointCrossing, APointOnTheTriangleItsEdgesAndItsCornersIsOnTheSurface) {
  for (const Vec3 p : {Vec3{1, 1, 1}, Vec3{2, 0, 1}, Vec3{2, 2, 1}, Vec3{0, 0, 1}, Vec3{4, 0, 1}})
    EXPECT_TRUE(cross_triangle(p, kFlat).on_surface);
  EXPECT_FALSE(cross_triangle({2, 2, std::nextafter(1.0f, 2.0f)}, kFlat).on_surface);
  EXPECT_FALSE(cross_triangle({2, std::nextafter(2.0f, 3.0f), 1}, kFlat).on_surface);
}

TEST(PointCrossing, APointOnATriangleThatIsParallelToTheRayIsOnTheSurface) {
  constexpr Vec3 kUpright[3] = {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}};
  EXPECT_TRUE(cross_triangle({1, 0, 1}, kUpright).on_surface);
  EXPECT_TRUE(cross_triangle({2, 0, 2}, kUpright).on_surface);
  EXPECT_FALSE(cross_triangle({3, 0, 3}, kUpright).on_surface);
  EXPECT_EQ(cross_triangle({3, 0, 3}, kUpright).turn, 0);
}

TEST(PointCrossing, TrianglesWithoutAreaAreSegmentsAndPoints) {
  constexpr Vec3 kSegment[3] = {{0, 0, 0}, {2, 2, 2}, {4, 4, 4}}, kPoint[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  EXPECT_TRUE(cross_triangle({3, 3, 3}, kSegment).on_surface);
  EXPECT_FALSE(cross_triangle({3, 3, 2}, kSegment).on_surface);
  EXPECT_TRUE(cross_triangle({1, 1, 1}, kPoint).on_surface);
  EXPECT_EQ(cross_triangle({1, 1, 0}, kPoint).turn, 0);
}

/// Corners and points of a small lattice are often on one line or in one plane.
RC_GTEST_PROP(PointCrossing, RaysOutOfATetrahedronFindItsWinding, ()) {
  test::Random random(*rc::gen::arbitrary<std::uint32_t>());
  const auto lattice = [&] {
    return Vec3{static_cast<float>(random.below(6)), static_cast<float>(random.below(6)),
                static_cast<float>(random.below(6))};
  };
  const Mesh mesh = test::tetrahedron(lattice(), lattice(), lattice(), lattice());
  const Vec3 p = lattice();
  int up = 0, down = 0, all = 0;
  bool on = false;
  for (const Triangle& t : mesh.triangles) {
    const PointCrossing c = cross_triangle(p, {mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]});
    on = on || c.on_surface;
    all += c.turn;
    (c.above ? up : down) += c.turn;
  }
  const std::uint8_t flag = test::exact_flag(mesh, p, 1);
  if (on) RC_ASSERT(flag == 0);
  if (on) return;
  RC_ASSERT(all == 0);
  RC_ASSERT(up == -down);
  RC_ASSERT(flag == (up > 0 ? 1 : up < 0 ? 2 : 0));
}

}  // namespace
}  // namespace lamella::proof
