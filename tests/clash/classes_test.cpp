// What each class is, on boxes whose volumes and distances are known.

#include <gtest/gtest.h>

#include "clash/boxes.hpp"
#include "lamella/clash.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::cube;
using test::only_pair;
using test::two_parts;

Mesh plate() { return box_mesh({-3, -3, -0.3f}, {3, 3, 0.3f}); }
Mesh pin() { return box_mesh({-0.2f, -0.2f, -5}, {0.2f, 0.2f, 5}); }

TEST(ClashClasses, CubesThatShareASlabOverlap) {
  const ClashPair p = only_pair(two_parts(cube(1), cube(1), {{1.9, 0, 0}, {}}));
  EXPECT_EQ(p.kind, ClashClass::overlapping);
  EXPECT_EQ(p.verdict, Verdict::colliding);
  EXPECT_NEAR(p.volume, 0.4, 2 * p.volume_error);
  EXPECT_NEAR(p.depth, 0.1, 1e-5);
  EXPECT_NEAR(p.way_out.x, -1, 1e-9);
  EXPECT_NEAR(p.centroid.x, 0.95, 1e-6);
  EXPECT_NEAR(p.min.x, 0.9, 1e-6);
  EXPECT_NEAR(p.max.x, 1, 1e-6);
  EXPECT_EQ(p.region_count, 1u);
}

TEST(ClashClasses, FacesEdgesAndCornersThatMeetTouch) {
  for (const Vec3d shift : {Vec3d{2, 0, 0}, Vec3d{2, 2, 0}, Vec3d{2, 2, 2}, Vec3d{2, 0.3, 0.1}}) {
    const ClashPair p = only_pair(two_parts(cube(1), cube(1), {shift, {}}));
    EXPECT_EQ(p.kind, ClashClass::touching);
    EXPECT_EQ(p.verdict, Verdict::clear);
    EXPECT_TRUE(p.certain);
    EXPECT_EQ(p.distance, 0);
    EXPECT_EQ(p.volume, 0);
  }
}

TEST(ClashClasses, PartsCloserThanTheClearanceAreNear) {
  const Assembly apart = two_parts(cube(1), cube(1), {{2.05, 0.3, 0}, {}});
  ClashPair p = only_pair(apart, {.clearance = 0.1});
  EXPECT_EQ(p.kind, ClashClass::near);
  EXPECT_NEAR(p.distance, 0.05, 1e-6);
  EXPECT_NEAR(p.on_a.x, 1, 1e-6);
  EXPECT_NEAR(p.on_b.x, 1.05, 1e-6);
  EXPECT_EQ(find_clashes(apart, {.clearance = 0.04}).candidate_count, 0u);
}

TEST(ClashClasses, ATouchDistanceMakesSmallGapsAndShallowOverlapsTouch) {
  EXPECT_EQ(only_pair(two_parts(cube(1), cube(1), {{2.009, 0, 0}, {}}), {.touch = 0.01}).kind, ClashClass::touching);
  EXPECT_EQ(only_pair(two_parts(cube(1), cube(1), {{1.991, 0, 0}, {}}), {.touch = 0.01}).kind, ClashClass::touching);
  EXPECT_EQ(only_pair(two_parts(cube(1), cube(1), {{1.98, 0, 0}, {}}), {.touch = 0.01}).kind, ClashClass::overlapping);
}

TEST(ClashClasses, APinThatGoesRightThroughPierces) {
  const Transform tilted{{0.3, 0.2, 0.4}, rotation_about({1, 0, 0}, 0.4)};
  EXPECT_EQ(only_pair(two_parts(plate(), pin(), tilted)).kind, ClashClass::piercing);
  EXPECT_EQ(only_pair(two_parts(pin(), plate())).kind, ClashClass::piercing);
}

TEST(ClashClasses, APinThatEndsInsideOnlyOverlaps) {
  const ClashPair p = only_pair(two_parts(plate(), pin(), {{0, 0, 5.1}, {}}));
  EXPECT_EQ(p.kind, ClashClass::overlapping);
  EXPECT_NEAR(p.depth, 0.2, 1e-5);
  EXPECT_NEAR(p.way_out.z, -1, 1e-9);
}

TEST(ClashClasses, APartWhollyInsideIsContained) {
  for (const Vec3d shift :
       {Vec3d{0.1, 0, 0}, Vec3d{0.8, 0, 0}, Vec3d{0.8, 0.8, -0.8}}) {  // free, on a face, in a corner
    const ClashPair p = only_pair(two_parts(cube(1), cube(0.2f), {shift, {}}));
    EXPECT_EQ(p.kind, ClashClass::contained);
    EXPECT_NEAR(p.volume, 0.064, 2 * p.volume_error);
  }
}

TEST(ClashClasses, APartThatSticksOutALittleIsNotContained) {
  EXPECT_EQ(only_pair(two_parts(cube(1), cube(0.2f), {{0.81, 0, 0}, {}})).kind, ClashClass::overlapping);
}

TEST(ClashClasses, APartWhoseCornersStickOutIsNotContained) {
  const Mesh ball = scenes::sphere(20000);
  for (const float half : {0.58f, 0.62f}) {  // corners at 1.005 and 1.07, which are next to no volume
    SCOPED_TRACE(half);
    const ClashPair p = only_pair(two_parts(ball, cube(half), {{}, rotation_about({1, 2, 3}, 0.4)}));
    EXPECT_EQ(p.verdict, Verdict::colliding);
    EXPECT_NE(p.kind, ClashClass::contained);
    EXPECT_EQ(only_pair(two_parts(cube(half), ball)).kind, p.kind);
  }
  EXPECT_EQ(only_pair(two_parts(ball, cube(0.57f))).kind, ClashClass::contained);
  // They touch where they stick out: as much is harmless.
  EXPECT_EQ(only_pair(two_parts(ball, cube(0.58f)), {.touch = 0.01, .way_out = WayOut::none}).kind,
            ClashClass::contained);
}

TEST(ClashClasses, TheSameSolidTwiceIsADuplicate) {
  EXPECT_EQ(only_pair(two_parts(cube(1), cube(1))).kind, ClashClass::duplicate);
  EXPECT_EQ(only_pair(two_parts(cube(1), cube(1), {{}, rotation_about({0, 0, 1}, 1.5707963267948966)})).kind,
            ClashClass::duplicate);
  EXPECT_EQ(only_pair(two_parts(cube(1), scenes::box(1200))).kind, ClashClass::duplicate);  // another mesh
  EXPECT_EQ(only_pair(two_parts(cube(1), cube(1), {{0.01, 0, 0}, {}})).kind, ClashClass::overlapping);
}

TEST(ClashClasses, PartsAKilometreAwayKeepTenMicrometres) {
  // In millimetres: cubes of 40 mm, 1 km from the origin, that share 10 micrometres.
  const Vec3d far{1e6, -1e6, 1e6};
  const ClashPair p = only_pair(two_parts(cube(20), cube(20), {{39.99, 0, 0}, {}}, far));
  EXPECT_EQ(p.kind, ClashClass::overlapping);
  EXPECT_NEAR(p.volume, 40 * 40 * 0.01, 0.001 * 16);
  EXPECT_NEAR(p.depth, 0.01, 0.01 * 0.001);
  const ClashPair turned =
      only_pair(two_parts(cube(20), cube(20), {{39.99, 0, 0}, rotation_about({1, 0, 0}, 0.3)}, far));
  EXPECT_NEAR(turned.depth, 0.01, 0.01 * 0.001);
}

TEST(ClashClasses, AnOverlapThatNoRayMeetsIsProved) {
  // A wire of 1/5000 of the common box, between the rays of 16 x 16.
  const Mesh wire = box_mesh({-0.0001f, -0.0001f, -0.9f}, {0.0001f, 0.0001f, 0.9f});
  Mesh frame = wire;  // two wires that cross: one mesh of two bodies, far apart, so that the box is large
  const Mesh far_wire = box_mesh({1.5f, 1.5f, -0.9f}, {1.5002f, 1.5002f, 0.9f});
  const auto first = static_cast<std::uint32_t>(frame.positions.size());
  frame.positions.insert(frame.positions.end(), far_wire.positions.begin(), far_wire.positions.end());
  for (Triangle t : far_wire.triangles) frame.triangles.push_back({t.a + first, t.b + first, t.c + first});
  const ClashPair p = only_pair(two_parts(frame, cube(2)), {.resolution = 4});
  EXPECT_EQ(p.verdict, Verdict::colliding);
  EXPECT_NE(p.kind, ClashClass::clear);
  EXPECT_TRUE(p.certain);
}

TEST(ClashClasses, WaysOutMoveTheFirstPartClear) {
  for (const WayOut way : {WayOut::normal, WayOut::shortest}) {
    const Assembly assembly = two_parts(scenes::blob(2000, 1), scenes::blob(2000, 2), {{1.1, 0.4, 0.2}, {}});
    const ClashPair p = only_pair(assembly, {.way_out = way});
    ASSERT_EQ(p.kind, ClashClass::overlapping);
    ASSERT_GT(p.depth, 0);
    const Mesh a = transformed(assembly.meshes[0], {p.way_out * (1.02 * p.depth), {}});
    const Mesh b = transformed(assembly.meshes[1], assembly.parts[1].pose);
    EXPECT_EQ(intersect(a, b, {.resolution = 512}).verdict, Verdict::clear);
  }
}

TEST(ClashClasses, NoWayOutIsMeasuredWhenNoneIsWanted) {
  const ClashPair p = only_pair(two_parts(cube(1), cube(1), {{1.9, 0, 0}, {}}), {.way_out = WayOut::none});
  EXPECT_EQ(p.depth, 0);
  EXPECT_EQ(p.way_out, Vec3d{});
  EXPECT_EQ(p.kind, ClashClass::overlapping);
}

}  // namespace
}  // namespace lamella
