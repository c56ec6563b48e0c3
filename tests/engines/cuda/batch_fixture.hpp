#pragma once

// What the tests of batches share.

#include <gmock/gmock.h>

#include <cstring>
#include <limits>

#include "compare.hpp"
#include "lamella/batch.hpp"
#include "lamella/error.hpp"
#include "scenes/scenes.hpp"
#include "support/closed_meshes.hpp"
#include "support/cuda.hpp"

namespace lamella::batches {

using test::kEmulated;

using Batches = test::CudaTest;

inline Transform random_pose(test::Random& random, float reach) {
  const Vec3 t = random.in({{-reach, -reach, -reach}, {reach, reach, reach}});
  const Vec3 axis = random.in({{-1, -1, -1}, {1, 1, 1}});
  return {to_double(t), rotation_about(to_double(axis) + Vec3d{1e-3, 0, 0}, random.uniform(-3, 3))};
}

inline std::vector<BatchPair> random_pairs(std::uint32_t meshes, std::size_t count, float reach, std::uint32_t seed) {
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
inline void expect_same(const PairOverlap& got, const PairOverlap& expected, std::size_t pair) {
  SCOPED_TRACE(testing::Message() << "pair " << pair);
  EXPECT_EQ(got.verdict, expected.verdict);
  EXPECT_EQ(got.origin, expected.origin);
  EXPECT_EQ(got.bounds, expected.bounds);
  EXPECT_EQ(got.grid, expected.grid);
  EXPECT_EQ(got.span_count, expected.span_count);
  test::expect_same_health(got.health, expected.health);
  EXPECT_NEAR(got.volume, expected.volume, 1e-12 * expected.volume);
  EXPECT_NEAR(got.volume_error, expected.volume_error, 1e-12 * expected.volume_error);
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
inline Mesh stack_of_slabs(int count) {
  Mesh mesh;
  for (int i = 0; i < count; ++i) {
    const auto low = static_cast<float>(i) / static_cast<float>(count);
    test::append(mesh, test::box_mesh({-1, -1, low}, {1, 1, low + 0.4f / static_cast<float>(count)}));
  }
  return mesh;
}

}  // namespace lamella::batches
