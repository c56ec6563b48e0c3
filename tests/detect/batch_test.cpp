#include "lamella/batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/placement.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/scenes.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

/// `overlap` as a batch tells it, to the bit.
void expect_answer(const PairOverlap& got, const Overlap& overlap) {
  EXPECT_EQ(got.grid, overlap.grid);
  EXPECT_EQ(got.volume, overlap.volume);
  EXPECT_EQ(got.volume_error, overlap.volume_error);
  EXPECT_EQ(got.volume_error > 0, got.volume > 0);
  EXPECT_EQ(got.centroid, overlap.centroid);
  EXPECT_EQ(got.span_count, overlap.spans.size());
  EXPECT_EQ(got.colliding(), overlap.colliding());
  EXPECT_EQ(got.health.open_columns, overlap.health.open_columns);
  EXPECT_EQ(got.health.occupied_columns, overlap.health.occupied_columns);
  EXPECT_EQ(got.health.inside_out_columns, overlap.health.inside_out_columns);
  EXPECT_EQ(got.health.skipped_triangles, overlap.health.skipped_triangles);
  EXPECT_EQ(got.health.untrusted_volume, overlap.health.untrusted_volume);
}

Mesh placed(const Mesh& mesh, const Transform& pose) { return is_identity(pose) ? mesh : transformed(mesh, pose); }

TEST(Batch, TwoBoxesThatShareAnEighth) {
  Batch batch({.resolution = 16});
  const ObjectId box = batch.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const BatchPair pair{box, box, {}, {{0.5, 0.5, 0.5}, {}}};
  const auto answers = batch.intersect({&pair, 1});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NEAR(answers[0].volume, 0.125, 1e-6);
  EXPECT_EQ(answers[0].span_count, 256u);
}

class BatchThreads : public testing::TestWithParam<unsigned> {};

TEST_P(BatchThreads, EveryPairIsAnsweredAsIntersectAnswersThePlacedMeshes) {
  const Options options{.engine = "software", .resolution = 48, .threads = GetParam()};
  Mesh broken = scenes::sphere(300);
  broken.positions[7].z = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Mesh> meshes{scenes::sphere(1000), scenes::torus_knot(3000), scenes::hand(2000), broken, Mesh{}};
  Batch batch(options);
  for (const Mesh& m : meshes) batch.add(m);
  EXPECT_EQ(batch.mesh_count(), meshes.size());
  test::Random random(5);
  std::vector<BatchPair> pairs(60);
  const auto pose = [&] {
    const Vec3 t = random.in({{-1.2f, -1.2f, -1.2f}, {1.2f, 1.2f, 1.2f}});
    return random.below(3) == 0 ? Transform{}
                                : Transform{to_double(t), rotation_about({1, 0.5, t.x}, random.uniform(-3, 3))};
  };
  for (BatchPair& p : pairs) p = {{random.below(5)}, {random.below(5)}, pose(), pose()};
  const auto answers = batch.intersect(pairs);
  ASSERT_EQ(answers.size(), pairs.size());
  std::size_t colliding = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SCOPED_TRACE(i);
    const BatchPair& p = pairs[i];
    expect_answer(answers[i],
                  intersect(placed(meshes[p.a.number], p.pose_a), placed(meshes[p.b.number], p.pose_b), options));
    colliding += answers[i].colliding() ? 1 : 0;
  }
  EXPECT_GT(colliding, 10u);
  EXPECT_LT(colliding, pairs.size());
}
INSTANTIATE_TEST_SUITE_P(Threads, BatchThreads, testing::Values(1u, 2u, 5u));

TEST(Batch, PairsThatAreApartAreAnsweredAsIntersectAnswersThem) {
  // From well inside each other to far apart, also with a quaternion that is not quite of length 1, which stretches the
  // mesh.
  const Options options{.engine = "software", .resolution = 16};
  const std::vector<Mesh> meshes{scenes::sphere(400), test::box_mesh({-1, -0.1f, -0.1f}, {1, 0.1f, 0.1f})};
  Batch batch(options);
  for (const Mesh& m : meshes) batch.add(m);
  test::Random random(8);
  std::vector<BatchPair> pairs(400);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    BatchPair& p = pairs[i];
    p = {{random.below(2)}, {random.below(2)}, {}, {}};
    const Vec3 axis = random.in({{-1, -1, -1}, {1, 1, 1}});
    p.pose_b.rotation = rotation_about(to_double(axis), random.uniform(-3, 3));
    if (i % 4 == 0) {
      Quaternion& q = p.pose_b.rotation;
      q = {q.x * 1.0004, q.y * 1.0004, q.z * 1.0004, q.w * 1.0004};
    }
    p.pose_b.translation = to_double(random.in({{-3, -3, -3}, {3, 3, 3}}));
  }
  const auto answers = batch.intersect(pairs);
  std::size_t apart = 0, colliding = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SCOPED_TRACE(i);
    const BatchPair& p = pairs[i];
    const Overlap expected =
        intersect(placed(meshes[p.a.number], p.pose_a), placed(meshes[p.b.number], p.pose_b), options);
    expect_answer(answers[i], expected);
    EXPECT_EQ(answers[i].verdict, expected.verdict);
    apart += answers[i].grid.column_count() == 0 ? 1 : 0;
    colliding += answers[i].colliding() ? 1 : 0;
  }
  EXPECT_GT(apart, 100u);
  EXPECT_GT(colliding, 20u);
}

TEST(Batch, MeshesAreCopiedAndTheirVerticesCanMove) {
  Batch batch({.engine = "software", .resolution = 32});
  Mesh ball = scenes::sphere(500);
  batch.add(ball);
  const BatchPair pair{};
  const double volume = batch.intersect({&pair, 1})[0].volume;
  for (Vec3& p : ball.positions) p = p * 0.5f;
  EXPECT_EQ(batch.intersect({&pair, 1})[0].volume, volume) << "the caller's array is not looked at again";
  batch.deform({0}, ball.positions);
  EXPECT_NEAR(batch.intersect({&pair, 1})[0].volume, volume / 8, 1e-3 * volume);
}

TEST(Batch, NoPairsHaveNoAnswers) {
  Batch batch({.engine = "software"});
  EXPECT_TRUE(batch.intersect({}).empty());
  batch.add(scenes::sphere(100));
  EXPECT_TRUE(batch.intersect({}).empty());
}

TEST(Batch, WhatCannotBeIsAnErrorAndTheBatchGoesOn) {
  Batch batch({.engine = "software", .resolution = 16});
  const Mesh ball = scenes::sphere(200);
  Mesh bad = ball;
  bad.triangles[5].c = 100000;
  EXPECT_THROW(batch.add(bad), Error);
  EXPECT_EQ(batch.mesh_count(), 0u);
  const ObjectId id = batch.add(ball), unknown{id.number + 1};
  EXPECT_THROW(batch.deform(id, std::span(ball.positions).first(3)), Error);
  EXPECT_THROW(batch.deform(unknown, ball.positions), Error);
  const auto run = [&](const BatchPair& pair) { return batch.intersect({&pair, 1})[0].colliding(); };
  EXPECT_THROW(run({id, unknown, {}, {}}), Error);
  EXPECT_THROW(run({unknown, id, {}, {}}), Error);
  EXPECT_THROW(run({id, id, {}, {{}, {0, 0, 0, 2}}}), Error) << "no rotation";
  EXPECT_THROW(run({id, id, {{std::numeric_limits<double>::quiet_NaN(), 0, 0}, {}}, {}}), Error);
  EXPECT_TRUE(run({id, id, {}, {}}));
}

TEST(Batch, APairThatCannotBeIsNamed) {
  Batch batch({.engine = "software", .resolution = 16});
  batch.add(scenes::sphere(200));
  const auto message = [&](const BatchPair& wrong) -> std::string {
    const std::vector<BatchPair> pairs{{}, {}, wrong, {}};
    try {
      (void)batch.intersect(pairs);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(message({0, 7, {}, {}}), testing::AllOf(testing::HasSubstr("pair 2"), testing::HasSubstr("mesh 7")));
  EXPECT_THAT(message({0, 0, {}, {{}, {0, 0, 0, 2}}}), testing::HasSubstr("pair 2"));
  EXPECT_EQ(message({}), "");
}

TEST(Batch, ADeviceThatIsNotThereIsTheErrorOfADetector) {
  const auto message = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const Options options{.device = 1000};
  const std::string expected = message([&] { Detector detector(options); });
  EXPECT_NE(expected, "");
  EXPECT_EQ(message([&] { Batch batch(options); }), expected);
}

TEST(Batch, EnginesThatMakeNoneAndResolutionsThatAreNoneAreErrors) {
  EXPECT_THROW(Batch({.engine = "reference"}), Error);
  EXPECT_THROW(Batch({.engine = "nonsense"}), Error);
  EXPECT_THROW(Batch({.engine = "software", .resolution = 0}), Error);
  EXPECT_THROW(Batch({.engine = "software", .resolution = kMaxResolution + 1}), Error);
}

TEST(Batch, AStrictBatchNamesThePairThatIsNotHealthy) {
  Batch batch({.engine = "software", .resolution = 32, .strict = true});
  Mesh holed = scenes::sphere(200);
  batch.add(holed);
  holed.triangles.resize(150);
  batch.add(holed);
  const std::vector<BatchPair> pairs{{0, 0, {}, {}}, {0, 1, {}, {}}};
  EXPECT_NO_THROW(batch.intersect(std::span(pairs).first(1)));
  try {
    (void)batch.intersect(pairs);
    FAIL() << "an open mesh went unnoticed";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::AllOf(testing::HasSubstr("pair 1"), testing::HasSubstr("strict")));
  }
}

TEST(Batch, MaxCrossingsHoldForEveryPair) {
  Batch batch({.engine = "software", .resolution = 64, .max_crossings = 1000});
  batch.add(scenes::sphere(500));
  const BatchPair pair{};
  EXPECT_THROW(batch.intersect({&pair, 1}), Error);
}

/// The first takes long to fail, so that with several threads others fail before it.
TEST(Batch, TheFirstPairThatFailsIsNamedForAnyNumberOfThreads) {
  std::vector<BatchPair> pairs(64, BatchPair{1, 1, {}, {}});
  pairs[0] = pairs[1] = {0, 0, {}, {}};
  for (const std::size_t first : {0u, 1u, 2u}) {
    if (first > 0) pairs[first - 1] = {2, 2, {}, {}};
    for (const unsigned threads : {1u, 2u, 8u}) {
      Batch batch({.engine = "software", .resolution = 64, .threads = threads, .max_crossings = 1000});
      batch.add(scenes::sphere(300'000));
      batch.add(scenes::sphere(100));
      batch.add({});
      const std::string message = test::error_of([&] { (void)batch.intersect(pairs); }).what();
      EXPECT_THAT(message, testing::HasSubstr("pair " + std::to_string(first) + " ")) << threads << " threads";
    }
  }
}

TEST(Batch, CanBeMoved) {
  Batch a({.engine = "software", .resolution = 16});
  a.add(scenes::sphere(200));
  Batch b = std::move(a);
  const BatchPair pair{};
  EXPECT_TRUE(b.intersect({&pair, 1})[0].colliding());
  EXPECT_EQ(b.options().resolution, 16u);
}

TEST(Batch, MeshesInDoublesArePlacedFromTheirDoubles) {
  constexpr double kMore = 3e-8;  // on a side of 1: less than floats there hold
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  std::vector<Vec3d> near, far;
  for (const Vec3& p : box.positions) {
    near.push_back(to_double(p) * (1 + kMore));
    far.push_back(near.back() + Vec3d{1000, 0, 0});
  }
  const auto view = [&](const std::vector<Vec3d>& wide) {
    return MeshView{.positions = {}, .triangles = box.triangles, .wide = wide};
  };
  Batch batch({.engine = "software", .resolution = 16});
  const ObjectId a = batch.add(view(near)), b = batch.add(view(far));
  constexpr double kFilm = 1e-5;
  const BatchPair pairs[] = {{a, a, {}, {{1 - kFilm, 0, 0}, {}}}, {a, b, {}, {{1 - kFilm - 1000, 0, 0}, {}}}};
  for (const PairOverlap& o : batch.intersect(pairs)) EXPECT_NEAR(o.volume, kFilm + kMore, 1e-11);
  batch.deform(a, box.positions);  // floats from now on
  EXPECT_NEAR(batch.intersect({pairs, 1})[0].volume, kFilm, 1e-11);
}

TEST(Batch, NewPositionsOfAMeshInDoublesAreWhereTheOldOnesWere) {
  const Mesh box = test::box_mesh({1000, 0, 0}, {1001, 1, 1}), moved = test::box_mesh({1000.5f, 0, 0}, {1001.5f, 1, 1});
  std::vector<Vec3d> wide;
  for (const Vec3& p : box.positions) wide.push_back(to_double(p));
  for (const Vec3d origin : {Vec3d{}, Vec3d{7, 8, 9}}) {
    Batch batch({.engine = "software", .resolution = 16});
    const ObjectId a = batch.add({.positions = {}, .triangles = box.triangles, .origin = origin, .wide = wide});
    const ObjectId b = batch.add({.positions = box.positions, .triangles = box.triangles, .origin = origin});
    const BatchPair pair{a, b, {}, {}};
    EXPECT_NEAR(batch.intersect({&pair, 1})[0].volume, 1, 1e-6);
    batch.deform(a, moved.positions);
    EXPECT_NEAR(batch.intersect({&pair, 1})[0].volume, 0.5, 1e-6);
  }
}

TEST(Batch, ABrokenVertexDoesNotTakeDoublesAway) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  std::vector<Vec3d> wide{{std::nan(""), 0.1, 0.2}};  // which no triangle uses
  for (const Vec3& p : box.positions) wide.push_back(to_double(p) * (1 + 3e-8) + Vec3d{1000, 0, 0});
  std::vector<Triangle> triangles;
  for (const Triangle& t : box.triangles) triangles.push_back({t.a + 1, t.b + 1, t.c + 1});
  Batch batch({.engine = "software", .resolution = 16});
  const ObjectId a = batch.add({.positions = {}, .triangles = triangles, .wide = wide});
  constexpr double kFilm = 1e-5;
  const BatchPair pair{a, a, {}, {{1 - kFilm, 0, 0}, {}}};
  EXPECT_NEAR(batch.intersect({&pair, 1})[0].volume, kFilm + 3e-8, 1e-11);
}

}  // namespace
}  // namespace lamella
