#include "lamella/batch.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <limits>

#include "lamella/error.hpp"
#include "scenes/scenes.hpp"
#include "support/closed_meshes.hpp"
#include "support/cuda.hpp"

namespace lamella {
namespace {

using test::kEmulated;

using Batches = test::CudaTest;

Transform random_pose(test::Random& random, float reach) {
  const Vec3 t = random.in({{-reach, -reach, -reach}, {reach, reach, reach}});
  const Vec3 axis = random.in({{-1, -1, -1}, {1, 1, 1}});
  return {to_double(t), rotation_about(to_double(axis) + Vec3d{1e-3, 0, 0}, random.uniform(-3, 3))};
}

std::vector<BatchPair> random_pairs(std::uint32_t meshes, std::size_t count, float reach, std::uint32_t seed) {
  test::Random random(seed);
  std::vector<BatchPair> pairs(count);
  for (BatchPair& p : pairs) {
    p = {random.below(meshes), random.below(meshes), random_pose(random, reach), random_pose(random, reach)};
    if (random.below(4) == 0) p.pose_a = {};
    if (random.below(4) == 0) p.pose_b = {};
  }
  return pairs;
}

/// Everything but sums to the bit, sums within roundings.
void expect_same(const PairOverlap& got, const PairOverlap& expected, std::size_t pair) {
  SCOPED_TRACE(testing::Message() << "pair " << pair);
  EXPECT_EQ(got.grid, expected.grid);
  EXPECT_EQ(got.spans, expected.spans);
  const Health &h = got.health, &e = expected.health;
  EXPECT_EQ(h.open_columns, e.open_columns);
  EXPECT_EQ(h.occupied_columns, e.occupied_columns);
  EXPECT_EQ(h.inside_out_columns, e.inside_out_columns);
  EXPECT_EQ(h.skipped_triangles, e.skipped_triangles);
  EXPECT_EQ(h.dropped_crossings, e.dropped_crossings);
  EXPECT_EQ(h.untrusted_volume, e.untrusted_volume);
  EXPECT_EQ(h.untrusted_points, e.untrusted_points);
  EXPECT_NEAR(got.volume, expected.volume, 1e-12 * expected.volume);
  const Vec3 size = expected.grid.columns != 0 ? extent(expected.grid.box) : Vec3{};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(got.centroid[k], expected.centroid[k], 1e-9 * size[k]);
}

/// The same meshes for both engines.
struct Both {
  explicit Both(const Options& options) : cuda(with("cuda", options)), software(with("software", options)) {}
  static Options with(const char* engine, Options options) {
    options.engine = engine;
    return options;
  }
  void add(MeshView mesh) { EXPECT_EQ(cuda.add(mesh), software.add(mesh)); }
  /// Compares all answers; returns how many pairs collide.
  std::size_t compare(std::span<const BatchPair> pairs) {
    const auto got = cuda.intersect(pairs), expected = software.intersect(pairs);
    EXPECT_EQ(got.size(), pairs.size());
    std::size_t colliding = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      expect_same(got[i], expected[i], i);
      colliding += expected[i].colliding() ? 1 : 0;
    }
    return colliding;
  }

  Batch cuda, software;
};

/// Thin boxes above one another: `count` times two crossings in every column.
Mesh stack_of_slabs(int count) {
  Mesh mesh;
  for (int i = 0; i < count; ++i) {
    const auto low = static_cast<float>(i) / static_cast<float>(count);
    test::append(mesh, test::box_mesh({-1, -1, low}, {1, 1, low + 0.4f / static_cast<float>(count)}));
  }
  return mesh;
}

TEST_F(Batches, TwoBoxesThatShareAnEighth) {
  Batch batch({.engine = "cuda", .resolution = 16});
  const std::uint32_t box = batch.add(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const BatchPair pair{box, box, {}, {{0.5, 0.5, 0.5}, {}}};
  const auto answers = batch.intersect({&pair, 1});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NEAR(answers[0].volume, 0.125, 1e-6);
  EXPECT_NEAR(answers[0].centroid.x, 0.75, 1e-6);
  EXPECT_EQ(answers[0].spans, 256u);
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
    for (const PairOverlap& answer : both.cuda.intersect(pairs)) EXPECT_EQ(answer.spans, resolution * resolution);
  }
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
  Both both({.resolution = 16});
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  Mesh holed = scenes::sphere(200), broken = holed, infinite = holed;
  holed.triangles.resize(holed.triangles.size() - 5);
  broken.positions[3].x = nan;
  broken.positions[8] = {nan, nan, nan};
  infinite.positions[5].y = -inf;
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
  both.cuda.update_vertices(0, ball.positions);
  both.software.update_vertices(0, ball.positions);
  pairs.push_back({1, 0, {}, {}});
  EXPECT_GT(both.compare(pairs), 0u);
}

TEST_F(Batches, AutomaticAnswersAlikeWhereverItGoes) {
  Both both({.resolution = 100});
  both.cuda = Batch({.engine = "automatic", .resolution = 100});
  Mesh ball = scenes::sphere(60);
  both.add(ball);
  const auto few = random_pairs(1, 1, 0.3f, 1),
             many = random_pairs(1, 25, 0.3f, 2);  // of which a GPU is worth its while
  EXPECT_EQ(both.compare(few), 1u);
  EXPECT_EQ(both.compare(many), 25u);
  for (Vec3& p : ball.positions) p = p * 0.9f;
  both.cuda.update_vertices(0, ball.positions);
  both.software.update_vertices(0, ball.positions);
  both.add(test::box_mesh({-1, -1, -1}, {0, 0, 0}));
  EXPECT_EQ(both.compare(few), 1u);
  EXPECT_GT(both.compare(random_pairs(2, 25, 0.3f, 3)), 10u);
}

TEST_F(Batches, StrictAndMaxCrossingsAreErrorsThatNameThePair) {
  Mesh holed = scenes::sphere(200);
  holed.triangles.resize(holed.triangles.size() - 5);
  const std::vector<BatchPair> pairs{{0, 0, {}, {}}, {0, 1, {}, {}}};
  const auto run = [&](const Options& options) {
    Batch batch(options);
    batch.add(scenes::sphere(200));
    batch.add(holed);
    (void)batch.intersect(pairs);
  };
  const auto message = [&](const Options& options) -> std::string {
    try {
      run(options);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(message({.engine = "cuda", .resolution = 16, .strict = true}), testing::HasSubstr("pair 1"));
  EXPECT_THAT(message({.engine = "cuda", .resolution = 16, .max_crossings = 100}), testing::HasSubstr("max_crossings"));
  EXPECT_NO_THROW(run({.engine = "cuda", .resolution = 16}));
}

TEST_F(Batches, MeshesOnTheDeviceAreReadAnewInEveryRun) {
  Mesh ball = scenes::sphere(200);
  const test::OnDevice<Vec3> small_positions(ball.positions);
  const test::OnDevice<Triangle> triangles(ball.triangles);
  test::OnDevice<Vec3> positions(ball.positions);
  const auto vertices = static_cast<std::uint32_t>(ball.positions.size());
  const auto faces = static_cast<std::uint32_t>(ball.triangles.size());
  const std::vector<cuda::DeviceMesh> meshes{{small_positions.get(), triangles.get(), vertices, faces},
                                             {positions.get(), triangles.get(), vertices, faces}};
  cuda::PairBatch batch(meshes, {.resolution = 16});
  const std::vector<BatchPair> pairs{{0, 1, {}, {}}};
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  batch.launch(pairs, stream);
  const double alike = batch.wait()[0].volume;
  EXPECT_NEAR(alike, intersect(ball, ball, {.engine = "software", .resolution = 16}).volume, 1e-9);
  for (Vec3& p : ball.positions) p = p * 0.5f;
  positions.write(ball.positions);
  batch.launch(pairs, stream);
  batch.launch(pairs, stream);
  EXPECT_LT(batch.wait()[0].volume, 0.2 * alike);
  EXPECT_EQ(batch.wait()[0].volume, batch.wait()[0].volume) << "waiting again changes nothing";
  PairOverlap on_device;
  ASSERT_EQ(cudaMemcpy(&on_device, batch.device_answers(), sizeof on_device, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(on_device.volume, batch.wait()[0].volume);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(Batches, ABadIndexOnTheDeviceIsAnErrorAndTheBatchGoesOn) {
  Mesh ball = scenes::sphere(200);
  const test::OnDevice<Vec3> positions(ball.positions);
  const test::OnDevice<Triangle> good(ball.triangles);
  ball.triangles[17].b = 100000;
  const test::OnDevice<Triangle> bad(ball.triangles);
  const auto vertices = static_cast<std::uint32_t>(ball.positions.size());
  const auto faces = static_cast<std::uint32_t>(ball.triangles.size());
  const std::vector<cuda::DeviceMesh> meshes{{positions.get(), good.get(), vertices, faces},
                                             {positions.get(), bad.get(), vertices, faces}};
  cuda::PairBatch batch(meshes, {.resolution = 16});
  const std::vector<BatchPair> pairs{{0, 0, {}, {}}, {0, 1, {}, {}}, {1, 1, {}, {}}};
  batch.launch(pairs, nullptr);
  try {
    (void)batch.wait();
    FAIL() << "a bad index went unnoticed";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::AllOf(testing::HasSubstr("pair 1"), testing::HasSubstr("mesh 1")));
  }
  EXPECT_TRUE(batch.wait().empty());
  batch.launch({pairs.data(), 1}, nullptr);
  EXPECT_TRUE(batch.wait()[0].colliding());
  const BatchPair nobody{0, 2, {}, {}};
  EXPECT_THROW(batch.launch({&nobody, 1}, nullptr), Error);
}

}  // namespace
}  // namespace lamella
