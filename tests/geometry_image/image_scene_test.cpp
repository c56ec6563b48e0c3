#include "lamella/image_scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "geometry_image/shapes.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using namespace test;
using Ids = std::set<std::pair<ObjectId, ObjectId>>;

Ids colliding_pairs(const ImageSceneResult& result) {
  Ids ids;
  for (const ImageScenePair& pair : result.candidates)
    if (pair.verdict == Verdict::colliding) ids.insert({pair.a, pair.b});
  return ids;
}

std::shared_ptr<ImageBody> ball(unsigned seed, int n = 4) {
  return std::make_shared<ImageBody>(make_body({lumpy_ball(n, seed)}));
}

TEST(ImageSceneTest, TwoBallsThatOverlapAreAPair) {
  ImageScene scene;
  const ObjectId a = scene.add(ball(1)), b = scene.add(ball(2), {{1, 0, 0}, {}});
  const ImageSceneResult& result = scene.collide();
  ASSERT_EQ(result.candidates.size(), 1u);
  EXPECT_EQ(result.colliding_count, 1u);
  EXPECT_THAT(colliding_pairs(result), testing::ElementsAre(std::pair(a, b)));
  EXPECT_EQ(result.candidates[0].triangle_pair_count, 1u);
}

TEST(ImageSceneTest, AnEmptySceneHasNoPairs) {
  ImageScene scene;
  EXPECT_THAT(scene.collide().candidates, testing::IsEmpty());
}

TEST(ImageSceneTest, PairsAreThoseOfEveryBodyAgainstEveryOther) {
  std::mt19937 random(1);
  const std::shared_ptr<ImageBody> bodies[3] = {ball(1), ball(2, 3),
                                                std::make_shared<ImageBody>(make_body({hills(4, 1)}))};
  ImageScene scene({.collide = {.all = true}});
  std::vector<Transform> poses;
  for (unsigned i = 0; i < 24; ++i) {
    poses.push_back(random_pose(random, 4));
    ASSERT_EQ(scene.add(bodies[i % 3], poses.back()), ObjectId{i});
  }
  for (int frame = 0; frame < 10; ++frame) {
    for (unsigned i = 0; i < 24; ++i) {
      poses[i].translation = poses[i].translation + random_pose(random, 0.2).translation;
      scene.move({i}, poses[i]);
    }
    const ImageSceneResult& result = scene.collide();
    Ids expected;
    std::uint32_t triangles = 0;
    for (unsigned i = 0; i < 24; ++i)
      for (unsigned j = i + 1; j < 24; ++j) {
        const ImageCollision found = collide(*bodies[i % 3], poses[i], *bodies[j % 3], poses[j], {.all = true});
        if (!found.colliding()) continue;
        expected.insert({ObjectId{i}, ObjectId{j}});
        triangles += static_cast<std::uint32_t>(found.pairs.size());
      }
    ASSERT_EQ(colliding_pairs(result), expected) << "frame " << frame;
    EXPECT_EQ(result.triangle_pairs.size(), triangles);
    EXPECT_EQ(result.colliding_count, expected.size());
    EXPECT_GT(result.candidates.size(), expected.size()) << "some boxes overlap where bodies do not";
  }
}

/// What a scene says of a pair is what collide() says of its two bodies.
void expect_same(const ImageSceneResult& result, const ImageScenePair& pair, const ImageCollision& found) {
  EXPECT_EQ(pair.verdict, found.verdict);
  EXPECT_EQ(pair.complete, found.complete);
  EXPECT_EQ(pair.level, found.level);
  EXPECT_EQ(pair.position, found.position);
  EXPECT_EQ(pair.within, found.within);
  EXPECT_EQ(pair.enclosing, found.enclosing);
  EXPECT_THAT(result.triangle_pairs_of(pair), testing::ElementsAreArray(found.pairs));
}

TEST(ImageSceneTest, EveryFieldIsThatOfTwoBodiesWhateverTheOptions) {
  std::mt19937 random(6);
  const auto moved = [](GeometryImage image, Vec3 by) {
    for (Vec3& p : image.positions) p = p + by;
    return image;
  };
  const std::vector<GeometryImage> two{moved(lumpy_ball(3, 3, 0.4f), {-1, 0, 0}),
                                       moved(lumpy_ball(2, 4, 0.4f), {1, 0, 0})};
  const auto open = std::make_shared<ImageBody>(make_body({hills(3, 1)}, SphereFit::published));
  const auto pair_of = std::make_shared<ImageBody>(make_body(two));
  const auto coded = std::make_shared<CompactBody>(make_body({compacted(two[0]), compacted(two[1])}));
  ASSERT_GT(open->pyramids[0].open_quad_count(), 0u);
  for (const ImageCollideOptions& options :
       {ImageCollideOptions{}, ImageCollideOptions{.all = true, .walk = ImageWalk::zigzag},
        ImageCollideOptions{.all = true, .max_level = 2}, ImageCollideOptions{.max_tests = 60},
        ImageCollideOptions{.budget = std::chrono::nanoseconds(-1)}}) {
    ImageScene scene({.collide = options, .threads = 1});
    std::vector<Transform> poses;
    for (unsigned i = 0; i < 12; ++i) {
      poses.push_back(random_pose(random, 1.5));
      if (i % 3 == 0)
        (void)scene.add(open, poses.back());
      else if (i % 3 == 1)
        (void)scene.add(pair_of, poses.back());
      else
        (void)scene.add(coded, poses.back());
      EXPECT_EQ(scene.pose({i}).translation, poses.back().translation);
    }
    EXPECT_EQ(scene.size(), 12u);
    const auto body = [&](unsigned i) { return i % 3 == 0 ? BodyRef(*open) : i % 3 == 1 ? BodyRef(*pair_of) : *coded; };
    for (int repeat = 0; repeat < 2; ++repeat) {  // nothing of the first is left in the second
      const ImageSceneResult& result = scene.collide();
      ASSERT_GT(result.candidates.size(), 20u);
      std::uint64_t spheres = 0, triangles = 0;
      std::uint32_t colliding = 0;
      std::size_t first = 0;
      for (const ImageScenePair& pair : result.candidates) {
        const unsigned a = pair.a.number, b = pair.b.number;
        ASSERT_LT(a, b);
        const ImageCollision found = collide(body(a), poses[a], body(b), poses[b], options);
        EXPECT_EQ(pair.first_triangle_pair, first);
        expect_same(result, pair, found);
        first += found.pairs.size();
        spheres += found.sphere_test_count;
        triangles += found.triangle_test_count;
        colliding += found.colliding() ? 1 : 0;
      }
      EXPECT_EQ(result.sphere_test_count, spheres);
      EXPECT_EQ(result.triangle_test_count, triangles);
      EXPECT_EQ(result.colliding_count, colliding);
      EXPECT_EQ(result.colliding(), colliding != 0);
      EXPECT_EQ(result.triangle_pairs.size(), first);
      EXPECT_GT(result.ms.broad, 0);
      EXPECT_GT(result.ms.query, 0);
    }
  }
}

TEST(ImageSceneTest, CandidatesAreThePairsWhoseBoxesOverlap) {
  // Two far parts make a wide box, in either kind of body.
  const auto moved = [](GeometryImage image, float by) {
    for (Vec3& p : image.positions) p.x += by;
    return image;
  };
  const std::vector<GeometryImage> apart{moved(image_of_sphere(2), -10), moved(image_of_sphere(2), 10)};
  for (const bool compact : {false, true}) {
    ImageScene scene({.threads = 1});
    if (compact)
      (void)scene.add(std::make_shared<CompactBody>(make_body({compacted(apart[0]), compacted(apart[1])})));
    else
      (void)scene.add(std::make_shared<ImageBody>(make_body(apart)));
    const ObjectId small = scene.add(ball(1, 2));
    EXPECT_EQ(scene.collide().candidates.size(), 1u) << "in the gap";
    scene.move(small, {{-10, 0.5, 0}, {}});
    EXPECT_EQ(scene.collide().colliding_count, 1u);
    scene.move(small, {{10, 0.5, 0}, {}});
    EXPECT_EQ(scene.collide().colliding_count, 1u);
    scene.move(small, {{13, 0, 0}, {}});
    EXPECT_THAT(scene.collide().candidates, testing::IsEmpty());
  }
}

TEST(ImageSceneTest, TheShorterOfBothBudgetsHolds) {
  const auto near = [](float radius) {
    return std::make_shared<ImageBody>(make_body({image_of_sphere(4, {}, radius)}, SphereFit::fast));
  };
  const std::chrono::nanoseconds hour = std::chrono::hours(1), none(0), spent(-1), least(1);
  const auto verdict = [&](std::chrono::nanoseconds scene_budget, std::chrono::nanoseconds pair_budget) {
    ImageScene scene({.collide = {.budget = pair_budget}, .budget = scene_budget, .threads = 1});
    scene.add(near(1));
    scene.add(near(0.999f));
    const ImageSceneResult& result = scene.collide();
    EXPECT_EQ(result.candidates.size(), 1u);
    EXPECT_EQ(result.candidates[0].a, ObjectId{0});
    EXPECT_EQ(result.candidates[0].b, ObjectId{1});
    EXPECT_EQ(result.candidates[0].complete, result.candidates[0].verdict == Verdict::clear);
    return result.candidates[0].verdict;
  };
  EXPECT_EQ(verdict(none, none), Verdict::clear);
  EXPECT_EQ(verdict(hour, none), Verdict::clear);
  EXPECT_EQ(verdict(none, hour), Verdict::clear);
  EXPECT_EQ(verdict(hour, 2 * hour), Verdict::clear);
  EXPECT_EQ(verdict(2 * hour, hour), Verdict::clear);
  EXPECT_EQ(verdict(hour, least), Verdict::undecided) << "of a pair";
  EXPECT_EQ(verdict(none, least), Verdict::undecided) << "of a pair, and none of the scene";
  EXPECT_EQ(verdict(spent, hour), Verdict::undecided) << "of the scene";
  EXPECT_EQ(verdict(least, none), Verdict::undecided);
}

TEST(ImageSceneTest, WhatAPairHadInTheFrameBeforeIsNotLeftOver) {
  ImageScene scene({.collide = {.all = true}, .threads = 1});
  const ObjectId a = scene.add(ball(1));
  scene.add(ball(2), {{1, 0, 0}, {}});
  ASSERT_GT(scene.collide().triangle_pairs.size(), 1u);
  scene.move(a, {{-0.9, 1.1, 0.9}, {}});  // boxes overlap, bodies do not
  const ImageSceneResult& result = scene.collide();
  ASSERT_EQ(result.candidates.size(), 1u);
  EXPECT_EQ(result.candidates[0].verdict, Verdict::clear);
  EXPECT_EQ(result.candidates[0].triangle_pair_count, 0u);
  EXPECT_THAT(result.triangle_pairs, testing::IsEmpty());
  EXPECT_EQ(result.colliding_count, 0u);
}

TEST(ImageSceneTest, SameBitsForAnyNumberOfThreads) {
  std::mt19937 random(2);
  const std::shared_ptr<ImageBody> body = ball(5, 5);
  std::vector<Transform> poses;
  for (int i = 0; i < 60; ++i) poses.push_back(random_pose(random, 4));
  const auto answer = [&](unsigned threads) {
    ImageScene scene({.collide = {.all = true}, .threads = threads});
    for (const Transform& pose : poses) scene.add(body, pose);
    return scene.collide();
  };
  const ImageSceneResult one = answer(1), four = answer(4);
  EXPECT_GT(one.triangle_pairs.size(), 100u);
  EXPECT_EQ(one.triangle_pairs, four.triangle_pairs);
  EXPECT_EQ(one.sphere_test_count, four.sphere_test_count);
  ASSERT_EQ(one.candidates.size(), four.candidates.size());
  for (std::size_t i = 0; i < one.candidates.size(); ++i)
    EXPECT_EQ(one.candidates[i].position, four.candidates[i].position);
}

TEST(ImageSceneTest, FlatSheetsInOnePlaneAreAPair) {
  const auto sheet = std::make_shared<ImageBody>(make_body({hills(2, 1, 0)}));
  ImageScene scene;
  scene.add(sheet);
  scene.add(sheet, {{1, 0, 0}, {}});
  EXPECT_EQ(scene.collide().colliding_count, 1u);
}

TEST(ImageSceneTest, RemovedBodiesNoLongerCollide) {
  ImageScene scene;
  scene.add(ball(1));
  const ObjectId b = scene.add(ball(2), {{0.5, 0, 0}, {}});
  ASSERT_EQ(scene.collide().colliding_count, 1u);
  scene.remove(b);
  EXPECT_EQ(scene.size(), 1u);
  EXPECT_THAT(scene.collide().candidates, testing::IsEmpty());
  EXPECT_NE(scene.add(ball(3), {{0, 0.5, 0}, {}}), b) << "ids are not reused";
  EXPECT_EQ(scene.collide().colliding_count, 1u);
}

TEST(ImageSceneTest, PairsAscendByIdWhateverWasRemovedBefore) {
  ImageScene scene, fresh;
  std::mt19937 random(4);
  std::vector<ObjectId> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(scene.add(ball(9), {{20.0 * i, 50, 0}, {}}));
  for (const int i : {4, 1, 5, 0, 2, 3}) scene.remove(ids[static_cast<std::size_t>(i)]);
  for (unsigned i = 0; i < 12; ++i) {
    const Transform pose = random_pose(random, 1.5);
    EXPECT_EQ(scene.add(ball(i), pose).number, fresh.add(ball(i), pose).number + 6);
  }
  const ImageSceneResult &found = scene.collide(), &expected = fresh.collide();
  ASSERT_GT(expected.colliding_count, 10u);
  ASSERT_EQ(found.candidates.size(), expected.candidates.size());
  for (std::size_t i = 0; i < found.candidates.size(); ++i) {
    const ImageScenePair &p = found.candidates[i], &q = expected.candidates[i];
    EXPECT_EQ(std::pair(p.a.number, p.b.number), std::pair(q.a.number + 6, q.b.number + 6));
    EXPECT_EQ(p.position, q.position);
    EXPECT_THAT(found.triangle_pairs_of(p), testing::ElementsAreArray(expected.triangle_pairs_of(q)));
  }
}

TEST(ImageSceneTest, ADeformedBodyIsLookedAtAgain) {
  ImageScene scene;
  const std::shared_ptr<ImageBody> body = ball(1);
  const ObjectId a = scene.add(body);
  scene.add(ball(2), {{5, 0, 0}, {}});
  ASSERT_THAT(scene.collide().candidates, testing::IsEmpty());
  for (Vec3& p : body->images[0].positions) p.x *= 6;
  refit(*body);
  scene.deformed(a);
  EXPECT_EQ(scene.collide().colliding_count, 1u);
}

TEST(ImageSceneTest, MisuseIsAnErrorAndLeavesTheSceneAsItWas) {
  ImageScene scene;
  const ObjectId a = scene.add(ball(1)), b = scene.add(ball(2), {{0.5, 0, 0}, {}});
  EXPECT_THROW(scene.add(std::shared_ptr<const ImageBody>()), Error);
  EXPECT_THROW(scene.move(a, {{std::nan(""), 0, 0}, {}}), Error);
  EXPECT_THROW(scene.move(a, {{}, {0, 0, 0, 2}}), Error);
  EXPECT_THROW(scene.remove({77}), Error);
  try {
    scene.remove({77});
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "this scene has no object 77: it was removed, or added to another");
  }
  ImageBody bad = *ball(1);
  bad.pyramids.clear();
  EXPECT_THROW(scene.add(std::make_shared<ImageBody>(bad)), Error);
  EXPECT_THROW(scene.add(ball(1), {{std::nan(""), 0, 0}, {}}), Error);
  EXPECT_EQ(scene.collide().colliding_count, 1u);
  scene.remove(b);
  EXPECT_THROW(scene.remove(b), Error);
  EXPECT_THROW(scene.deformed(b), Error);
  EXPECT_THROW(scene.move(b, {}), Error);
  EXPECT_THROW((void)scene.pose(b), Error);
  const ObjectId c = scene.add(ball(3)), d = scene.add(ball(4));
  EXPECT_NE(c, d);
  EXPECT_EQ(scene.collide().colliding_count, 3u);
}

TEST(ImageSceneTest, AfterItsTimeNoPairIsSearched) {
  std::mt19937 random(3);
  const std::shared_ptr<ImageBody> body = ball(5, 5);
  ImageScene scene({.budget = std::chrono::nanoseconds(1)});
  for (int i = 0; i < 60; ++i) scene.add(body, random_pose(random, 3));
  const ImageSceneResult& result = scene.collide();
  ASSERT_GT(result.candidates.size(), 50u);
  EXPECT_EQ(result.sphere_test_count, 0u);
  for (const ImageScenePair& pair : result.candidates) {
    EXPECT_EQ(pair.verdict, Verdict::undecided);
    EXPECT_FALSE(pair.complete);
    EXPECT_EQ(pair.within, std::numeric_limits<double>::infinity());
    EXPECT_LT(pair.a, pair.b);
    EXPECT_EQ(pair.level, -1);
    EXPECT_EQ(pair.triangle_pair_count, 0u);
  }
  EXPECT_EQ(result.triangle_test_count, 0u);
  EXPECT_THAT(result.triangle_pairs, testing::IsEmpty());
}

TEST(ImageSceneTest, WithoutTimePairsAreUndecidedNotLost) {
  const auto near = [](float radius) {
    return std::make_shared<ImageBody>(make_body({image_of_sphere(9, {}, radius)}));
  };
  ImageScene scene({.budget = std::chrono::nanoseconds(1), .threads = 1});
  scene.add(near(1));
  scene.add(near(0.999f));
  const ImageSceneResult& result = scene.collide();
  ASSERT_EQ(result.candidates.size(), 1u);
  EXPECT_EQ(result.candidates[0].verdict, Verdict::undecided);
}

}  // namespace
}  // namespace lamella
