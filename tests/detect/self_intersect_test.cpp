#include <gtest/gtest.h>

#include "lamella/query.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

TEST(SelfIntersect, AConvexSolidDoesNotOverlapItself) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const SelfOverlap o = self_intersect(test::round_sphere(50, 100), {.axis = axis});
    EXPECT_FALSE(o.colliding());
    EXPECT_EQ(o.inside_out_volume, 0);
    EXPECT_TRUE(o.health.ok());
  }
}

TEST(SelfIntersect, TwoPartsThatOverlapGiveTheSharedVolume) {
  Mesh mesh = box_mesh({0, 0, 0}, {2, 2, 2});
  test::append(mesh, box_mesh({1, 1, 1}, {3, 3, 3}));
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const SelfOverlap o = self_intersect(mesh, {.resolution = 99, .axis = axis});
    EXPECT_TRUE(o.colliding());
    EXPECT_NEAR(o.volume, 1, 1e-6);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(o.centroid[k], 1.5, 1e-5);
  }
}

TEST(SelfIntersect, VolumeCoveredThreeTimesCountsOnce) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  test::append(mesh, box_mesh({0, 0, 0}, {1, 1, 1}));
  test::append(mesh, box_mesh({0, 0, 0}, {1, 1, 1}));
  EXPECT_NEAR(self_intersect(mesh).volume, 1, 1e-6);
}

TEST(SelfIntersect, PartsThatTouchDoNotOverlap) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
  test::append(mesh, box_mesh({1, 0, 0}, {2, 1, 1}));
  test::append(mesh, box_mesh({0, 1, 0}, {1, 2, 1}));
  test::append(mesh, box_mesh({0, 0, 1}, {1, 1, 2}));
  for (const Axis axis : {Axis::x, Axis::y, Axis::z})
    for (const std::uint32_t n : {20u, 64u, 101u})
      EXPECT_EQ(self_intersect(mesh, {.resolution = n, .axis = axis}).volume, 0);
}

TEST(SelfIntersect, AnInsideOutSolidIsReportedApart) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 2, 3});
  for (Triangle& t : mesh.triangles) std::swap(t.a, t.b);
  const SelfOverlap o = self_intersect(mesh, {.resolution = 32});
  EXPECT_FALSE(o.colliding());
  EXPECT_NEAR(o.inside_out_volume, 6, 1e-5);
  EXPECT_EQ(o.inside_out.size(), 32u * 32);
  EXPECT_EQ(o.health.inside_out_columns, 32u * 32);
}

TEST(SelfIntersect, ASphereTurnedInsideOutInPartHasBoth) {
  // Pinch: the lower half of the sphere is pushed up through the upper half, so that a cap is inside out.
  Mesh mesh = test::round_sphere(60, 120);
  for (Vec3& p : mesh.positions)
    if (p.z < 0) p.z = -2 * p.z;
  const SelfOverlap o = self_intersect(mesh, {.axis = Axis::z});
  EXPECT_GT(o.inside_out_volume, 1.0);
  EXPECT_EQ(o.health.open_columns, 0u);
  EXPECT_GT(o.health.inside_out_columns, 0u);
  EXPECT_FALSE(o.health.ok());
}

TEST(SelfIntersect, AHoleIsHealthNotAnError) {
  Mesh mesh = test::round_sphere(20, 40);
  mesh.triangles.resize(mesh.triangles.size() - 60);
  const SelfOverlap o = self_intersect(mesh, {.close_holes = false});
  EXPECT_GT(o.health.open_columns, 0u);
  EXPECT_LT(o.health.open_columns, o.health.occupied_columns);
  EXPECT_GT(o.health.untrusted_volume, 0);
}

TEST(SelfIntersect, AMeshWithoutVolumeHasNothingToSample) {
  const Mesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_FALSE(self_intersect(flat).colliding());
  EXPECT_FALSE(self_intersect({}).colliding());
}

}  // namespace
}  // namespace lamella
