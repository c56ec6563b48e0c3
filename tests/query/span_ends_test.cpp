// Which crossing ends a span: small columns by hand, then random ones with many ties against windings counted anew. And
// the weights of samples in triangles, near and far.

#include "query/span_ends.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "query/column_walk.hpp"
#include "query/gradient_sums.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

struct Entry {
  float depth;
  bool entry;
  std::uint32_t face;
  double true_depth;  ///< where the triangle is, which may be beyond the box
};

struct Column {
  std::vector<Entry> entries;
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(entries.size()); }
  [[nodiscard]] std::uint32_t key(std::uint32_t i) const {
    return Crossing::make(entries[i].depth, entries[i].entry).key;
  }
  [[nodiscard]] std::uint32_t face(std::uint32_t i) const { return entries[i].face; }
};

SpanPlaces find(const Column& a, const Column& b, float begin, float end) {
  return find_span_ends(a, b, begin, end, kInside, [&](unsigned mesh, std::uint32_t face) {
    const auto& entries = (mesh == 0 ? a : b).entries;
    return std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.face == face; })->true_depth;
  });
}

TEST(SpanEndRule, TakesTheOnlyCrossingOfThatDepth) {
  const Column a{{{1, true, 7, 1}, {4, false, 8, 4}}}, b{{{2, true, 5, 2}, {6, false, 6, 6}}};
  const SpanPlaces p = find(a, b, 2, 4);
  EXPECT_EQ(p.begin.mesh, 1u);
  EXPECT_EQ(p.begin.face, 5u);
  EXPECT_EQ(p.end.mesh, 0u);
  EXPECT_EQ(p.end.face, 8u);
}

TEST(SpanEndRule, ACrossingThatWasMovedOntoTheBoxLosesToATrueOne) {
  const Column a{{{0, true, 1, -3}, {5, false, 2, 9}}}, b{{{0, true, 3, 0}, {5, false, 4, 5}}};
  const SpanPlaces p = find(a, b, 0, 5);
  EXPECT_EQ(p.begin.mesh, 1u);
  EXPECT_EQ(p.end.mesh, 1u);
  EXPECT_EQ(find(b, a, 0, 5).begin.mesh, 0u);
}

TEST(SpanEndRule, AFlushSurfaceGoesWithTheOtherEnd) {
  const Column a{{{1, true, 1, 1}, {3, false, 2, 3}}}, b{{{1, true, 3, 1}, {5, false, 4, 5}}};
  EXPECT_EQ(find(a, b, 1, 3).begin.mesh, 0u);
  EXPECT_EQ(find(b, a, 1, 3).begin.mesh, 1u);
  const Column c{{{1, true, 3, 1}, {3, false, 4, 3}}};  // flush at both ends
  EXPECT_EQ(find(a, c, 1, 3).begin.mesh, find(a, c, 1, 3).end.mesh);
}

TEST(SpanEndRule, AnEntryDeeperIntoAMeshThatIsInsideAlreadyEndsNothing) {
  // At 2, a is entered a second time, and b for the first.
  const Column a{{{1, true, 1, 1}, {2, true, 2, 2}, {4, false, 3, 4}, {5, false, 4, 5}}},
      b{{{2, true, 5, 2}, {9, false, 6, 9}}};
  const SpanPlaces p = find(a, b, 2, 5);
  EXPECT_EQ(p.begin.mesh, 1u);
  EXPECT_EQ(p.end.face, 4u);
}

Column random_column(test::Random& random, std::uint32_t first_face) {
  Column c;
  int sum = 0;
  for (std::uint32_t i = 0; i < 2 * (1 + random.below(5)); ++i) {
    const auto depth = static_cast<float>(random.below(6));
    const bool entry = random.below(2) == 0;
    sum += entry ? 1 : -1;
    c.entries.push_back(
        {depth, entry, first_face + i, depth + (random.below(2) == 0 ? 0 : random.uniform(-0.4f, 0.4f))});
  }
  for (; sum > 0; --sum) c.entries.push_back({7, false, first_face + 100 + static_cast<std::uint32_t>(sum), 7});
  for (; sum < 0; ++sum) c.entries.push_back({0, true, first_face + 200 - static_cast<std::uint32_t>(sum), 0});
  return c;
}

/// The winding of a column just before a depth, or just behind it.
int winding(const Column& c, float depth, bool behind) {
  int sum = 0;
  for (const Entry& e : c.entries)
    if (behind ? e.depth <= depth : e.depth < depth) sum += e.entry ? 1 : -1;
  return sum;
}

RC_GTEST_PROP(SpanEndRules, HoldForColumnsFullOfTies, (std::uint32_t seed)) {
  test::Random random(seed);
  const Column columns[2] = {random_column(random, 0), random_column(random, 1000)};
  std::vector<std::uint32_t> keys[2];
  for (int m = 0; m < 2; ++m) {
    for (std::uint32_t i = 0; i < columns[m].count(); ++i) keys[m].push_back(columns[m].key(i));
    std::sort(keys[m].begin(), keys[m].end());
  }
  const auto cursor = [&](int m) { return KeyCursor<>(keys[m].data(), static_cast<std::uint32_t>(keys[m].size())); };
  sweep_pair(cursor(0), cursor(1), WholeColumn{}, WholeColumn{}, 0.0f, [&](float begin, float end) {
    const SpanPlaces found = find(columns[0], columns[1], begin, end),
                     swapped = find(columns[1], columns[0], begin, end);
    const auto check = [&](const EndPlace& place, float depth, bool entry) {
      const Column& c = columns[place.mesh];
      const auto e =
          std::find_if(c.entries.begin(), c.entries.end(), [&](const Entry& x) { return x.face == place.face; });
      RC_ASSERT(e != c.entries.end());
      RC_ASSERT(e->depth == depth);
      RC_ASSERT(e->entry == entry);
      // The mesh is entered or left there.
      RC_ASSERT((winding(c, depth, false) >= 1) != entry);
      RC_ASSERT((winding(c, depth, true) >= 1) == entry);
    };
    check(found.begin, begin, true);
    check(found.end, end, false);
    // The order of the meshes matters only where they are flush at both ends.
    const bool same = found.begin.face == swapped.begin.face && found.end.face == swapped.end.face;
    RC_ASSERT(same || (found.begin.mesh == 0 && found.end.mesh == 0 && swapped.begin.mesh == 0));
  });
}

TEST(EndWeights, AreTheSampleInItsTriangle) {
  test::Random random(5);
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::y, 64, 48};
  const Lattice lattice = make_lattice(grid);
  for (int i = 0; i < 2000; ++i) {
    const float size = i % 4 == 0 ? 1e9f : i % 4 == 1 ? 20.0f : 0.6f;  // the first beyond 64 bits
    const Vec3 centre{0.5f, 0.5f, 0.5f};
    Vec3 p[3];
    for (Vec3& q : p) q = centre + random.in({{-size, -size, -size}, {size, size, size}});
    const EndTriangle t(p[0], p[1], p[2], grid, lattice);
    // Any cell whose sample the triangle covers.
    const std::uint32_t u = random.below(64), v = random.below(48);
    const double su = (u + 1.0) * kSubStep, sv = (v + 1.0) * kSubStep;
    const auto edge = [&](int a, int b) {
      return (double(t.corner[a].u) - su) * (double(t.corner[b].v) - sv) -
             (double(t.corner[a].v) - sv) * (double(t.corner[b].u) - su);
    };
    const double of[3] = {edge(1, 2), edge(2, 0), edge(0, 1)}, area = of[0] + of[1] + of[2];
    if (!(of[0] / area > 1e-6 && of[1] / area > 1e-6 && of[2] / area > 1e-6)) continue;
    const EndWeights w = t.weights(u, v);
    EXPECT_EQ(std::uint64_t{w.a} + w.b + w.c, kWholeWeight);
    EXPECT_NEAR(w.b / double(kWholeWeight), of[1] / area, 1e-5);
    EXPECT_NEAR(w.c / double(kWholeWeight), of[2] / area, 1e-5);
  }
}

TEST(CornerWeights, AreTheSampleInItsTriangleAndSumUpExactly) {
  test::Random random(6);
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 64, 48};
  const Lattice lattice = make_lattice(grid);
  int covered = 0;
  for (int i = 0; i < 400; ++i) {
    const float size = i % 4 == 0 ? 1e9f : i % 4 == 1 ? 20.0f : 0.6f;  // the first beyond 64 bits
    Vec3 p[3];
    for (Vec3& q : p) q = Vec3{0.5f, 0.5f, 0.5f} + random.in({{-size, -size, -size}, {size, size, size}});
    const EndTriangle t(p[0], p[1], p[2], grid, lattice);
    const CornerWeights w = corner_weights(t, grid);
    ASSERT_LT(w.first_u, grid.columns);
    ASSERT_LT(w.first_v, grid.rows);
    CornerParts one_by_one;
    std::uint64_t count = 0, sum_u = 0, sum_v = 0;
    for (std::uint32_t u = 0; u < grid.columns; ++u)
      for (std::uint32_t v = 0; v < grid.rows; ++v) {
        const CornerParts end = corner_parts(w, -1, 1, u, v);
        ASSERT_EQ(end.a + end.b + end.c, SignedSum{0} - kWholeWeight);
        one_by_one = {one_by_one.a + end.a, one_by_one.b + end.b, one_by_one.c + end.c};
        ++count, sum_u += u, sum_v += v;
        const double su = (u + 1.0) * kSubStep, sv = (v + 1.0) * kSubStep;
        const auto edge = [&](int a, int b) {
          return (double(t.corner[a].u) - su) * (double(t.corner[b].v) - sv) -
                 (double(t.corner[a].v) - sv) * (double(t.corner[b].u) - su);
        };
        const double of[3] = {edge(1, 2), edge(2, 0), edge(0, 1)}, area = of[0] + of[1] + of[2];
        if (!(of[0] / area > 1e-6 && of[1] / area > 1e-6 && of[2] / area > 1e-6)) continue;
        ++covered;
        const EndWeights exact = t.weights(u, v);
        constexpr double kMost = 1 + 0.5 * (64 + 48);  // steps
        EXPECT_NEAR(-value_of(end.b), exact.b, kMost);
        EXPECT_NEAR(-value_of(end.c), exact.c, kMost);
      }
    const CornerParts at_once = corner_parts(w, -1, count, sum_u, sum_v);
    EXPECT_EQ(at_once.a, one_by_one.a);
    EXPECT_EQ(at_once.b, one_by_one.b);
    EXPECT_EQ(at_once.c, one_by_one.c);
  }
  EXPECT_GT(covered, 10000);
}

TEST(CornerWeights, OfTrianglesThatCoverNothingAreAllOfTheFirstCorner) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 64, 64};
  const Lattice lattice = make_lattice(grid);
  const EndTriangle flat({0.1f, 0.1f, 0}, {0.2f, 0.2f, 0}, {0.3f, 0.3f, 0}, grid, lattice);
  EXPECT_EQ(corner_parts(corner_weights(flat, grid), 1, 1, 9, 9).a, SignedSum{kWholeWeight});
  EndTriangle sliver = flat;  // half a lattice point of area, a million long
  sliver.corner[0] = {0, 0, 0};
  sliver.corner[1] = {1000000, 999999, 0};
  sliver.corner[2] = {1000001, 1000000, 0};
  EXPECT_EQ(corner_weights(sliver, grid).b, LinearWeight{});
  EXPECT_EQ(corner_parts(corner_weights(sliver, grid), 1, 2, 9, 9).a, SignedSum{2} * kWholeWeight);
}

TEST(EndSums, DoNotDependOnTheirOrder) {
  test::Random random(9);
  EndSums forwards, backwards;
  std::vector<std::pair<Vec3d, std::uint32_t>> ends;
  for (int i = 0; i < 1000; ++i)
    ends.emplace_back(unit_normal(random.in({{-1, -1, -1}, {1, 1, 1}}), random.in({{-1, -1, -1}, {1, 1, 1}}),
                                  random.in({{-1, -1, -1}, {1, 1, 1}})),
                      random.below(100));
  const auto add = [](EndSums& to, const auto& end) {
    to.add(end.second % 2 == 0 ? 1 : -1, end.second, 3, end.first, end.first.z);
  };
  for (const auto& end : ends) add(forwards, end);
  std::reverse(ends.begin(), ends.end());
  for (const auto& end : ends) add(backwards, end);
  EXPECT_EQ(std::memcmp(&forwards, &backwards, sizeof forwards), 0);
  EXPECT_EQ(unit_normal({1, 1, 1}, {2, 2, 2}, {3, 3, 3}), Vec3d{});  // no area, no normal
}

}  // namespace
}  // namespace lamella
