// Pairs of a batch on the CPU: each is what intersect() answers for the placed meshes.

#include <gtest/gtest.h>

#include <limits>

#include "core/origin.hpp"
#include "engines/software/engines.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"
#include "support/health.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::fields;
using test::Random;

std::vector<Mesh> some_meshes() {
  std::vector<Mesh> meshes{test::round_sphere(6, 9), box_mesh({-1, -0.5f, 0}, {0.5f, 1, 1}),
                           test::round_sphere(4, 5, 0.5f), box_mesh({0, 0, 0}, {1, 1, 1})};
  meshes[3].triangles.erase(meshes[3].triangles.begin());
  meshes[2].positions[0].x = std::numeric_limits<float>::quiet_NaN();
  return meshes;
}

Transform any_pose(Random& random) {
  if (random.below(4) == 0) return {};
  const Vec3 at = random.in({{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}});
  return {to_double(at),
          random.below(3) == 0 ? Quaternion{} : rotation_about({1, 2, random.uniform(-3, 3)}, random.uniform(0, 3))};
}

/// Relative to the origin that the pair has.
Mesh placed(const Mesh& mesh, const Transform& pose, Vec3d origin) {
  Mesh out = mesh;
  (void)place_mesh(mesh, pose, origin, out.positions.data());
  out.origin = origin;
  return out;
}

TEST(SoftwareBatch, EveryPairIsWhatTheEngineAnswersForThePlacedMeshes) {
  std::vector<Mesh> meshes = some_meshes();
  const auto engine = software::make_engine({.threads = 1});
  for (const unsigned threads : {1u, 2u})
    for (const QueryOptions& options :
         {QueryOptions{.resolution = 11}, QueryOptions{.resolution = 16, .axis = Axis::y, .min_thickness = 0.3f}}) {
      meshes = some_meshes();
      const auto batch = software::make_batch_engine({.threads = threads}, options);
      for (const Mesh& m : meshes) batch->add(m);
      Random random(threads);
      std::size_t spans = 0, apart = 0;
      for (int round = 0; round < 3; ++round) {
        std::vector<BatchPair> pairs(40 - 10 * round);
        for (BatchPair& p : pairs) p = {{random.below(4)}, {random.below(4)}, any_pose(random), any_pose(random)};
        const auto answers = batch->intersect(pairs);
        ASSERT_EQ(answers.size(), pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
          Overlap expected;
          const Mesh a = placed(meshes[pairs[i].a.number], pairs[i].pose_a, answers[i].origin);
          const Mesh b = placed(meshes[pairs[i].b.number], pairs[i].pose_b, answers[i].origin);
          engine->intersect(a, b, options, expected);
          EXPECT_EQ(answers[i].verdict, expected.verdict);
          EXPECT_EQ(answers[i].bounds, expected.bounds);
          EXPECT_EQ(answers[i].grid, expected.grid);
          EXPECT_EQ(answers[i].volume, expected.volume);
          EXPECT_EQ(answers[i].centroid, expected.centroid);
          EXPECT_EQ(answers[i].span_count, expected.spans.size());
          EXPECT_EQ(fields(answers[i].health), fields(expected.health));
          spans += expected.spans.size();
          apart += expected.grid.column_count() == 0 ? 1 : 0;
        }
        for (Vec3& p : meshes[1].positions) p = p * 0.75f;
        batch->deform(1, meshes[1].positions);
        EXPECT_EQ(batch->view(1).positions[0], meshes[1].positions[0]);
        EXPECT_EQ(batch->view(0).triangles.size(), meshes[0].triangles.size());
      }
      EXPECT_GT(spans, 300u);
      EXPECT_GT(apart, 5u);
    }
}

TEST(SoftwareBatch, TheFirstPairThatFailsIsNamedAndTheNextCallWorks) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const unsigned threads : {1u, 2u}) {
    // A mesh that leaves the box of a pair has as many crossings as columns, twice.
    const auto batch = software::make_batch_engine({.threads = threads, .max_crossings = 2 * 8 * 8}, {.resolution = 8});
    batch->add(box);
    Mesh two = box;
    test::append(two, box_mesh({0, 0, 0}, {1, 1, 0.5f}));
    batch->add(two);
    std::vector<BatchPair> pairs(20, {{0}, {0}, {}, {}});
    EXPECT_EQ(batch->intersect(pairs)[19].span_count, 64u);
    for (const std::size_t bad : {7u, 11u, 19u}) pairs[bad].b = {1};
    const Error error = test::error_of([&] { (void)batch->intersect(pairs); });
    EXPECT_EQ(std::string(error.what()).find("pair 7 of the batch: there are more than 128 crossings"), 0u)
        << error.what();
    EXPECT_EQ(error.kind(), Error::Kind::input);
    const std::vector<BatchPair> good(3, {{0}, {0}, {}, {}});
    EXPECT_EQ(batch->intersect(good).size(), 3u);
    EXPECT_EQ(batch->intersect({}).size(), 0u);
  }
}

TEST(SoftwareBatch, StrictIsAnErrorThatNamesThePair) {
  const auto batch = software::make_batch_engine({.threads = 1}, {.resolution = 8, .axis = Axis::z, .strict = true});
  for (const Mesh& m : some_meshes()) batch->add(m);
  const std::vector<BatchPair> good(2, {{0}, {1}, {}, {}});
  EXPECT_NO_THROW((void)batch->intersect(good));
  for (const BatchPair& bad : {BatchPair{{0}, {3}, {}, {}}, BatchPair{{3}, {0}, {}, {}}}) {
    std::vector<BatchPair> pairs = good;
    pairs.push_back(bad);
    const Error error = test::error_of([&] { (void)batch->intersect(pairs); });
    EXPECT_EQ(std::string(error.what()).find("pair 2 of the batch: strict: "), 0u) << error.what();
  }
}

}  // namespace
}  // namespace lamella
