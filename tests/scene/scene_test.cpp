// What a scene guarantees apart from its pairs: ids, options, moving and deforming, fixed and ignored objects.

#include "lamella/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "lamella/error.hpp"
#include "scene/random_scenes.hpp"
#include "scene/result_bits.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::ResultBits;
using testing::AllOf;
using testing::HasSubstr;

Mesh unit_box() { return box_mesh({0, 0, 0}, {1, 1, 1}); }
Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Scene, AnEmptyOneHasNothingToTell) {
  Scene scene;
  const SceneResult& r = scene.collide();
  EXPECT_FALSE(r.colliding());
  EXPECT_TRUE(r.groups.empty());
  EXPECT_EQ(r.object_count, 0u);
  EXPECT_EQ(r.candidate_count, 0u);
  EXPECT_TRUE(r.health.ok());
  EXPECT_EQ(r.engine, "software");
  EXPECT_EQ(scene.size(), 0u);
}

TEST(Scene, OneObjectMeetsNobody) {
  Scene scene;
  const ObjectId id = scene.add(unit_box());
  EXPECT_EQ(id.number, 0u);
  const SceneResult& r = scene.collide();
  EXPECT_FALSE(r.colliding());
  EXPECT_EQ(r.object_count, 1u);
  EXPECT_TRUE(r.groups.empty()) << "nothing to sample";
}

TEST(Scene, TwoBoxesShareWhatTheyShare) {
  Scene scene;
  const ObjectId a = scene.add(unit_box()), b = scene.add(unit_box(), at(0.5, 0.25, 0.75));
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_EQ(r.pairs[0].a, a);
  EXPECT_EQ(r.pairs[0].b, b);
  EXPECT_NEAR(r.pairs[0].volume.value(), 0.5 * 0.75 * 0.25, 1e-6);
  EXPECT_NEAR(r.pairs[0].centroid.x, 0.75, 1e-6);
  EXPECT_NEAR(r.pairs[0].centroid.y, 0.625, 1e-6);
  EXPECT_NEAR(r.pairs[0].centroid.z, 0.875, 1e-6);
  EXPECT_EQ(r.candidate_count, 1u);
  EXPECT_EQ(r.groups.size(), 3u) << "along each axis";
}

TEST(Scene, BoxesThatTouchDoNotCollide) {
  Scene scene;
  (void)scene.add(unit_box());
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d by;
    by[axis] = 1;
    (void)scene.add(unit_box(), {by, {}});
    by[axis] = -1;
    (void)scene.add(unit_box(), {by, {}});
  }
  EXPECT_FALSE(scene.collide().colliding());
}

TEST(Scene, AMeshWithoutTrianglesOrVerticesIsNoBody) {
  Scene scene;
  const ObjectId nothing = scene.add(Mesh{});
  const ObjectId points = scene.add(Mesh{{{0, 0, 0}, {1, 1, 1}}, {}});
  (void)scene.add(unit_box());
  EXPECT_FALSE(scene.collide().colliding());
  scene.move(nothing, at(1, 2, 3));
  scene.deform(nothing, {});
  scene.move(points, at(0.5, 0.5, 0.5));
  EXPECT_FALSE(scene.collide().colliding());
  EXPECT_TRUE(scene.collide().health.ok());
}

TEST(Scene, IdsStayValidWhileOthersComeAndGo) {
  Scene scene;
  std::vector<ObjectId> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(scene.add(unit_box(), at(10.0 * i, 0, 0)));
  scene.remove(ids[1]);
  scene.remove(ids[4]);
  EXPECT_EQ(scene.size(), 4u);
  const ObjectId late = scene.add(unit_box(), at(30.5, 0, 0));
  EXPECT_EQ(late.number, 6u) << "numbers are not used again";
  const ObjectId later = scene.add(unit_box(), at(0.5, 0, 0));
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 2u);
  EXPECT_EQ(r.pairs[0].a, ids[0]);
  EXPECT_EQ(r.pairs[0].b, later);
  EXPECT_EQ(r.pairs[1].a, ids[3]);
  EXPECT_EQ(r.pairs[1].b, late);
  EXPECT_EQ(scene.pose(ids[5]).translation.x, 50);
  EXPECT_EQ(scene.mesh(late).triangles.size(), 12u);
}

TEST(Scene, AnObjectThatWasRemovedOrNeverAddedIsAnError) {
  Scene scene;
  const ObjectId a = scene.add(unit_box()), b = scene.add(unit_box());
  scene.remove(a);
  const Mesh box = unit_box();
  for (const ObjectId gone : {a, ObjectId{7}}) {
    EXPECT_THROW(scene.remove(gone), Error);
    EXPECT_THROW(scene.move(gone, {}), Error);
    EXPECT_THROW(scene.deform(gone, box.positions), Error);
    EXPECT_THROW(scene.fix(gone), Error);
    EXPECT_THROW(scene.ignore(gone, b), Error);
    EXPECT_THROW(scene.ignore(b, gone), Error);
    EXPECT_THROW((void)scene.pose(gone), Error);
    EXPECT_THROW((void)scene.mesh(gone), Error);
  }
  EXPECT_THAT(error_of([&] { scene.remove({7}); }), HasSubstr("7"));
  EXPECT_FALSE(scene.collide().colliding());
}

TEST(Scene, RemovedObjectsCollideNoMore) {
  Scene scene;
  const ObjectId a = scene.add(unit_box()), b = scene.add(unit_box());
  const ObjectId c = scene.add(unit_box());
  EXPECT_EQ(scene.collide().pairs.size(), 3u);
  scene.remove(b);
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_EQ(r.pairs[0].a, a);
  EXPECT_EQ(r.pairs[0].b, c);
  EXPECT_EQ(r.object_count, 2u);
}

TEST(Scene, PairsAscendWhicheverSlotTheirObjectsHave) {
  Scene scene;
  std::vector<ObjectId> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(scene.add(unit_box(), at(0.1 * i, 0, 0)));
  for (const int i : {6, 0, 3}) scene.remove(ids[static_cast<std::size_t>(i)]);
  for (int i = 0; i < 5; ++i) (void)scene.add(unit_box(), at(0, 0.1 * i, 0));
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.pairs.size(), 45u);
  for (std::size_t i = 0; i < r.pairs.size(); ++i) {
    EXPECT_LT(r.pairs[i].a, r.pairs[i].b);
    const ScenePair& last = r.pairs[i > 0 ? i - 1 : 0];
    EXPECT_TRUE(i == 0 || std::pair(last.a, last.b) < std::pair(r.pairs[i].a, r.pairs[i].b));
  }
}

TEST(Scene, AnIndexOutOfRangeIsAnErrorAndAddsNothing) {
  Scene scene;
  Mesh bad = unit_box();
  bad.triangles[5].b = 8;
  EXPECT_THAT(error_of([&] { (void)scene.add(bad); }), HasSubstr("vertex 8"));
  EXPECT_THROW((void)scene.add(Mesh{{}, {{0, 0, 0}}}), Error);
  EXPECT_EQ(scene.size(), 0u);
  EXPECT_EQ(scene.add(unit_box()).number, 0u);
}

TEST(Scene, AnotherNumberOfVerticesIsAnErrorAndChangesNothing) {
  Scene scene;
  const ObjectId a = scene.add(unit_box());
  (void)scene.add(unit_box(), at(0.5, 0, 0));
  const ResultBits before(scene.collide());
  std::vector<Vec3> positions(9);
  EXPECT_THAT(error_of([&] { scene.deform(a, positions); }), HasSubstr("9 positions for a mesh of 8 vertices"));
  EXPECT_THROW(scene.deform(a, {}), Error);
  EXPECT_EQ(ResultBits(scene.collide()), before);
}

TEST(Scene, IsMovedWithAllThatIsInIt) {
  Scene scene({.resolution = 32});
  const ObjectId a = scene.add(unit_box());
  (void)scene.add(unit_box(), at(0.5, 0, 0));
  const ResultBits before(scene.collide());
  Scene other = std::move(scene);
  EXPECT_EQ(ResultBits(other.collide()), before);
  EXPECT_EQ(other.options().resolution, 32u);
  other.remove(a);
  EXPECT_EQ(other.size(), 1u);
}

TEST(Scene, KeepsCopies) {
  Scene scene;
  Mesh box = unit_box();
  const ObjectId id = scene.add(box);
  (void)scene.add(box, at(0.5, 0.5, 0.5));
  std::vector<Vec3> positions = box.positions;
  box = {};
  const ResultBits before(scene.collide());
  scene.deform(id, positions);
  positions.assign(8, {});
  EXPECT_EQ(ResultBits(scene.collide()), before);
}

/// The axis of a pair and the chosen contacts depend on earlier frames, on purpose; everything else must be as in a new
/// scene.
SceneOptions without_memory() {
  SceneOptions options;
  options.resolution = 64;
  options.axis = Axis::y;
  options.self_overlap = true;
  options.max_contacts = 0;
  return options;
}

TEST(Scene, AMovedObjectIsAsIfAddedThere) {
  const test::Bodies others = test::random_scene(20);
  const Mesh knot = scenes::torus_knot(600);
  test::Random random(5);
  Scene moving(without_memory());
  test::add_all(moving, others);
  const ObjectId mover = moving.add(knot);
  std::size_t pairs = 0;
  for (int frame = 0; frame < 12; ++frame) {
    const Transform pose{to_double(random.in({{-3, -3, -3}, {3, 3, 3}})), test::random_rotation(random)};
    moving.move(mover, pose);
    Scene fresh(without_memory());
    test::add_all(fresh, others);
    (void)fresh.add(knot, pose);
    EXPECT_EQ(ResultBits(moving.collide()), ResultBits(fresh.collide())) << frame;
    pairs += moving.collide().pairs.size();
  }
  EXPECT_GT(pairs, 100u);
}

/// Two objects, so that their grid depends on nothing but the two meshes as placed.
TEST(Scene, APoseIsTheMeshTransformed) {
  const Mesh knot = scenes::torus_knot(600), ball = scenes::sphere(300);
  test::Random random(6);
  for (int i = 0; i < 40; ++i) {
    const Transform pose{to_double(random.in({{-1, -1, -1}, {1, 1, 1}})), test::random_rotation(random)};
    Scene posed(without_memory()), plain(without_memory());
    (void)posed.add(ball);
    (void)posed.add(knot, pose);
    (void)plain.add(ball);
    (void)plain.add(transformed(knot, pose));
    EXPECT_EQ(ResultBits(posed.collide()), ResultBits(plain.collide())) << i;
    EXPECT_EQ(posed.collide().pairs.size(), 1u);
  }
}

TEST(Scene, ADeformedObjectIsAsIfAddedSo) {
  const test::Bodies others = test::random_scene(27);
  const Mesh rest = scenes::hand(600);
  const Transform pose{{0.3, 0.2, -0.1}, rotation_about({1, 2, 3}, 0.7)};
  Scene deforming(without_memory());
  test::add_all(deforming, others);
  const ObjectId hand = deforming.add(rest, pose);
  for (int frame = 0; frame < 10; ++frame) {
    const Mesh bent = scenes::hand(600, 0.1f * static_cast<float>(frame));
    ASSERT_EQ(bent.positions.size(), rest.positions.size());
    deforming.deform(hand, bent.positions);
    Scene fresh(without_memory());
    test::add_all(fresh, others);
    (void)fresh.add(bent, pose);
    EXPECT_EQ(ResultBits(deforming.collide()), ResultBits(fresh.collide())) << frame;
  }
}

TEST(Scene, APairThatPartedIsForgotten) {
  Scene scene({.resolution = 64});
  const Mesh torus = scenes::torus(400), blob = scenes::blob(400);
  const ObjectId a = scene.add(torus), b = scene.add(blob, at(0.9, 0.2, 0.3));
  const std::vector<Contact> fresh = scene.collide().contacts;
  for (int i = 1; i < 6; ++i) {
    scene.move(b, at(0.9, 0.1 * i, 0.3 - 0.2 * i));
    (void)scene.collide();
  }
  scene.move(b, at(50, 0, 0));
  EXPECT_FALSE(scene.collide().colliding());
  scene.move(a, {});
  scene.move(b, at(0.9, 0.2, 0.3));
  const std::vector<Contact>& again = scene.collide().contacts;
  ASSERT_EQ(again.size(), fresh.size());
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    EXPECT_EQ(again[i].position, fresh[i].position);
    EXPECT_EQ(again[i].normal, fresh[i].normal);
    for (const Contact& c : fresh) EXPECT_NE(again[i].id, c.id) << "another contact, though in the same place";
  }
}

TEST(Scene, APairThatStaysNearWithoutTouchingIsForgottenToo) {
  // A post in the notch of an L: the boxes share a volume all the time.
  Mesh l = box_mesh({0, 0, 0}, {3, 1, 1});
  test::append(l, box_mesh({0, 1, 0}, {1, 3, 1}));
  Scene scene({.resolution = 64});
  (void)scene.add(l);
  const ObjectId post = scene.add(box_mesh({0, 0, 0}, {0.5f, 0.5f, 1}), at(0.9, 1.5, 0));
  const std::vector<Contact> first = scene.collide().contacts;
  EXPECT_GE(first.size(), 1u);
  EXPECT_EQ(scene.collide().contacts[0].id, first[0].id) << "the same while it lasts";
  scene.move(post, at(2, 2, 0));
  const SceneResult& apart = scene.collide();
  EXPECT_FALSE(apart.colliding());
  EXPECT_EQ(apart.candidate_count, 1u);
  EXPECT_TRUE(apart.contacts.empty());
  scene.move(post, at(0.9, 1.5, 0));
  for (const Contact& c : scene.collide().contacts)
    for (const Contact& old : first) EXPECT_NE(c.id, old.id);
}

TEST(Scene, APairDoesNotInheritTheContactsOfOneThatIsGone) {
  Scene scene({.resolution = 64});
  (void)scene.add(box_mesh({-3, -3, -1}, {3, 3, 0}));
  const ObjectId first = scene.add(unit_box(), at(0, 0, -0.1));
  std::vector<std::uint32_t> ids;
  for (const Contact& c : scene.collide().contacts) ids.push_back(c.id);
  EXPECT_GE(ids.size(), 4u);
  scene.remove(first);
  EXPECT_TRUE(scene.collide().contacts.empty());
  (void)scene.add(unit_box(), at(0, 0, -0.1));  // in the same place, and in the same memory
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.contacts.size(), ids.size());
  for (const Contact& c : r.contacts) EXPECT_EQ(std::count(ids.begin(), ids.end(), c.id), 0) << c.id;
}

TEST(Scene, OnlyObjectsWhoseTurnedBoxesMeetAreCandidates) {
  const Mesh bar = box_mesh({-2, -0.1f, -0.1f}, {2, 0.1f, 0.1f});
  const Quaternion slanted = rotation_about({0, 0, 1}, 0.785398);
  const Vec3d aside = rotate(slanted, {0, 1, 0});
  for (const double apart : {0.15, 0.3}) {
    Scene scene({.resolution = 16});
    (void)scene.add(bar, {{0, 0, 0}, slanted});
    const ObjectId other = scene.add(bar, {aside * apart, slanted});
    const std::uint32_t wanted = apart < 0.2 ? 1 : 0;
    EXPECT_EQ(scene.collide().candidate_count, wanted) << apart;
    EXPECT_EQ(scene.collide().pairs.size(), wanted) << apart;
    // Shifted along itself: the long sides still pass each other.
    scene.move(other, {aside * apart + rotate(slanted, {1, 0, 0}), slanted});
    EXPECT_EQ(scene.collide().candidate_count, wanted) << apart;
    // As meshes that were turned before: only their boxes along the axes are known.
    Scene plain({.resolution = 16});
    (void)plain.add(transformed(bar, {{0, 0, 0}, slanted}));
    (void)plain.add(transformed(bar, {aside * apart, slanted}));
    EXPECT_EQ(plain.collide().candidate_count, 1u) << apart;
  }
  // Balls whose boxes meet at their corners.
  Scene balls({.resolution = 16});
  (void)balls.add(test::round_sphere(8, 16));
  (void)balls.add(test::round_sphere(8, 16), at(1.3, 1.3, 1.3));
  EXPECT_EQ(balls.collide().candidate_count, 0u);
}

TEST(Scene, AnObjectMovedBeforeItWasSeenIsWhereItWasMovedLast) {
  Scene scene({.resolution = 16});
  const ObjectId a = scene.add(unit_box()), b = scene.add(a, at(50, 0, 0));
  scene.move(b, at(0.5, 0, 0));
  scene.move(b, at(0.75, 0, 0));
  EXPECT_NEAR(scene.collide().pairs.at(0).volume.value(), 0.25, 1e-6);
  scene.move(b, {});  // from a pose to none
  EXPECT_NEAR(scene.collide().pairs.at(0).volume.value(), 1, 1e-6);
  scene.deform(b, box_mesh({0, 0, 0}, {0.5f, 1, 1}).positions);
  EXPECT_NEAR(scene.collide().pairs.at(0).volume.value(), 0.5, 1e-6);
  scene.remove(b);  // moved and removed before it was looked at
  const ObjectId c = scene.add(unit_box(), at(0.5, 0, 0));
  scene.move(c, at(0.25, 0, 0));
  scene.remove(c);
  EXPECT_FALSE(scene.collide().colliding());
}

TEST(Scene, MoveKeepsTheDeformedShapeAndDeformKeepsThePose) {
  Scene scene;
  const ObjectId a = scene.add(unit_box());
  (void)scene.add(unit_box(), at(10, 0, 0));
  const Mesh wide = box_mesh({0, 0, 0}, {3, 1, 1});
  scene.deform(a, wide.positions);
  scene.move(a, at(8, 0.25, 0));
  ASSERT_EQ(scene.collide().pairs.size(), 1u);
  EXPECT_NEAR(scene.collide().pairs[0].volume.value(), 0.75, 1e-6);
  EXPECT_EQ(scene.mesh(a).positions[1], wide.positions[1]);
  scene.deform(a, unit_box().positions);
  EXPECT_FALSE(scene.collide().colliding());
  scene.move(a, at(9.5, 0, 0));
  EXPECT_NEAR(scene.collide().pairs.at(0).volume.value(), 0.5, 1e-6);
}

TEST(Scene, FixedObjectsAreNotTestedAgainstEachOther) {
  Scene scene;
  const ObjectId a = scene.add(unit_box()), b = scene.add(unit_box(), at(0.5, 0, 0));
  const ObjectId c = scene.add(unit_box(), at(0, 0.5, 0));
  scene.fix(a);
  EXPECT_EQ(scene.collide().pairs.size(), 3u) << "one fixed object is tested against all that are not";
  scene.fix(b);
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 2u);
  EXPECT_EQ(r.pairs[0].b, c);
  EXPECT_EQ(r.pairs[1].b, c);
  EXPECT_EQ(r.candidate_count, 2u);
  scene.fix(a, false);
  EXPECT_EQ(scene.collide().pairs.size(), 3u);
}

TEST(Scene, IgnoredPairsAreNotTested) {
  Scene scene;
  const ObjectId a = scene.add(unit_box()), b = scene.add(unit_box(), at(0.5, 0, 0));
  const ObjectId c = scene.add(unit_box(), at(0, 0.5, 0));
  scene.ignore(c, a);
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.pairs.size(), 2u);
  EXPECT_EQ(r.pairs[0].a, a);
  EXPECT_EQ(r.pairs[0].b, b);
  EXPECT_EQ(r.pairs[1].a, b);
  EXPECT_EQ(r.pairs[1].b, c);
  scene.ignore(a, c);  // again, the other way round
  scene.ignore(a, c, false);
  EXPECT_EQ(scene.collide().pairs.size(), 3u);
  scene.ignore(a, b);
  scene.remove(b);
  const ObjectId d = scene.add(unit_box());
  EXPECT_EQ(scene.collide().pairs.size(), 3u) << d.number;
}

TEST(Scene, TheTimesOfItsStagesAddUpToNoMoreThanItTook) {
  for (const unsigned threads : {1u, 2u}) {
    Scene scene({.resolution = 48, .threads = threads});
    test::add_all(scene, test::random_scene(6));
    for (int frame = 0; frame < 2; ++frame) {
      const auto start = std::chrono::steady_clock::now();
      const Timings& ms = scene.collide().ms;
      const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      EXPECT_LE(ms.total(), took);
      for (const double stage : {ms.broad, ms.voi, ms.ldi, ms.query, ms.points, ms.contacts}) EXPECT_GT(stage, 0);
    }
  }
}

TEST(Scene, ThePointsAndContactsOfPairsFollowOneAnother) {
  Scene scene({.resolution = 48});
  test::add_all(scene, test::random_scene(6));
  const SceneResult& r = scene.collide();
  std::uint32_t points = 0, contacts = 0;
  for (std::uint32_t i = 0; i < r.pairs.size(); ++i) {
    EXPECT_EQ(r.pairs[i].first_point, points);
    EXPECT_EQ(r.pairs[i].first_contact, contacts);
    for (const CollisionPoint& p : r.points_of(r.pairs[i])) EXPECT_EQ(p.pair, i);
    points += r.pairs[i].point_count;
    contacts += r.pairs[i].contact_count;
    EXPECT_GE(r.pairs[i].contact_count, 1u);
    EXPECT_LE(r.pairs[i].contact_count, 8u);
  }
  EXPECT_EQ(r.points.size(), points);
  EXPECT_EQ(r.contacts.size(), contacts);
}

/// Far from the origin, and very large.
TEST(Scene, BodiesOfAnySizeMeet) {
  for (const float size : {1e-6f, 1.0f, 1e6f, 1e15f, 1e20f}) {
    Scene scene;
    const Mesh box = box_mesh({-size, -size, -size}, {size, size, size});
    (void)scene.add(box, {{0, 0, 0}, rotation_about({0, 0, 1}, 0.3)});
    (void)scene.add(box, {{1.5 * double{size}, 0, 0}, rotation_about({0, 1, 0}, 0.2)});
    EXPECT_TRUE(scene.collide().colliding()) << size;
  }
}

TEST(Scene, AnObjectLikeAnotherSharesItsMeshUntilOneIsDeformed) {
  Scene scene;
  const ObjectId first = scene.add(unit_box());
  const ObjectId second = scene.add(first, at(0.5, 0, 0));
  const ObjectId third = scene.add(second, at(5, 0, 0));
  EXPECT_EQ(scene.mesh(second).positions.data(), scene.mesh(first).positions.data());
  EXPECT_EQ(scene.mesh(third).triangles.data(), scene.mesh(first).triangles.data());
  ASSERT_EQ(scene.collide().pairs.size(), 1u);
  EXPECT_NEAR(*scene.collide().pairs[0].volume, 0.5, 0.01);

  scene.deform(second, box_mesh({0, 0, 0}, {10, 1, 1}).positions);
  EXPECT_EQ(scene.mesh(first).positions[7].x, unit_box().positions[7].x) << "the first stays as it was";
  EXPECT_EQ(scene.mesh(second).triangles.data(), scene.mesh(first).triangles.data());
  EXPECT_EQ(scene.collide().pairs.size(), 2u) << "the long box reaches the third";

  const ObjectId fourth = scene.add(second, at(0, 20, 0));
  EXPECT_TRUE(std::ranges::equal(scene.mesh(fourth).positions, scene.mesh(second).positions)) << "as it is now";
  scene.remove(second);
  EXPECT_EQ(scene.mesh(fourth).positions.size(), 8u) << "outlives the one it was made from";
  EXPECT_THAT(error_of([&] { scene.add(second); }), HasSubstr("no object 1"));
}

TEST(Scene, TheSameAnswerWhetherMeshesAreSharedOrNot) {
  const Mesh mesh = unit_box();
  const auto bits = [&](bool shared) {
    Scene scene;
    ObjectId first;
    for (int i = 0; i < 5; ++i) {
      const Transform pose{{0.3 * i, 0.1 * i, 0}, rotation_about({1, 2, 3}, 0.2 * i)};
      const ObjectId id = shared && i > 0 ? scene.add(first, pose) : scene.add(mesh, pose);
      if (i == 0) first = id;
    }
    return ResultBits(scene.collide());
  };
  EXPECT_EQ(bits(true), bits(false));
}

TEST(Scene, MorePairsInOnePlaceThanAllowedAreAnErrorAndTheSceneGoesOn) {
  Scene scene({.max_pairs = 100});
  std::vector<ObjectId> ids{scene.add(unit_box())};
  while (ids.size() < 15) ids.push_back(scene.add(ids[0]));
  EXPECT_THAT(error_of([&] { scene.collide(); }),
              AllOf(HasSubstr("more than 100 pairs of objects"),
                    HasSubstr("raise the limit (max_pairs, on the command line --max-pairs)")));
  for (std::size_t i = 2; i < ids.size(); ++i) scene.move(ids[i], at(10 * static_cast<double>(i), 0, 0));
  ASSERT_EQ(scene.collide().pairs.size(), 1u);
  EXPECT_EQ(scene.collide().pairs[0].b, ids[1]);
}

TEST(Scene, ThePairsOfManyObjectsInOnePlaceAreNotKept) {
  Scene scene;  // 50 million pairs
  const ObjectId first = scene.add(unit_box());
  for (int i = 1; i < 10'000; ++i) scene.add(first);
  EXPECT_THAT(error_of([&] { scene.collide(); }), HasSubstr("more than 2097152 pairs"));
}

TEST(Scene, MoreOverlapThanAllowedIsAnErrorAndTheSceneGoesOn) {
  Scene scene({.resolution = 16, .axis = Axis::z, .max_spans = 3 * 256});
  const ObjectId a = scene.add(unit_box());
  scene.add(a);
  scene.add(a);
  EXPECT_EQ(scene.collide().pairs.size(), 3u) << "three pairs on each ray are just allowed";
  const ObjectId d = scene.add(a);
  EXPECT_THAT(error_of([&] { scene.collide(); }),
              AllOf(HasSubstr("more than 768 intervals"),
                    HasSubstr("raise the limit (max_spans, on the command line --max-spans)")));
  scene.remove(d);
  EXPECT_EQ(scene.collide().pairs.size(), 3u);
}

}  // namespace
}  // namespace lamella
