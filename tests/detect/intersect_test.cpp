#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/query.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

TEST(Intersect, TwoBoxesShareTheirExactVolume) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1, 1, 1}, {3, 3, 3});
  for (const std::uint32_t n : {1u, 7u, 128u})
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      const Overlap o = intersect(a, b, {.resolution = n, .axis = axis});
      EXPECT_TRUE(o.colliding());
      EXPECT_DOUBLE_EQ(o.volume, 1);
      EXPECT_EQ(o.bounds, (Aabb{{1, 1, 1}, {2, 2, 2}}));
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(o.centroid[k], 1.5, 1e-12);
      EXPECT_EQ(o.spans.size(), std::size_t{n} * n);
      EXPECT_TRUE(o.health.ok());
      EXPECT_EQ(o.grid.axis, axis);
      EXPECT_EQ(o.engine, "software");
    }
}

TEST(Intersect, IsTheSameBothWaysRound) {
  const Mesh a = test::round_sphere(20, 40), b = test::round_sphere(30, 20, 0.7f, {0.8f, 0.3f, 0.1f});
  const Overlap ab = intersect(a, b), ba = intersect(b, a);
  EXPECT_EQ(ab.spans, ba.spans);
  EXPECT_EQ(ab.volume, ba.volume);
}

TEST(Intersect, OneWhollyInsideTheOtherCollides) {
  const Mesh outer = box_mesh({0, 0, 0}, {10, 10, 10}), inner = box_mesh({4, 4, 4}, {6, 5, 7});
  EXPECT_NEAR(intersect(outer, inner).volume, 6, 1e-6);
  EXPECT_NEAR(intersect(inner, outer).volume, 6, 1e-6);
}

TEST(Intersect, AMeshWithItselfIsItsOwnVolume) {
  const Mesh box = box_mesh({-1, 0, 1}, {1, 3, 2});
  EXPECT_NEAR(intersect(box, box).volume, 6, 1e-6);
}

TEST(Intersect, DisjointMeshesShareNothing) {
  const Overlap o = intersect(box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({2, 2, 2}, {3, 3, 3}));
  EXPECT_FALSE(o.colliding());
  EXPECT_EQ(o.volume, 0);
  EXPECT_TRUE(o.bounds.empty());
  EXPECT_EQ(o.grid.columns, 0u) << "nothing was sampled";
  EXPECT_TRUE(o.health.ok());
}

TEST(Intersect, BoxesWhoseBoundsOverlapButSolidsDoNotShareNothing) {
  // An L-shaped solid made of two boxes, and a box in its notch.
  Mesh l = box_mesh({0, 0, 0}, {3, 1, 1});
  test::append(l, box_mesh({0, 1, 0}, {1, 3, 1}));
  EXPECT_EQ(intersect(l, box_mesh({1.5f, 1.5f, 0}, {2.5f, 2.5f, 1})).volume, 0);
}

TEST(Intersect, TouchingIsNoCollision) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_FALSE(intersect(box, box_mesh({1, 0, 0}, {2, 1, 1})).colliding()) << "face to face, boxes touch";
  // Face to face where the bounding boxes overlap: the second solid also reaches around, out of contact.
  Mesh around = box_mesh({0, 0, 1}, {1, 1, 2});
  test::append(around, box_mesh({2, 0, 0}, {3, 1, 2}));
  for (const Axis axis : {Axis::x, Axis::y, Axis::z})
    for (const std::uint32_t n : {64u, 100u})
      EXPECT_EQ(intersect(box, around, {.resolution = n, .axis = axis}).volume, 0);
}

TEST(Intersect, SolidsThatTouchAlongATiltedFaceDoNotCollide) {
  // Two prisms that share the tilted face, which each triangulates its own way.
  const Mesh below{
      {{0, 0, 0}, {1, 0, 0.3f}, {1, 1, 0.7f}, {0, 1, 0.4f}, {0, 0, -1}, {1, 0, -1}, {1, 1, -1}, {0, 1, -1}},
      {{0, 1, 2},
       {0, 2, 3},
       {4, 6, 5},
       {4, 7, 6},
       {0, 4, 5},
       {0, 5, 1},
       {1, 5, 6},
       {1, 6, 2},
       {2, 6, 7},
       {2, 7, 3},
       {3, 7, 4},
       {3, 4, 0}}};
  Mesh above{{{0, 0, 0}, {1, 0, 0.3f}, {1, 1, 0.7f}, {0, 1, 0.4f}, {0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}},
             {{0, 3, 1},
              {1, 3, 2},
              {4, 5, 6},
              {4, 6, 7},
              {0, 5, 4},
              {0, 1, 5},
              {1, 6, 5},
              {1, 2, 6},
              {2, 7, 6},
              {2, 3, 7},
              {3, 4, 7},
              {3, 0, 4}}};
  ASSERT_TRUE(inspect(below).closed && inspect(above).closed);
  ASSERT_GT(inspect(above).volume, 0);
  for (const std::uint32_t n : {50u, 333u})
    EXPECT_EQ(intersect(below, above, {.resolution = n, .axis = Axis::z}).volume, 0);
}

TEST(Intersect, AHoleOpensItsColumnsOnlyAndBoundsWhatTheyCouldHide) {
  Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  a.triangles.erase(a.triangles.begin());  // half of the bottom face
  const Mesh b = box_mesh({0, 0, 0.5f}, {1, 1, 2});
  const Overlap o = intersect(a, b, {.resolution = 100, .axis = Axis::z, .close_holes = false});
  EXPECT_FALSE(o.health.ok());
  EXPECT_NEAR(o.health.open_columns, 5000, 60);
  EXPECT_EQ(o.health.occupied_columns, 10000u);
  EXPECT_NEAR(o.volume, 0.25, 0.01) << "the columns that close are answered";
  EXPECT_GE(o.volume + o.health.untrusted_volume, 0.5) << "and the rest is bounded";
}

TEST(Intersect, StrictMakesAnOpenMeshAnError) {
  Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  a.triangles.pop_back();
  const Mesh b = box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2});
  EXPECT_THROW((void)intersect(a, b, {.axis = Axis::x, .strict = true}), Error);
  EXPECT_NO_THROW((void)intersect(a, b, {.axis = Axis::x}));
}

TEST(Intersect, BrokenVerticesAreSkippedCountedAndNeverCrash) {
  Mesh a = test::round_sphere(20, 40);
  a.positions[100] = {NAN, 0, 0};
  const Overlap o = intersect(a, box_mesh({0, 0, 0}, {2, 2, 2}));
  EXPECT_EQ(o.health.skipped_triangles, 6u);
  EXPECT_FALSE(o.health.ok());
  Mesh all = a;
  for (Vec3& p : all.positions) p = {NAN, INFINITY, NAN};
  EXPECT_EQ(intersect(all, a).health.skipped_triangles, all.triangles.size() + 6) << "nothing is sampled, all are told";
}

TEST(Intersect, AnInsideOutMeshIsNoticed) {
  Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (Triangle& t : a.triangles) std::swap(t.a, t.b);
  const Overlap o = intersect(a, box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2}), {.resolution = 16});
  EXPECT_FALSE(o.colliding());
  EXPECT_EQ(o.health.inside_out_columns, 256u);
}

TEST(Intersect, ASolidThatOverlapsItselfStillCountsOnce) {
  Mesh twice = box_mesh({0, 0, 0}, {2, 2, 2});
  test::append(twice, box_mesh({1, 0, 0}, {3, 2, 2}));
  EXPECT_NEAR(intersect(twice, box_mesh({0, 0, 0}, {3, 2, 2}), {.resolution = 90}).volume, 12, 1e-5);
}

TEST(Intersect, ResolutionMustMakeSense) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_THROW((void)intersect(a, a, {.resolution = 0}), Error);
  EXPECT_THROW((void)intersect(a, a, {.resolution = kMaxResolution + 1}), Error);
}

TEST(Intersect, TooManyCrossingsAreAnErrorAndNotAllMemory) {
  Mesh many;
  for (int i = 0; i < 50; ++i) test::append(many, box_mesh({0, 0, 0}, {1, 1, 1}));
  const Mesh one = box_mesh({0, 0, 0}, {1, 1, 1});
  // The limit is for one tile, of 1,024 columns or more.
  EXPECT_THROW((void)intersect(many, one, {.engine = "software", .resolution = 256, .max_crossings = 100'000}), Error);
  EXPECT_NO_THROW((void)intersect(many, one, {.engine = "software", .resolution = 16, .max_crossings = 100'000}));
}

TEST(Intersect, FarFromTheOriginTheAnswerKeepsItsPrecision) {
  const Vec3 far{4096, -8192, 2048};
  const Mesh a = box_mesh(far, far + Vec3{2, 2, 2}), b = box_mesh(far + Vec3{1, 1, 1}, far + Vec3{3, 3, 3});
  EXPECT_DOUBLE_EQ(intersect(a, b).volume, 1);
}

/// An engine that stops at the box delivers columns that are cut; the outside end tells the winding all the same.
TEST(Intersect, CutColumnsStartWithTheRightWinding) {
  const Grid grid{{{0, 0, 0}, {1, 1, 10}}, Axis::z, 1, 1};
  Ldi a, b;
  a.grid = b.grid = grid;
  a.outside = End::low;  // a: [2, beyond 10)
  a.offsets = {0, 1};
  a.crossings = {Crossing::make(2, true)};
  b.outside = End::high;  // b: (before 0, 7]
  b.offsets = {0, 1};
  b.crossings = {Crossing::make(7, false)};
  Overlap o;
  intersect(a, b, 0, o);
  ASSERT_EQ(o.spans, (std::vector<Span>{{0, 2, 7}}));
  b.offsets = {0, 0};
  b.crossings = {};
  intersect(a, b, 0, o);
  EXPECT_TRUE(o.spans.empty()) << "b has no crossing and is outside at one end: it is not there at all";
}

TEST(Intersect, SpansThinnerThanTheMinimumAreNoOverlap) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0, 0, 0.999f}, {1, 1, 3});
  EXPECT_TRUE(intersect(a, b, {.axis = Axis::x}).colliding());
  // A plate alone is as deep as the box, whatever it lies in; two far apart are thin in theirs.
  const Mesh c = box_mesh({0, 0, -1}, {1, 1, 3});
  Mesh plates = box_mesh({0, 0, 0}, {1, 1, 0.001f});
  EXPECT_TRUE(intersect(plates, c, {.axis = Axis::z, .min_thickness = 0.01f}).colliding());
  test::append(plates, box_mesh({0, 0, 1}, {1, 1, 1.001f}));
  EXPECT_TRUE(intersect(plates, c, {.axis = Axis::z}).colliding());
  EXPECT_FALSE(intersect(plates, c, {.axis = Axis::z, .min_thickness = 0.01f}).colliding());
}

}  // namespace
}  // namespace lamella
