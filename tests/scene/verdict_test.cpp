// What a scene says of pairs of which it cannot be sure.

#include <gtest/gtest.h>

#include "lamella/error.hpp"
#include "lamella/scene.hpp"
#include "scene/random_scenes.hpp"

namespace lamella {
namespace {

using test::box_mesh;

Transform at(double x, double y, double z) { return {{x, y, z}, {}}; }
Mesh unit_box() { return box_mesh({0, 0, 0}, {1, 1, 1}); }
Mesh reversed(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  return mesh;
}

TEST(SceneVerdict, IsClearOrCollidingForCleanObjects) {
  Scene scene;
  EXPECT_EQ(scene.collide().verdict, Verdict::clear);
  (void)scene.add(unit_box());
  const ObjectId other = scene.add(unit_box(), at(2, 0, 0));
  EXPECT_EQ(scene.collide().verdict, Verdict::clear);
  scene.move(other, at(0.5, 0.25, 0.125));
  EXPECT_EQ(scene.collide().verdict, Verdict::colliding);
  EXPECT_TRUE(scene.collide().undecided.empty());
}

TEST(SceneVerdict, OfAnObjectThatIsInsideOutIsUndecidedAndNamesIt) {
  Scene scene;
  (void)scene.add(unit_box(), at(10, 0, 0));
  const ObjectId sound = scene.add(unit_box());
  const ObjectId turned = scene.add(reversed(unit_box()), at(0.5, 0.5, 0.5));
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.verdict, Verdict::undecided);
  EXPECT_FALSE(r.colliding());
  ASSERT_EQ(r.undecided.size(), 1u);
  EXPECT_EQ(r.undecided[0].a, sound);
  EXPECT_EQ(r.undecided[0].b, turned);
  EXPECT_EQ(r.undecided[0].doubt.cause, Doubt::Cause::inside_out);
  EXPECT_EQ(r.undecided[0].doubt.mesh, 1);
  EXPECT_GT(r.undecided[0].doubt.count, 0u);
  EXPECT_FALSE(r.health.ok());
  ASSERT_EQ(r.defects.size(), 1u);
  EXPECT_EQ(r.defects[0].object, turned);
  EXPECT_GT(r.defects[0].inside_out_columns, 0u);
}

TEST(SceneVerdict, WithAnotherPairThatCollidesIsCollidingAndTheDoubtfulPairIsListedApart) {
  Scene scene;
  (void)scene.add(unit_box());
  (void)scene.add(reversed(unit_box()), at(0.5, 0.5, 0.5));
  (void)scene.add(unit_box(), at(10, 0, 0));
  (void)scene.add(unit_box(), at(10.5, 0.5, 0.5));
  const SceneResult& r = scene.collide();
  EXPECT_EQ(r.verdict, Verdict::colliding);
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_EQ(r.pairs[0].a.number, 2u);
  ASSERT_EQ(r.undecided.size(), 1u);
  EXPECT_EQ(r.undecided[0].b.number, 1u);
}

TEST(SceneVerdict, OfAnObjectWithBrokenVerticesIsUndecidedUnlessItCollidesForCertain) {
  Mesh broken = box_mesh({0, 0, 0}, {1, 0.2f, 1});
  test::append(broken, box_mesh({0, 0.2f, 0}, {0.2f, 1, 1}));
  broken.triangles.push_back({0, 1, static_cast<std::uint32_t>(broken.positions.size())});
  broken.positions.push_back({NAN, 0, 0});
  Scene scene;
  const ObjectId other = scene.add(box_mesh({0, 0, 0}, {0.3f, 0.3f, 0.3f}), at(0.6, 0.6, 0.3));
  (void)scene.add(broken);
  const SceneResult& r = scene.collide();
  ASSERT_EQ(r.candidate_count, 1u) << "in the corner of an L";
  EXPECT_EQ(r.verdict, Verdict::undecided);
  ASSERT_EQ(r.undecided.size(), 1u);
  EXPECT_EQ(r.undecided[0].doubt, (Doubt{Doubt::Cause::skipped_triangles, 1, 1}));
  scene.move(other, at(0.1, 0.6, 0.3));
  EXPECT_EQ(scene.collide().verdict, Verdict::colliding);
}

TEST(SceneVerdict, OfTurnedBoxesThatTouchIsNotColliding) {
  int undecided = 0, clear = 0;
  test::Random random(8);
  for (int n = 0; n < 40; ++n) {
    const Quaternion turn = test::random_rotation(random);
    Scene scene({.resolution = 64});
    (void)scene.add(unit_box(), {{}, turn});
    (void)scene.add(unit_box(), {rotate(turn, {1, 0.3, 0.4}), turn});
    const SceneResult& r = scene.collide();
    EXPECT_NE(r.verdict, Verdict::colliding) << n;
    EXPECT_EQ(r.undecided.empty(), r.verdict == Verdict::clear);
    for (const SceneDoubt& d : r.undecided) EXPECT_EQ(d.doubt.cause, Doubt::Cause::touching);
    EXPECT_EQ(r.health.uncertain_spans != 0, !r.undecided.empty());
    ++(r.undecided.empty() ? clear : undecided);
  }
  EXPECT_EQ(clear + undecided, 40);
}

TEST(SceneVerdict, OfBoxesThatOverlapByAHairIsColliding) {
  test::Random random(9);
  for (int n = 0; n < 40; ++n) {
    const Quaternion turn = test::random_rotation(random);
    Scene scene({.resolution = 64});
    (void)scene.add(unit_box(), {{}, turn});
    (void)scene.add(unit_box(), {rotate(turn, {0.999, 0.3, 0.4}), turn});
    EXPECT_EQ(scene.collide().verdict, Verdict::colliding) << n;
  }
}

TEST(SceneVerdict, StrictMakesUndecidedAnErrorThatNamesTheObjectsAndTheRemedy) {
  Scene scene({.strict = true});
  (void)scene.add(unit_box());
  (void)scene.add(reversed(unit_box()), at(0.5, 0.5, 0.5));
  try {
    (void)scene.collide();
    FAIL() << "no Error";
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_NE(message.find("object 0 and object 1"), std::string::npos) << message;
    EXPECT_NE(message.find("repair"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace lamella
