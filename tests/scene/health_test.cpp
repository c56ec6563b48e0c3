// What a scene reports for objects that are not closed, not finite, inside out, or that overlap themselves.

#include <gtest/gtest.h>

#include <limits>

#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/ldi_query.hpp"
#include "lamella/query.hpp"
#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Mesh unit_box() { return box_mesh({0, 0, 0}, {1, 1, 1}); }
Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

/// Without one of the two triangles of its top.
Mesh open_box() {
  Mesh box = unit_box();
  box.triangles.erase(box.triangles.begin() + 3);
  return box;
}

Mesh inside_out_box() {
  Mesh box = unit_box();
  for (Triangle& t : box.triangles) std::swap(t.b, t.c);
  return box;
}

/// A second box with one vertex that is not finite.
Mesh with_broken_part() {
  Mesh mesh = unit_box();
  test::append(mesh, box_mesh({0.2f, 0.2f, 0.2f}, {0.4f, 0.4f, 0.4f}));
  mesh.positions[8].x = kNan;
  return mesh;
}
std::uint32_t broken_triangles(const Mesh& mesh, std::uint32_t vertex) {
  std::uint32_t count = 0;
  for (const Triangle& t : mesh.triangles) count += t.a == vertex || t.b == vertex || t.c == vertex ? 1 : 0;
  return count;
}

TEST(SceneHealth, ClosedObjectsAreHealthy) {
  for (std::uint32_t seed = 0; seed < 42; ++seed) {
    Scene scene({.resolution = 40, .self_overlap = true});
    test::add_all(scene, test::random_scene(seed));
    const SceneResult& r = scene.collide();
    EXPECT_TRUE(r.health.ok());
    EXPECT_TRUE(r.defects.empty());
    EXPECT_EQ(r.health.untrusted_volume, 0);
    EXPECT_EQ(r.health.inside_out_columns, 0u) << seed;
  }
}

TEST(SceneHealth, AnOpenObjectIsNamedWithTheRaysItStaysOpenOn) {
  Scene scene({.resolution = 50, .close_holes = false});
  (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
  const ObjectId open = scene.add(open_box());
  const SceneResult& r = scene.collide();
  EXPECT_FALSE(r.health.ok());
  EXPECT_GT(r.health.open_columns, 0u);
  EXPECT_GT(r.health.untrusted_volume, 0);
  ASSERT_EQ(r.defects.size(), 1u);
  EXPECT_EQ(r.defects[0].object, open);
  EXPECT_EQ(r.defects[0].open_columns, r.health.open_columns);
  EXPECT_EQ(r.defects[0].skipped_triangles, 0u);
  ASSERT_EQ(r.pairs.size(), 1u) << "rays along which it closes still tell";
}

/// The top is missing: rays along z see nothing of the box, those along x and y all of it.
TEST(SceneHealth, AnObjectThatIsOpenAlongOneAxisIsSeenAlongTheOthers) {
  Mesh no_top = unit_box();
  no_top.triangles.erase(no_top.triangles.begin() + 2, no_top.triangles.begin() + 4);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    Scene scene({.resolution = 20, .axis = axis, .close_holes = false});
    (void)scene.add(no_top);
    (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
    const SceneResult& r = scene.collide();
    EXPECT_EQ(r.colliding(), axis != Axis::z);
    EXPECT_EQ(r.verdict, axis == Axis::z ? Verdict::undecided : Verdict::colliding);
    EXPECT_EQ(r.health.ok(), axis != Axis::z);
    EXPECT_EQ(r.health.open_columns, axis == Axis::z ? 400u : 0u);
  }
}

TEST(SceneHealth, SumsTheColumnsOfAllGroupsAndTheVolumeTheyCouldHide) {
  Mesh no_top = unit_box();
  no_top.triangles.erase(no_top.triangles.begin() + 2, no_top.triangles.begin() + 4);
  Scene scene({.resolution = 20, .close_holes = false});
  (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
  const ObjectId open = scene.add(no_top);
  // The same again elsewhere, a group of its own, and an object inside out.
  (void)scene.add(unit_box(), at(20.5, 0.5, 0.5));
  const ObjectId other = scene.add(no_top, at(20, 0, 0));
  (void)scene.add(unit_box(), at(40.5, 0.5, 0.5));
  const ObjectId inside_out = scene.add(inside_out_box(), at(40, 0, 0));
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.groups.size(), 9u);
  EXPECT_EQ(r.health.occupied_columns, 9 * 400u);
  EXPECT_EQ(r.health.open_columns, 2 * 400u);
  EXPECT_EQ(r.health.inside_out_columns, 3 * 400u);
  // Half by half across the rays; along them from 0 to 1.5, and a little room.
  EXPECT_NEAR(r.health.untrusted_volume, 2 * 0.5 * 0.5 * 1.5 * (1 + 2.0 / 1024), 1e-5);
  EXPECT_EQ(r.health.skipped_triangles, 0u);
  ASSERT_EQ(r.defects.size(), 3u);
  EXPECT_EQ(r.defects[0].object, open);
  EXPECT_EQ(r.defects[1].object, other);
  EXPECT_EQ(r.defects[2].object, inside_out);
  for (const SceneDefect& d : r.defects) {
    EXPECT_EQ(d.open_columns, d.object == inside_out ? 0u : 400u);
    EXPECT_EQ(d.inside_out_columns, d.object == inside_out ? 3 * 400u : 0u);
    EXPECT_EQ(d.skipped_triangles, 0u);
  }
}

TEST(SceneHealth, ABrokenTriangleIsCountedOnceInHoweverManyPlacesTheObjectIsSampled) {
  Mesh bar = box_mesh({0, 0, 0}, {10, 1, 1});
  test::append(bar, box_mesh({5, 0.2f, 0.2f}, {5.5f, 0.4f, 0.4f}));
  bar.positions[8].y = kNan;
  const std::uint32_t broken = broken_triangles(bar, 8);
  for (const unsigned views : {1u, 3u}) {
    Scene scene({.cell = 0.05f, .views = views, .self_overlap = views == 3});
    (void)scene.add(unit_box(), at(-0.5, 0.1, 0.1));  // one at either end: two windows of the bar
    const ObjectId first = scene.add(bar), second = scene.add(first, at(0, 50, 0));
    (void)scene.add(unit_box(), at(9.5, 0.1, 0.1));
    const SceneResult& r = scene.collide();
    EXPECT_EQ(r.pairs.size(), 2u);
    EXPECT_EQ(r.health.skipped_triangles, 2 * broken);
    ASSERT_EQ(r.defects.size(), 2u);
    EXPECT_EQ(r.defects[0].object, first);
    EXPECT_EQ(r.defects[1].object, second);
    for (const SceneDefect& d : r.defects) EXPECT_EQ(d.skipped_triangles, broken);
  }
}

TEST(SceneHealth, APoseThatLeadsTooFarAwayBreaksTrianglesAndOneBackMendsThem) {
  Scene scene({.resolution = 10});
  const ObjectId id = scene.add(unit_box());
  const ObjectId near = scene.add(unit_box(), at(0.5, 0.5, 0.5));
  EXPECT_TRUE(scene.collide().health.ok());
  const double far = 0x1.8p100;  // beyond what floats can be multiplied at
  scene.move(id, at(far, 0, 0));
  scene.move(near, at(far, 0.5, 0.5));
  (void)scene.collide();
  scene.move(id, {});
  scene.move(near, at(0.5, 0.5, 0.5));
  const SceneResult& r = scene.collide();
  EXPECT_TRUE(r.health.ok());
  EXPECT_EQ(r.pairs.size(), 1u);
}

TEST(SceneHealth, StrictSamplesEveryObjectWholeToo) {
  for (const bool strict : {false, true})
    for (const bool self : {false, true}) {
      Scene scene({.resolution = 10, .strict = strict, .self_overlap = self});
      (void)scene.add(unit_box());
      (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
      (void)scene.add(unit_box(), at(50, 0, 0));
      const SceneResult& r = scene.collide();
      EXPECT_EQ(r.groups.size(), strict || self ? 6u : 3u);
      EXPECT_EQ(r.object_count, 3u);
      EXPECT_TRUE(r.self_overlaps.empty());
    }
}

TEST(SceneHealth, AnOpenObjectSpoilsNoOther) {
  Scene scene({.resolution = 50, .close_holes = false});
  const ObjectId a = scene.add(unit_box()), b = scene.add(unit_box(), at(0.25, 0.25, 0.25));
  const ObjectId open = scene.add(open_box(), at(0.125, 0.125, 0.125));
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 3u);
  EXPECT_EQ(r.pairs[0].a, a);
  EXPECT_EQ(r.pairs[0].b, b);
  EXPECT_NEAR(r.pairs[0].volume.value(), 0.75 * 0.75 * 0.75, 0.03);
  ASSERT_EQ(r.defects.size(), 1u);
  EXPECT_EQ(r.defects[0].object, open);
}

TEST(SceneHealth, TrianglesThatAreNowhereAreCountedAndLeftOut) {
  const Mesh broken = with_broken_part();
  Scene scene({.resolution = 50});
  const ObjectId id = scene.add(broken);
  (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
  const SceneResult& r = scene.collide();
  EXPECT_FALSE(r.health.ok());
  EXPECT_EQ(r.health.skipped_triangles, broken_triangles(broken, 8));
  ASSERT_EQ(r.defects.size(), 1u);
  EXPECT_EQ(r.defects[0].object, id);
  EXPECT_EQ(r.defects[0].skipped_triangles, broken_triangles(broken, 8));
  ASSERT_EQ(r.pairs.size(), 1u);
}

/// With a NaN vertex the object's box is unknown too, so a collision cannot be ruled out.
TEST(SceneHealth, TrianglesThatAreNowhereAreToldOfALoneObjectToo) {
  Scene scene({.resolution = 50});
  const ObjectId id = scene.add(with_broken_part());
  (void)scene.add(unit_box(), at(50, 0, 0));
  EXPECT_FALSE(scene.collide().health.ok());
  Mesh nowhere = unit_box();
  for (Vec3& p : nowhere.positions) p = {kNan, kNan, kNan};
  scene.deform(id, with_broken_part().positions);
  const ObjectId all = scene.add(nowhere);
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.defects.size(), 2u);
  EXPECT_EQ(r.defects[1].object, all);
  EXPECT_EQ(r.defects[1].skipped_triangles, 12u);
}

TEST(SceneHealth, AnObjectThatBecameWholeIsHealthyWhereverItIs) {
  for (const bool close : {false, true}) {
    Scene scene({.resolution = 50, .close_holes = close});
    Mesh mesh = with_broken_part();
    const ObjectId id = scene.add(mesh);
    const ObjectId like = scene.add(id, at(0, 50, 0));
    (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
    EXPECT_FALSE(scene.collide().health.ok());
    mesh.positions[8] = {0.2f, 0.2f, 0.2f};
    scene.move(id, at(50, 0, 0));
    scene.deform(id, mesh.positions);
    EXPECT_FALSE(scene.collide().health.ok()) << "the other is still broken";
    scene.deform(like, mesh.positions);
    EXPECT_TRUE(scene.collide().health.ok()) << "as last seen elsewhere, not as it is";
    scene.move(id, {});
    EXPECT_TRUE(scene.collide().health.ok()) << "no fan is left where its triangles are back";
    EXPECT_TRUE(scene.collide().colliding());
  }
}

TEST(SceneHealth, APoseThatIsNotANumberIsNotKeptSecret) {
  Scene scene({.resolution = 50});
  const ObjectId id = scene.add(unit_box());
  (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
  EXPECT_TRUE(scene.collide().colliding());
  try {
    scene.move(id, {{std::nan(""), 0, 0}, {}});
    EXPECT_FALSE(scene.collide().health.ok());
  } catch (const Error&) {
  }
}

TEST(SceneHealth, AnObjectInsideOutIsNoBodyAndCounted) {
  Scene scene({.resolution = 40});
  (void)scene.add(inside_out_box());
  (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
  const SceneResult& r = scene.collide();
  EXPECT_FALSE(r.colliding());
  EXPECT_EQ(r.health.inside_out_columns, r.health.occupied_columns);
  EXPECT_GT(r.health.inside_out_columns, 3 * 38u * 38u);
}

/// A sheet of no thickness: rays enter and leave it at one depth.
TEST(SceneHealth, AFlatClosedObjectIsNotInsideOut) {
  Mesh flat = unit_box();
  for (Vec3& p : flat.positions) p.z = 0.5f;
  Scene scene({.resolution = 40, .axis = Axis::z});
  test::append(flat, box_mesh({3, 3, 0}, {4, 4, 1}));
  (void)scene.add(flat);
  (void)scene.add(unit_box(), at(0.25, 0.25, 0));
  const SceneResult& r = scene.collide();
  EXPECT_FALSE(r.colliding());
  EXPECT_TRUE(r.health.ok());
  EXPECT_EQ(r.health.inside_out_columns, 0u);
}

TEST(SceneHealth, IsAnErrorUnderStrictAndTheSceneGoesOn) {
  for (const bool close : {false, true}) {
    Scene scene({.resolution = 40, .close_holes = close, .strict = true});
    (void)scene.add(unit_box(), at(0.5, 0.5, 0.5));
    const ObjectId open = scene.add(open_box());
    EXPECT_THROW((void)scene.collide(), Error);
    scene.move(open, at(50, 0, 0));
    EXPECT_THROW((void)scene.collide(), Error) << "also where it has nobody near";
    scene.remove(open);
    (void)scene.add(unit_box());
    EXPECT_TRUE(scene.collide().colliding());
  }
}

TEST(SceneSelfOverlap, IsToldApartFromOverlapWithOthers) {
  Scene scene({.resolution = 96, .self_overlap = true});
  const Mesh knot = scenes::torus_knot(2000, 0.6f), ball = scenes::sphere(500, 0.8f);
  const Transform poses[] = {at(0, 0, 0), {{30, 1, 2}, rotation_about({1, 2, 3}, 1)}};
  (void)scene.add(ball, at(0.9, 0, 0));
  const ObjectId among = scene.add(knot, poses[0]), alone = scene.add(knot, poses[1]);
  (void)scene.add(scenes::torus_knot(2000), at(0.3, 0.2, 0.1));
  const SceneResult& r = scene.collide();
  EXPECT_GE(r.pairs.size(), 2u);
  ASSERT_EQ(r.self_overlaps.size(), 2u) << "the ball and the slender knot overlap others alone";
  EXPECT_EQ(r.self_overlaps[0].object, among);
  EXPECT_EQ(r.self_overlaps[1].object, alone);
  for (int i = 0; i < 2; ++i) {
    const SelfOverlap expected = self_intersect(transformed(knot, poses[i]), {.engine = "software", .resolution = 96});
    EXPECT_GT(expected.volume, 0.5);
    // The scene enlarges the box a little along the rays, so depths round differently.
    EXPECT_NEAR(r.self_overlaps[static_cast<std::size_t>(i)].volume / expected.volume, 1, 1e-5);
  }
}

TEST(SceneSelfOverlap, IsNotLookedForUnlessAskedFor) {
  Scene scene({.resolution = 48});
  (void)scene.add(scenes::torus_knot(2000, 0.6f));
  (void)scene.add(scenes::sphere(500));
  const SceneResult& r = scene.collide();
  EXPECT_TRUE(r.self_overlaps.empty());
  for (const SceneGroup& g : r.groups) EXPECT_EQ(g.object_count, 2u);
}

/// Two boxes of one mesh, of which the second begins `shared` before the first one's end.
Mesh two_boxes(float shared) {
  Mesh two = unit_box();
  test::append(two, box_mesh({1 - shared, 0, 0}, {2, 1, 1}));
  return two;
}

/// One object alone: its self-overlap's volume, 0 when none is reported.
double self_volume(const Mesh& mesh, float min_thickness) {
  Scene scene({.resolution = 32, .axis = Axis::x, .min_thickness = min_thickness, .self_overlap = true});
  (void)scene.add(mesh);
  const SceneResult& r = scene.collide();
  return r.self_overlaps.empty() ? 0 : r.self_overlaps[0].volume;
}

TEST(SceneSelfOverlap, CountsOnlyWhatIsLongerThanTheMinimum) {
  const Mesh two = two_boxes(0.02f);  // one hundredth of its box's depth
  EXPECT_NEAR(self_volume(two, 0.005f), 0.02, 1e-4);
  EXPECT_EQ(self_volume(two, 0.015f), 0);
}

TEST(SceneSelfOverlap, SumsNoShortSpansOfARayThatHasALongOne) {
  Mesh three = two_boxes(0.25f);
  test::append(three, box_mesh({1.98f, 0, 0}, {3, 1, 1}));
  EXPECT_NEAR(self_volume(three, 0.001f), 0.27, 1e-4);
  EXPECT_NEAR(self_volume(three, 0.03f), 0.25, 1e-4);
}

TEST(SceneSelfOverlap, SpansThatMeetAtOneDepthAreOne) {
  Mesh mesh = box_mesh({0, 0, 0}, {2, 1, 1});
  test::append(mesh, box_mesh({0.5f, 0, 0}, {0.75f, 1, 1}));
  test::append(mesh, box_mesh({0.75f, 0, 0}, {1, 1, 1}));
  EXPECT_NEAR(self_volume(mesh, 0.2f), 0.5, 1e-4) << "either alone is too short";
}

/// Two boxes of one mesh, face to face, rotated: rounding makes slivers, some of them thicker than the tolerance.
TEST(SceneSelfOverlap, OfPartsThatTouchIsJudgedAsBySelfIntersect) {
  Mesh two = unit_box();
  test::append(two, box_mesh({1, -0.3f, -0.2f}, {2, 1.4f, 1.3f}));
  std::vector<int> overlaps;
  for (const float thickness : {0.0f, 1e-5f, 1e-4f, 1e-3f, 1e-2f}) {
    test::Random random(4);
    overlaps.push_back(0);
    for (int i = 0; i < 15; ++i) {
      const Transform pose{to_double(random.in({{-50, -50, -50}, {50, 50, 50}})), test::random_rotation(random)};
      Scene scene({.resolution = 64, .min_thickness = thickness, .self_overlap = true});
      (void)scene.add(two, pose);
      const SceneResult& r = scene.collide();
      Ldi ldi;
      const Transform from_origin{pose.translation - r.groups.at(0).origin, pose.rotation};
      make_engine({.engine = "software"})->build(transformed(two, from_origin), r.groups.at(0).grid, ldi);
      SelfOverlap o;
      self_intersect(ldi, thickness, o);
      EXPECT_EQ(!r.self_overlaps.empty(), o.span_count != 0) << "pose " << i << ", thickness " << thickness;
      overlaps.back() += o.span_count != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(overlaps.front(), overlaps.back()) << "or this shows nothing";
}

}  // namespace
}  // namespace lamella
