// What a batch on the GPU answers is what the CPU answers.

#include "batch_fixture.hpp"
#include "lamella/query.hpp"

namespace lamella {
namespace {

using namespace batches;

TEST_F(Batches, TwoBoxesThatShareAnEighth) {
  Batch batch({.engine = "cuda", .resolution = 16});
  const ObjectId box = batch.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const BatchPair pair{box, box, {}, {{0.5, 0.5, 0.5}, {}}};
  const auto answers = batch.intersect({&pair, 1});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NEAR(answers[0].volume, 0.125, 1e-6);
  EXPECT_NEAR(answers[0].centroid.x, 0.75, 1e-6);
  EXPECT_EQ(answers[0].span_count, 256u);
  EXPECT_TRUE(answers[0].health.ok());
}

TEST_F(Batches, EdgesThroughSamplesInBoxesThatReachOutOfTheImage) {
  for (const std::uint32_t resolution : {1u, 2u, 4u, 6u, 8u, 16u}) {
    Both both({.resolution = resolution, .axis = Axis::z});
    Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
    box.triangles[0] = {0, 2, 3};  // another diagonal than the opposite face's: a sample on it twice shows
    box.triangles[1] = {0, 3, 1};
    both.add(box);
    std::vector<BatchPair> pairs;
    for (const double x : {-0.5, -0.25, 0.0, 0.25, 0.5})
      for (const double y : {-0.5, -0.25, 0.25, 0.5}) pairs.push_back({0, 0, {}, {{x, y, 0.125}, {}}});
    EXPECT_EQ(both.compare(pairs), pairs.size());
    for (const PairOverlap& answer : both.cuda.intersect(pairs)) EXPECT_EQ(answer.span_count, resolution * resolution);
  }
}

/// A single triangle well within its mesh's box, which two further vertices make.
TEST_F(Batches, OneTriangleOfAnySizeIsAnsweredLikeOnTheCpu) {
  Options options{.resolution = 20, .axis = Axis::z};
  options.close_holes = false;
  Both both(options);
  both.add(test::box_mesh({-1, -1, -1}, {21, 21, 1}));
  std::vector<BatchPair> pairs;
  for (std::uint32_t width = 1; width < 19; ++width)
    for (const std::uint32_t height : {1u, 4u, width}) {
      const float right = 1 + static_cast<float>(width), top = 1 + static_cast<float>(height);
      both.add(Mesh{{{0, 0, -0.5f}, {20, 20, 0.5f}, {1, 1, 0}, {right, 1, 0.1f}, {1, top, 0.2f}}, {{2, 3, 4}}});
      const auto mesh = static_cast<std::uint32_t>(both.cuda.mesh_count() - 1);
      pairs.push_back({0, mesh, {}, {}});
      pairs.push_back({mesh, 0, {}, {}});
    }
  both.compare(pairs);
  EXPECT_EQ(both.cuda.intersect(pairs).back().health.open_columns, 18u * 17 / 2)
      << "samples on the long edge are outside";
}

TEST_F(Batches, ModelsAtRandomPosesAreAnsweredLikeOnTheCpu) {
  Both both({.resolution = kEmulated ? 24u : 64u});
  const std::size_t faces = kEmulated ? 300 : 5000;
  both.add(scenes::sphere(faces));
  both.add(scenes::torus_knot(faces));
  both.add(test::box_mesh({-0.5f, -0.7f, -0.3f}, {0.5f, 0.7f, 0.3f}));
  const auto pairs = random_pairs(3, kEmulated ? 40 : 400, 0.8f, 1);
  EXPECT_GT(both.compare(pairs), pairs.size() / 2);
}

TEST_F(Batches, RandomSolidsOfAnySizeAreAnsweredLikeOnTheCpu) {
  test::Random random(7);
  for (const std::uint32_t resolution : {1u, 7u, 31u, 64u}) {
    Both both({.resolution = resolution});
    const std::uint32_t meshes = kEmulated ? 20 : 40;
    for (std::uint32_t i = 0; i < meshes; ++i) {
      Grid grid = test::random_grid(random);
      both.add(test::random_closed_mesh(random, grid));
    }
    both.compare(random_pairs(meshes, kEmulated ? 60 : 300, 0.5f, resolution));
  }
}

TEST_F(Batches, GridsThatFillSharedMemoryOrAreTooLargeForItAndEveryAxis) {
  for (const std::uint32_t resolution : {100u, 128u, 200u})
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      if (kEmulated && static_cast<std::uint32_t>(axis) != resolution % 3) continue;
      Both both({.resolution = resolution, .axis = axis});
      both.add(scenes::sphere(kEmulated ? 100 : 3000));
      both.add(test::box_mesh({-1, -1, -1}, {1, 1, 1}));
      EXPECT_GT(both.compare(random_pairs(2, kEmulated ? 1 : 20, 0.3f, 3)), 0u);
    }
}

TEST_F(Batches, ColumnsOfMoreThanAThousandCrossingsAndQueuesThatOverflow) {
  Both both({.resolution = kEmulated ? 3u : 48u});
  both.add(stack_of_slabs(600));
  both.add(test::box_mesh({-0.7f, -0.8f, -0.1f}, {0.9f, 0.6f, 0.93f}));
  std::vector<BatchPair> pairs{{0, 1, {}, {}}};
  if (!kEmulated) pairs.push_back({0, 0, {}, {{0.1, 0.05, 0.0004}, {}}});
  EXPECT_EQ(both.compare(pairs), pairs.size());
}

TEST_F(Batches, MoreCrossingsThanThereIsRoomForAtFirst) {
  Both both({.resolution = kEmulated ? 12u : 64u});
  both.add(stack_of_slabs(kEmulated ? 60 : 500));
  const std::vector<BatchPair> pairs{{0, 0, {}, {{0.3, 0.2, 0.0007}, {}}}};
  EXPECT_EQ(both.compare(pairs), 1u);
  EXPECT_EQ(both.compare(pairs), 1u) << "with room for them";
}

TEST_F(Batches, BrokenAndEmptyMeshes) {
  Options options{.resolution = 16};
  options.close_holes = false;
  Both both(options);
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  Mesh holed = scenes::sphere(200), broken = holed, infinite = holed;
  holed.triangles.resize(holed.triangles.size() - 5);
  broken.positions[3].x = nan;
  broken.positions[8] = {nan, nan, nan};
  infinite.positions[5].y = -inf;
  infinite.positions[6] = {inf, 1e6f, -1e6f};
  both.add(scenes::sphere(200));
  both.add(holed);
  both.add(broken);
  both.add(infinite);
  both.add({});
  both.add(Mesh{{{0, 0, 0}, {1, 1, 1}}, {}});
  both.add(Mesh{{{nan, 0, 0}, {0, nan, 1}, {1, 0, 0}}, {{0, 1, 2}}});
  std::vector<BatchPair> pairs;
  for (std::uint32_t i = 0; i < 7; ++i) {
    pairs.push_back({0, i, {}, {{0.3, 0.2, 0.1}, {}}});
    pairs.push_back({i, 0, {{50, 0, 0}, {}}, {}});
  }
  both.compare(pairs);
  const auto answers = both.cuda.intersect(pairs);
  EXPECT_GT(answers[2].health.open_columns, 0u);
  EXPECT_GT(answers[4].health.skipped_triangles, 0u);
  EXPECT_GT(answers[5].health.skipped_triangles, 0u) << "apart: nothing sampled, counted all the same";
  EXPECT_EQ(answers[5].grid.columns, 0u);
}

TEST_F(Batches, NoPairsPairsApartAndAMeshWithItself) {
  Both both({.resolution = 16});
  both.add(scenes::sphere(200));
  EXPECT_TRUE(both.cuda.intersect({}).empty());
  const std::vector<BatchPair> pairs{{0, 0, {}, {{5, 0, 0}, {}}}, {0, 0, {}, {}}, {0, 0, {{2, 0, 0}, {}}, {}}};
  EXPECT_EQ(both.compare(pairs), 1u);
  EXPECT_TRUE(both.cuda.intersect({}).empty());
}

TEST_F(Batches, RepeatedRunsAreTheSameToTheBit) {
  Batch batch({.engine = "cuda", .resolution = kEmulated ? 16u : 64u});
  batch.add(scenes::sphere(kEmulated ? 200 : 5000));
  batch.add(scenes::torus_knot(kEmulated ? 200 : 5000));
  const auto pairs = random_pairs(2, kEmulated ? 4 : 500, 0.5f, 9);
  const auto first = batch.intersect(pairs);
  const std::vector<PairOverlap> kept(first.begin(), first.end());
  for (int run = 0; run < 3; ++run) {
    const auto again = batch.intersect(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(again[i].volume, kept[i].volume) << i;
      EXPECT_EQ(again[i].centroid, kept[i].centroid) << i;
      expect_same(again[i], kept[i], i);
    }
  }
}

TEST_F(Batches, MeshesCanBeAddedAndMovedBetweenRuns) {
  Both both({.resolution = 16});
  Mesh ball = scenes::sphere(100);
  both.add(ball);
  std::vector<BatchPair> pairs{{0, 0, {}, {{0.2, 0.1, 0}, {}}}};
  EXPECT_EQ(both.compare(pairs), 1u);
  both.add(scenes::torus_knot(400));
  for (Vec3& p : ball.positions) p = p * 0.5f + Vec3{0.3f, 0, 0};
  both.cuda.deform({0}, ball.positions);
  both.software.deform({0}, ball.positions);
  pairs.push_back({1, 0, {}, {}});
  EXPECT_GT(both.compare(pairs), 0u);
}

TEST_F(Batches, AutomaticAnswersAlikeWhereverItGoes) {
  Both both({.resolution = 100});
  both.cuda = Batch({.engine = "automatic", .resolution = 100});
  Mesh ball = scenes::sphere(60);
  both.add(ball);
  const auto few = random_pairs(1, 1, 0.3f, 1),
             many = random_pairs(1, 32, 0.3f, 2);  // of which a GPU is worth its while
  EXPECT_EQ(both.compare(few), 1u);
  EXPECT_EQ(both.compare(many), 32u);
  for (Vec3& p : ball.positions) p = p * 0.9f;
  both.cuda.deform({0}, ball.positions);
  both.software.deform({0}, ball.positions);
  both.add(test::box_mesh({-1, -1, -1}, {0, 0, 0}));
  EXPECT_EQ(both.compare(few), 1u);
  EXPECT_GT(both.compare(random_pairs(2, 32, 0.3f, 3)), 10u);
}

/// With a tolerance: 128 x 128 on the GPU, and what is above it by the CPU.
TEST_F(Batches, PairsAboveTheToleranceAreThoseOfTheCpu) {
  const Tolerance tolerance{.relative = 0.001};
  Both both({.resolution = 24, .tolerance = tolerance});
  Batch coarse({.engine = "cuda", .resolution = 128});
  for (const Mesh& m : {scenes::sphere(300), scenes::torus_knot(600), test::box_mesh({-1, -1, -1}, {1, 0, 1})}) {
    both.add(m);
    coarse.add(m);
  }
  const auto pairs = random_pairs(3, 24, 0.8f, 4);
  const auto got = both.cuda.intersect(pairs), accurate = both.software.intersect(pairs);
  const auto first = coarse.intersect(pairs);
  std::size_t within = 0, above = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool again = first[i].volume_error > tolerance.of(first[i].volume);
    expect_same(got[i], again ? accurate[i] : first[i], i);
    EXPECT_EQ(got[i].tolerance_met, !again || accurate[i].tolerance_met);
    within += !again && first[i].colliding() ? 1 : 0;
    above += again ? 1 : 0;
  }
  EXPECT_GT(within, 3u);
  EXPECT_GT(above, 3u);
}

TEST_F(Batches, ProofsAreThoseOfTheCpu) {
  Both both({.resolution = 24, .certify = true});
  both.add(scenes::sphere(300));
  both.add(test::box_mesh({-1, -1, -1}, {1, 0, 1}));
  const auto pairs = random_pairs(2, 24, 1.2f, 5);
  EXPECT_GT(both.compare(pairs), 3u);
  const auto got = both.cuda.intersect(pairs), expected = both.software.intersect(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(got[i].volume, expected[i].volume) << "to the bit: " << i;
    EXPECT_EQ(got[i].certificate.certain, expected[i].certificate.certain) << i;
    EXPECT_EQ(got[i].certificate.witness, expected[i].certificate.witness) << i;
  }
}

}  // namespace
}  // namespace lamella
