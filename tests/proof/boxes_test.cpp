#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "proof/box_pairs.hpp"
#include "proof/near.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::proof {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<TriangleBox> random_boxes(test::Random& random, std::size_t count, float size) {
  std::vector<TriangleBox> boxes;
  for (std::uint32_t i = 0; i < count; ++i) {
    // On a lattice, so that boxes touch.
    const auto cell = [&] { return static_cast<float>(random.below(32)); };
    const Vec3 low{cell(), cell(), cell()};
    const float reach = random.below(20) == 0 ? 16 * size : size;
    boxes.push_back({low, low + Vec3{random.below(3) * reach, random.below(3) * reach, random.below(3) * reach}, i});
  }
  return boxes;
}

bool overlap(const TriangleBox& a, const TriangleBox& b) {
  for (int k = 0; k < 3; ++k)
    if (a.min[k] > b.max[k] || b.min[k] > a.max[k]) return false;
  return true;
}

TEST(BoxPairs, AreThoseThatComparingAllFindsEachOnce) {
  test::Random random(1);
  for (const std::size_t count : {0u, 1u, 20u, 300u, 2000u}) {
    const std::vector<TriangleBox> a = random_boxes(random, count, 1), b = random_boxes(random, count / 2 + 3, 2);
    Pairs expected, found;
    for (const TriangleBox& x : a)
      for (const TriangleBox& y : b)
        if (overlap(x, y)) expected.emplace(x.triangle, y.triangle);
    std::vector<TriangleBox> c = a, d = b;
    EXPECT_EQ(visit_box_pairs(c, d,
                              [&](std::uint32_t i, std::uint32_t k) {
                                EXPECT_TRUE(found.emplace(i, k).second);
                                return true;
                              }),
              Search::finished);
    EXPECT_EQ(found, expected);
  }
}

TEST(BoxPairs, OfOneArray) {
  test::Random random(2);
  for (const std::size_t count : {0u, 1u, 30u, 1500u}) {
    const std::vector<TriangleBox> a = random_boxes(random, count, 1);
    Pairs expected, found;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t k = i + 1; k < a.size(); ++k)
        if (overlap(a[i], a[k])) expected.emplace(i, k);
    std::vector<TriangleBox> c = a;
    EXPECT_EQ(visit_box_pairs(c,
                              [&](std::uint32_t i, std::uint32_t k) {
                                EXPECT_TRUE(found.emplace(std::min(i, k), std::max(i, k)).second);
                                return true;
                              }),
              Search::finished);
    EXPECT_EQ(found, expected);
  }
}

TEST(BoxPairs, EndWhenTheVisitorSaysSo) {
  test::Random random(3);
  std::vector<TriangleBox> a = random_boxes(random, 500, 2);
  int seen = 0;
  EXPECT_EQ(visit_box_pairs(a, [&](std::uint32_t, std::uint32_t) { return ++seen < 5; }), Search::ended);
  EXPECT_EQ(seen, 5);
}

Aabb shared(const Aabb& a, const Aabb& b) {
  Aabb box;
  for (int k = 0; k < 3; ++k) box.min[k] = std::max(a.min[k], b.min[k]), box.max[k] = std::min(a.max[k], b.max[k]);
  return box;
}

TEST(Near, HasEveryTriangleWhoseBoxMeetsOneOfTheOthers) {
  Workers workers(2);
  NearScratch scratch;
  std::vector<NearBox> near_a, near_b;
  test::Random random(4);
  for (int round = 0; round < 12; ++round) {
    const Mesh a = scenes::torus_knot(3000);
    Mesh b = round % 2 == 0 ? scenes::torus(2000) : test::box_mesh({-1, -1, -1}, {1, 1, 1});
    const Vec3 by = random.in({{-1, -1, -1}, {1, 1, 1}});
    for (Vec3& p : b.positions) p = p + by;
    find_near(a, b, shared(bounds(a), bounds(b)), workers, scratch, near_a, near_b);
    std::set<std::uint32_t> in_a, in_b;
    for (const NearBox& c : near_a) in_a.insert(c.triangle);
    for (const NearBox& c : near_b) in_b.insert(c.triangle);
    for (std::uint32_t i = 0; i < a.triangles.size(); ++i)
      for (std::uint32_t k = 0; k < b.triangles.size(); ++k)
        if (overlap(box_of(a, i), box_of(b, k))) {
          ASSERT_TRUE(in_a.contains(i) && in_b.contains(k));
        }
    if (b.triangles.size() > 100) {
      EXPECT_LT(in_a.size(), a.triangles.size() / 2);
    }
  }
}

}  // namespace
}  // namespace lamella::proof
