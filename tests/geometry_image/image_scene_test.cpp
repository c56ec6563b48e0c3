#include "lamella/image_scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "geometry_image/shapes.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace test;
using Ids = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Ids colliding_pairs(const ImageSceneResult& result) {
  Ids ids;
  for (const ImageScenePair& pair : result.active)
    if (pair.verdict == Verdict::colliding) ids.insert({pair.first, pair.second});
  return ids;
}

std::shared_ptr<ImageBody> ball(unsigned seed, int n = 4) {
  return std::make_shared<ImageBody>(make_body({lumpy_ball(n, seed)}));
}

TEST(ImageSceneTest, TwoBallsThatOverlapAreAPair) {
  ImageScene scene;
  const std::uint32_t a = scene.add(ball(1)), b = scene.add(ball(2), {{1, 0, 0}, {}});
  const ImageSceneResult& result = scene.update();
  ASSERT_EQ(result.active.size(), 1u);
  EXPECT_EQ(result.colliding, 1u);
  EXPECT_THAT(colliding_pairs(result), testing::ElementsAre(std::pair(a, b)));
  EXPECT_EQ(result.active[0].pairs_end - result.active[0].pairs_begin, 1u);
}

TEST(ImageSceneTest, AnEmptySceneHasNoPairs) {
  ImageScene scene;
  EXPECT_THAT(scene.update().active, testing::IsEmpty());
}

TEST(ImageSceneTest, PairsAreThoseOfEveryBodyAgainstEveryOther) {
  std::mt19937 random(1);
  const std::shared_ptr<ImageBody> bodies[3] = {ball(1), ball(2, 3),
                                                std::make_shared<ImageBody>(make_body({hills(4, 1)}))};
  ImageScene scene({.collide = {.all = true}});
  std::vector<Transform> poses;
  for (unsigned i = 0; i < 24; ++i) {
    poses.push_back(random_pose(random, 4));
    ASSERT_EQ(scene.add(bodies[i % 3], poses.back()), i);
  }
  for (int frame = 0; frame < 10; ++frame) {
    for (unsigned i = 0; i < 24; ++i) {
      poses[i].translation = poses[i].translation + random_pose(random, 0.2).translation;
      scene.set_pose(i, poses[i]);
    }
    const ImageSceneResult& result = scene.update();
    Ids expected;
    std::uint32_t triangles = 0;
    for (unsigned i = 0; i < 24; ++i)
      for (unsigned j = i + 1; j < 24; ++j) {
        const ImageCollision found = collide(*bodies[i % 3], poses[i], *bodies[j % 3], poses[j], {.all = true});
        if (!found.colliding()) continue;
        expected.insert({i, j});
        triangles += static_cast<std::uint32_t>(found.pairs.size());
      }
    ASSERT_EQ(colliding_pairs(result), expected) << "frame " << frame;
    EXPECT_EQ(result.pairs.size(), triangles);
    EXPECT_EQ(result.colliding, expected.size());
    EXPECT_GT(result.active.size(), expected.size()) << "some boxes overlap where bodies do not";
  }
}

TEST(ImageSceneTest, SameBitsForAnyNumberOfThreads) {
  std::mt19937 random(2);
  const std::shared_ptr<ImageBody> body = ball(5, 5);
  std::vector<Transform> poses;
  for (int i = 0; i < 60; ++i) poses.push_back(random_pose(random, 4));
  const auto answer = [&](unsigned threads) {
    ImageScene scene({.collide = {.all = true}, .threads = threads});
    for (const Transform& pose : poses) scene.add(body, pose);
    return scene.update();
  };
  const ImageSceneResult one = answer(1), four = answer(4);
  EXPECT_GT(one.pairs.size(), 100u);
  EXPECT_EQ(one.pairs, four.pairs);
  EXPECT_EQ(one.sphere_tests, four.sphere_tests);
  ASSERT_EQ(one.active.size(), four.active.size());
  for (std::size_t i = 0; i < one.active.size(); ++i) EXPECT_EQ(one.active[i].place, four.active[i].place);
}

TEST(ImageSceneTest, FlatSheetsInOnePlaneAreAPair) {
  const auto sheet = std::make_shared<ImageBody>(make_body({hills(2, 1, 0)}));
  ImageScene scene;
  scene.add(sheet);
  scene.add(sheet, {{1, 0, 0}, {}});
  EXPECT_EQ(scene.update().colliding, 1u);
}

TEST(ImageSceneTest, RemovedBodiesNoLongerCollide) {
  ImageScene scene;
  scene.add(ball(1));
  const std::uint32_t b = scene.add(ball(2), {{0.5, 0, 0}, {}});
  ASSERT_EQ(scene.update().colliding, 1u);
  scene.remove(b);
  EXPECT_THAT(scene.update().active, testing::IsEmpty());
  EXPECT_EQ(scene.add(ball(3), {{0, 0.5, 0}, {}}), b) << "ids are reused";
  EXPECT_EQ(scene.update().colliding, 1u);
}

TEST(ImageSceneTest, ADeformedBodyIsLookedAtAgain) {
  ImageScene scene;
  const std::shared_ptr<ImageBody> body = ball(1);
  const std::uint32_t a = scene.add(body);
  scene.add(ball(2), {{5, 0, 0}, {}});
  ASSERT_THAT(scene.update().active, testing::IsEmpty());
  for (Vec3& p : body->images[0].positions) p.x *= 6;
  refit(*body);
  scene.moved(a);
  EXPECT_EQ(scene.update().colliding, 1u);
}

TEST(ImageSceneTest, MisuseIsAnErrorAndLeavesTheSceneAsItWas) {
  ImageScene scene;
  const std::uint32_t a = scene.add(ball(1)), b = scene.add(ball(2), {{0.5, 0, 0}, {}});
  EXPECT_THROW(scene.add(nullptr), Error);
  EXPECT_THROW(scene.set_pose(a, {{std::nan(""), 0, 0}, {}}), Error);
  EXPECT_THROW(scene.set_pose(a, {{}, {0, 0, 0, 2}}), Error);
  EXPECT_THROW(scene.remove(77), Error);
  EXPECT_EQ(scene.update().colliding, 1u);
  scene.remove(b);
  EXPECT_THROW(scene.remove(b), Error);
  EXPECT_THROW(scene.moved(b), Error);
  EXPECT_THROW(scene.set_pose(b, {}), Error);
  EXPECT_THROW((void)scene.pose(b), Error);
  const std::uint32_t c = scene.add(ball(3)), d = scene.add(ball(4));
  EXPECT_NE(c, d);
  EXPECT_EQ(scene.update().colliding, 3u);
}

TEST(ImageSceneTest, AfterItsTimeNoPairIsSearched) {
  std::mt19937 random(3);
  const std::shared_ptr<ImageBody> body = ball(5, 5);
  ImageScene scene({.budget = std::chrono::nanoseconds(1)});
  for (int i = 0; i < 60; ++i) scene.add(body, random_pose(random, 3));
  const ImageSceneResult& result = scene.update();
  ASSERT_GT(result.active.size(), 50u);
  EXPECT_EQ(result.sphere_tests, 0u);
  for (const ImageScenePair& pair : result.active) {
    EXPECT_EQ(pair.verdict, Verdict::undecided);
    EXPECT_FALSE(pair.complete);
    EXPECT_EQ(pair.within, std::numeric_limits<double>::infinity());
  }
}

TEST(ImageSceneTest, WithoutTimePairsAreUndecidedNotLost) {
  const auto near = [](float radius) {
    return std::make_shared<ImageBody>(make_body({image_of_sphere(9, {}, radius)}));
  };
  ImageScene scene({.budget = std::chrono::nanoseconds(1), .threads = 1});
  scene.add(near(1));
  scene.add(near(0.999f));
  const ImageSceneResult& result = scene.update();
  ASSERT_EQ(result.active.size(), 1u);
  EXPECT_EQ(result.active[0].verdict, Verdict::undecided);
}

}  // namespace
}  // namespace lamella
