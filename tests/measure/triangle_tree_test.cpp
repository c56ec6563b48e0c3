#include "measure/triangle_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "measure/soup.hpp"
#include "scenes/models.hpp"

namespace lamella::measure {
namespace {

using test::Random;

/// Every triangle once, in boxes that hold it, in nodes of bounded size.
void expect_sound(const TriangleTree& tree, MeshView mesh, std::size_t expected) {
  std::multiset<std::uint32_t> seen;
  const std::function<void(std::uint32_t, std::uint32_t)> visit = [&](std::uint32_t n, std::uint32_t level) {
    ASSERT_LT(level, TriangleTree::kMostLevels);
    const TreeNode& node = tree.nodes()[n];
    if (!node.leaf) {
      ASSERT_LE(node.count, TriangleTree::kMostChildren);
      for (std::uint32_t i = node.begin; i < node.begin + node.count; ++i) {
        for (int k = 0; k < 3; ++k) {
          EXPECT_LE(tree.low(k)[n], tree.low(k)[i]);
          EXPECT_GE(tree.high(k)[n], tree.high(k)[i]);
        }
        visit(i, level + 1);
      }
      return;
    }
    ASSERT_LE(node.count, TriangleTree::kMostInLeaf);
    for (std::uint32_t i = node.begin; i < node.begin + node.count; ++i) {
      seen.insert(tree.ids()[i]);
      for (int c = 0; c < 3; ++c) {
        const Vec3 p = mesh.positions[mesh.triangles[tree.ids()[i]][c]];
        EXPECT_EQ(tree.corner_of(i, c), p);
        for (int k = 0; k < 3; ++k) {
          EXPECT_LE(tree.low(k)[n], p[k]);
          EXPECT_GE(tree.high(k)[n], p[k]);
        }
      }
    }
  };
  if (!tree.empty()) visit(0, 0);
  EXPECT_EQ(seen.size(), expected);
  EXPECT_EQ(std::set<std::uint32_t>(seen.begin(), seen.end()).size(), expected);
}

TEST(TriangleTree, HoldsEveryTriangleOnce) {
  Workers workers(1);
  TriangleTree tree;
  Random random(1);
  for (const std::uint32_t count : {0u, 1u, 8u, 9u, 100u, 20000u}) {
    const Mesh mesh = test::triangle_soup(random, count, {{-1, -1, -1}, {1, 1, 1}}, 0.05f);
    tree.build(mesh, workers);
    expect_sound(tree, mesh, count);
  }
}

TEST(TriangleTree, OfSomeTriangles) {
  Workers workers(1);
  TriangleTree tree;
  const Mesh mesh = scenes::sphere(5000);
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); i += 3) some.push_back(i);
  tree.build(mesh, some, workers);
  expect_sound(tree, mesh, some.size());
}

TEST(TriangleTree, OfTrianglesAllAtOnePlaceOrInOneCornerOfTheBox) {
  Workers workers(1);
  TriangleTree tree;
  Mesh mesh;
  for (std::uint32_t i = 0; i < 3000; ++i) test::append(mesh, {{{1, 2, 3}, {2, 2, 3}, {1, 3, 3}}, {{0, 1, 2}}});
  tree.build(mesh, workers);
  expect_sound(tree, mesh, 3000);
  test::append(mesh, {{{1e20f, 2, 3}, {1e20f, -1e20f, 3}, {1, 3, 1e20f}}, {{0, 1, 2}}});
  for (float scale = 1; scale > 1e-30f; scale /= 100)
    for (std::uint32_t i = 0; i < 100; ++i) {
      const float x = static_cast<float>(i) * scale;
      test::append(mesh, {{{x, 0, 0}, {x, scale, 0}, {x, 0, scale}}, {{0, 1, 2}}});
    }
  tree.build(mesh, workers);
  expect_sound(tree, mesh, mesh.triangles.size());
}

TEST(TriangleTree, LeavesOutTrianglesThatCannotBeUsed) {
  Workers workers(1);
  TriangleTree tree;
  Mesh mesh = scenes::sphere(500);
  mesh.positions[7].y = NAN;
  std::size_t broken = 0;
  for (const Triangle& t : mesh.triangles) broken += t.a == 7 || t.b == 7 || t.c == 7 ? 1 : 0;
  tree.build(mesh, workers);
  EXPECT_EQ(tree.skipped(), broken);
  expect_sound(tree, mesh, mesh.triangles.size() - broken);
}

TEST(TriangleTree, IsTheSameForAnyNumberOfThreads) {
  const Mesh mesh = scenes::blob(100'000);
  TriangleTree one, four;
  Workers w1(1), w4(4);
  one.build(mesh, w1);
  four.build(mesh, w4);
  EXPECT_TRUE(std::ranges::equal(one.ids(), four.ids()));
  EXPECT_EQ(one.nodes().size(), four.nodes().size());
}

}  // namespace
}  // namespace lamella::measure
