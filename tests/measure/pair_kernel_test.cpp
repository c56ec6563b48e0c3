#include "measure/pair_kernel.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "measure/soup.hpp"
#include "scenes/models.hpp"
#include "support/instruction_sets.hpp"

namespace lamella::measure {
namespace {

using test::Random;

struct LeafCase {
  Mesh a, b;
};
/// A leaf of each mesh, at any place and of any size.
LeafCase random_leaves(Random& random, float scale, Vec3 at) {
  const auto leaf = [&](Vec3 offset) {
    Mesh mesh = test::triangle_soup(random, kMostInLeaf, {{-1, -1, -1}, {1, 1, 1}}, 0.5f);
    for (Vec3& p : mesh.positions) p = (p + offset) * scale + at;
    return mesh;
  };
  const Aabb around{{-3, -3, -3}, {3, 3, 3}};
  LeafCase leaves{leaf({}), {}};
  leaves.b = leaf(random.in(around));
  return leaves;
}

double square_of(const LeafCase& leaves, const TriangleTree& a, std::uint32_t i, const TriangleTree& b,
                 std::uint32_t k) {
  return nearest_of_triangles(test::corners3(leaves.a, a.ids()[i]).at, test::corners3(leaves.b, b.ids()[k]).at).square;
}

/// Every pair must be among those that may be as near as it is.
void expect_no_pair_left_out(const LeafCase& leaves, std::size_t& left_out) {
  Workers workers(1);
  TriangleTree a, b;
  a.build(leaves.a, workers);
  b.build(leaves.b, workers);
  ASSERT_EQ(a.nodes().size(), 1u);
  ASSERT_EQ(b.nodes().size(), 1u);
  PreparedLeaf leaf;
  prepare_leaf(a, 0, leaf);
  ASSERT_EQ(leaf.count, kMostInLeaf);
  for (std::uint32_t i = 0; i < kMostInLeaf; ++i)
    for (std::uint32_t k = 0; k < kMostInLeaf; ++k) {
      const double square = square_of(leaves, a, i, b, k);
      NearPairs near[kMostInLeaf];
      find_near_pairs(leaf, b, 0, static_cast<float>(square) * (1 + 0x1p-22f), near);
      EXPECT_NE(near[i].near >> k & 1, 0) << square;
      for (const NearPairs& pairs : near)
        left_out += kMostInLeaf - static_cast<std::size_t>(std::popcount(unsigned{pairs.near}));
    }
}

TEST(PairKernel, LeavesOutOnlyPairsThatAreFarther) {
  std::size_t left_out = 0;
  test::for_each_instruction_set([&] {
    Random random(31);
    for (int round = 0; round < 20; ++round)
      for (const float scale : {1e-12f, 1e-3f, 1.0f, 1e6f})
        for (const Vec3 at : {Vec3{}, Vec3{1000, -500, 30} * scale})
          expect_no_pair_left_out(random_leaves(random, scale, at), left_out);
  });
  EXPECT_GT(left_out, 0u);
}

TEST(PairKernel, ChildrenThatAreFartherAreLeftOutInOrder) {
  Workers workers(1);
  TriangleTree tree;
  tree.build(scenes::sphere(3000), workers);
  NodeShape point;
  point.low = point.high = {2, 0, 0};
  point.normal = {0, 0, 1};
  NearChildren all, some;
  const TreeNode& root = tree.nodes()[0];
  ASSERT_EQ(find_near_children(tree, root, point, 100, all), root.count);
  const std::size_t count = find_near_children(tree, root, point, 4, some);
  EXPECT_GT(count, 0u);
  EXPECT_LT(count, root.count);
  std::size_t k = 0;
  for (std::size_t i = 0; i < root.count; ++i) {
    EXPECT_EQ(all.node[i], root.begin + i);
    if (!(all.square[i] < 4)) continue;
    ASSERT_LT(k, count);
    EXPECT_EQ(some.node[k], all.node[i]);
    EXPECT_EQ(some.square[k++], all.square[i]);
  }
  EXPECT_EQ(k, count);
}

}  // namespace
}  // namespace lamella::measure
