// Gradients as users ask for them: in one call, by a Detector with views, kept and rigid meshes, in batches; meshes
// with holes; and all of it without memory once warm (detector_test.cpp).

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "lamella/batch.hpp"
#include "lamella/detector.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "lamella/repair.hpp"
#include "scenes/scenes.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"
#include "support/holes.hpp"

namespace lamella {
namespace {

Options software(std::uint32_t resolution) { return {.engine = "software", .resolution = resolution, .threads = 1}; }

Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& p : mesh.positions) p = p + by;
  return mesh;
}

Vec3d sum(const std::vector<Vec3>& vectors) {
  Vec3d total;
  for (const Vec3& v : vectors) total += to_double(v);
  return total;
}

void expect_near(Vec3d found, Vec3d expected, double most) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], most) << k;
}

bool same_sums(const GradientSums& a, const GradientSums& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

const Mesh& knot() {
  static const Mesh mesh = scenes::torus_knot(6000);
  return mesh;
}
const Mesh& blob() {
  static const Mesh mesh = moved(scenes::blob(4000), {0.4f, 0.7f, 0.1f});
  return mesh;
}

TEST(DetectorGradient, OfViewsAndKeptMeshesIsThatOfTheFunction) {
  const OverlapGradient expected = volume_gradient(knot(), blob(), software(64));
  ASSERT_GT(expected.volume, 0);
  Detector detector(software(64));
  const OverlapGradient& views = detector.volume_gradient(knot(), blob());
  EXPECT_TRUE(same_sums(views.sums, expected.sums));
  EXPECT_EQ(views.vertices_b, expected.vertices_b);
  const ObjectId a = detector.add(knot()), b = detector.add(blob());
  const OverlapGradient& kept = detector.volume_gradient(a, b);
  EXPECT_TRUE(same_sums(kept.sums, expected.sums));
  EXPECT_EQ(kept.vertices_a, expected.vertices_a);
  // Without vertices the sums are the same, and no vectors are left over.
  const OverlapGradient& sums_only = detector.volume_gradient(a, b, {.vertices = false});
  EXPECT_TRUE(same_sums(sums_only.sums, expected.sums));
  EXPECT_TRUE(sums_only.vertices_a.empty() && sums_only.vertices_b.empty());
  // Once more with them: nothing of the query before is left.
  EXPECT_EQ(detector.volume_gradient(a, b).vertices_a, expected.vertices_a);
}

TEST(DetectorGradient, OfADeformedMesh) {
  Detector detector(software(64));
  const ObjectId a = detector.add(knot()), b = detector.add(blob());
  (void)detector.volume_gradient(a, b);
  const Mesh away = moved(blob(), {0.1f, 0, 0});
  detector.deform(b, away.positions);
  EXPECT_EQ(detector.volume_gradient(a, b).vertices_b, volume_gradient(knot(), away, software(64)).vertices_b);
}

TEST(DetectorGradient, OfRigidMeshesFollowsTheirPoses) {
  Detector detector(software(64));
  const Transform pose{{0.3, -0.2, 0.1}, rotation_about({1, 2, 3}, 0.7)};
  const ObjectId a = detector.add_rigid(knot()), b = detector.add_rigid(blob(), pose);
  const OverlapGradient& g = detector.volume_gradient(a, b);
  const OverlapGradient expected = volume_gradient(knot(), transformed(blob(), pose), software(64));
  ASSERT_GT(expected.volume, 0);
  EXPECT_EQ(g.volume, expected.volume);
  EXPECT_TRUE(same_sums(g.sums, expected.sums));
}

TEST(DetectorGradient, OfAMeshWithItself) {
  const Mesh fat = scenes::torus_knot(6000, 0.6f);
  const SelfGradient expected = self_gradient(fat, software(64));
  ASSERT_GT(expected.volume, 0);
  Detector detector(software(64));
  EXPECT_EQ(detector.self_gradient(fat).vertices, expected.vertices);
  EXPECT_EQ(detector.self_gradient(detector.add(fat)).vertices, expected.vertices);
  EXPECT_TRUE(detector.self_gradient(fat, {.vertices = false}).vertices.empty());
}

TEST(DetectorGradient, HasEndsWhereTheyAreAskedFor) {
  Options options = software(64);
  options.ends = true;
  Detector detector(options);
  const OverlapGradient& g = detector.volume_gradient(knot(), blob());
  EXPECT_GT(g.spans.size(), 0u);
  EXPECT_EQ(g.ends.size(), g.spans.size());
  EXPECT_EQ(detector.intersect(knot(), blob()).ends, g.ends);
}

TEST(DetectorGradient, OfAutomaticIsThatOfSoftware) {
  Detector detector({.resolution = 64, .threads = 1});
  const OverlapGradient expected = volume_gradient(knot(), blob(), software(64));
  EXPECT_EQ(detector.volume_gradient(knot(), blob()).vertices_a, expected.vertices_a);
  EXPECT_EQ(detector.volume_gradient(knot(), blob()).engine, "software");
}

TEST(DetectorGradient, StrictRefusesAMeshWithHoles) {
  Mesh open = test::round_sphere(12, 16);
  open.triangles.resize(open.triangles.size() - 10);
  Options options = software(32);
  options.strict = true;
  EXPECT_THROW((void)volume_gradient(open, test::round_sphere(12, 16, 1, {0.5f, 0, 0}), options), Error);
}

// --------------------------------------------------------------------------------------------------------- holes

/// A ball without its top, and a box over the hole.
struct Holed {
  Mesh ball = test::without_cap(test::round_sphere(24, 32), {0, 0, 1}, 0.6f).open;
  Mesh box = test::box_mesh({-0.9f, -0.8f, 0.1f}, {0.9f, 0.7f, 1.5f});
};

TEST(HoledGradient, IsForTheCallersVerticesAndSumsUp) {
  const Holed scene;
  const OverlapGradient g = volume_gradient(scene.ball, scene.box, software(128));
  EXPECT_GT(g.health.closed_edges, 0u);
  ASSERT_EQ(g.vertices_a.size(), scene.ball.positions.size());
  expect_near(sum(g.vertices_a), g.sums.a.translation, 1e-4);
  Detector detector(software(128));
  const ObjectId a = detector.add(scene.ball), b = detector.add(scene.box);
  for (int round = 0; round < 2; ++round) EXPECT_EQ(detector.volume_gradient(a, b).vertices_a, g.vertices_a);
  Mesh both = scene.ball;
  test::append(both, scene.box);
  EXPECT_EQ(self_gradient(both, software(64)).vertices.size(), both.positions.size());
}

TEST(HoledGradient, OfARimIsTheDifferenceOfVolumesWithItsFan) {
  const Holed scene;
  Options options = software(256);
  options.axis = Axis::z;
  const OverlapGradient g = volume_gradient(scene.ball, scene.box, options);
  const Closure closure = find_closure(scene.ball);
  ASSERT_EQ(closure.rims.size(), 1u);
  int looked_at = 0;
  for (std::uint32_t k = 0; k < closure.rims[0].triangles; k += 5) {
    const std::uint32_t vertex = closure.fans[closure.rims[0].first + k].a;
    constexpr float kStep = 0x1p-8f;
    Mesh up = scene.ball, down = scene.ball;
    up.positions[vertex].z += kStep;
    down.positions[vertex].z -= kStep;
    const double difference = intersect(up, scene.box, options).volume - intersect(down, scene.box, options).volume;
    EXPECT_NEAR(difference / (2 * kStep), g.vertices_a[vertex].z, 0.05 * std::abs(g.vertices_a[vertex].z));
    ++looked_at;
  }
  EXPECT_GT(looked_at, 4);
}

// ------------------------------------------------------------------------------------------------------- batches

TEST(BatchGradient, IsThatOfEachPair) {
  for (const unsigned threads : {1u, 3u}) {
    Batch batch({.engine = "software", .resolution = 48, .threads = threads});
    const ObjectId a = batch.add(knot()), b = batch.add(blob());
    std::vector<BatchPair> pairs;
    for (int i = 0; i < 9; ++i)
      pairs.push_back({i % 2 == 0 ? a : b, b, {{0.1 * i, 0, 0.05 * i}, {}}, {{}, rotation_about({0, 1, 1}, 0.3 * i)}});
    pairs.push_back({a, b, {}, {{100, 0, 0}, {}}});  // far apart
    const auto answers = batch.volume_gradients(pairs);
    ASSERT_EQ(answers.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Mesh& first = pairs[i].a == a ? knot() : blob();
      const OverlapGradient expected =
          volume_gradient(transformed(first, pairs[i].pose_a), transformed(blob(), pairs[i].pose_b), software(48));
      EXPECT_EQ(answers[i].volume, expected.volume) << i;
      EXPECT_EQ(answers[i].verdict, expected.verdict) << i;
      EXPECT_EQ(answers[i].span_count, expected.span_count) << i;
      EXPECT_TRUE(same_sums(answers[i].sums, expected.sums)) << i;
    }
    // The two queries of a batch do not disturb each other.
    EXPECT_EQ(batch.intersect(pairs)[0].volume, batch.volume_gradients(pairs)[0].volume);
  }
}

TEST(BatchGradient, NamesThePairThatIsWrong) {
  Batch batch({.engine = "software", .resolution = 16});
  const ObjectId a = batch.add(blob());
  const std::vector<BatchPair> pairs = {{a, a, {}, {}}, {a, {7}, {}, {}}};
  EXPECT_NE(std::string(test::error_of([&] { (void)batch.volume_gradients(pairs); }).what()).find("pair 1"),
            std::string::npos);
}

}  // namespace
}  // namespace lamella
