// Sweep and prune against looking at every pair.

#include "core/broad_phase.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {

std::ostream& operator<<(std::ostream& out, const BoxPair& p) {
  return out << '(' << p.first << ' ' << p.second << ')';
}

namespace {

using test::Random;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Overlap as it is meant, written the other way round: no axis separates them, and both are boxes.
bool share_volume(const Aabb& a, const Aabb& b) {
  if (a.empty() || b.empty()) return false;
  for (int i = 0; i < 3; ++i)
    if (a.max[i] <= b.min[i] || b.max[i] <= a.min[i]) return false;
  return true;
}

/// A broad phase and what it ought to hold.
struct Twin {
  BroadPhase broad;
  std::map<std::uint32_t, Aabb> boxes;

  std::uint32_t add(const Aabb& box) {
    const std::uint32_t number = broad.add(box);
    EXPECT_FALSE(boxes.contains(number)) << "a number in use was given away";
    boxes[number] = box;
    return number;
  }
  void remove(std::uint32_t number) {
    broad.remove(number);
    boxes.erase(number);
  }
  void move(std::uint32_t number, const Aabb& box) {
    broad.move(number, box);
    boxes[number] = box;
  }
  std::uint32_t any(Random& random) const {
    return std::next(boxes.begin(), random.below(static_cast<std::uint32_t>(boxes.size())))->first;
  }
  [[nodiscard]] std::vector<BoxPair> all_pairs() const {
    std::vector<BoxPair> pairs;
    for (auto a = boxes.begin(); a != boxes.end(); ++a)
      for (auto b = std::next(a); b != boxes.end(); ++b)
        if (share_volume(a->second, b->second)) pairs.push_back({a->first, b->first});
    return pairs;
  }
  void expect_same() {
    const auto got = broad.update();
    ASSERT_EQ(std::vector(got.begin(), got.end()), all_pairs());
  }
  void expect_limit(std::size_t most) {
    const std::vector<BoxPair> all = all_pairs();
    try {
      const auto got = broad.update(most);
      ASSERT_EQ(std::vector(got.begin(), got.end()), all);
      EXPECT_LE(all.size(), most);
    } catch (const Error&) {
      EXPECT_GT(all.size(), most);
    }
  }
};

Aabb cube(Vec3 low, float size) { return {low, low + Vec3{size, size, size}}; }

/// Coordinates on a coarse lattice: equal ends and touching faces all the time.
Aabb lattice_box(Random& random) {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    box.min[i] = static_cast<float>(random.below(8));
    box.max[i] = box.min[i] + static_cast<float>(random.below(4));  // every fourth has no thickness along it
  }
  return box;
}

Aabb free_box(Random& random) {
  const Vec3 low = random.in({{0, 0, 0}, {10, 10, 10}});
  return {low, low + random.in({{0.1f, 0.1f, 0.1f}, {3, 3, 3}})};
}

/// Empty, not a number, infinite at either end or at both.
Aabb odd_box(Random& random) {
  Aabb box = free_box(random);
  const int axis = static_cast<int>(random.below(3));
  switch (random.below(8)) {
    case 0:
      return {};
    case 1:
      box.min[axis] = kNan;
      break;
    case 2:
      box.max[axis] = kNan;
      break;
    case 3:
      box.max[axis] = kInfinity;
      break;
    case 4:
      box.min[axis] = -kInfinity;
      break;
    case 5:
      return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
    case 6:
      box.min[axis] = box.max[axis] = kInfinity;
      break;
    default:
      box.max[axis] = box.min[axis] - 1;
      break;
  }
  return box;
}

Aabb any_box(Random& random, std::uint32_t style) {
  if (style == 2) return random.below(3) == 0 ? odd_box(random) : free_box(random);
  return style == 1 ? lattice_box(random) : free_box(random);
}

TEST(BroadPhase, ANewOneHasNoPairs) {
  BroadPhase broad;
  EXPECT_TRUE(broad.update().empty());
  (void)broad.add(cube({0, 0, 0}, 1));
  EXPECT_TRUE(broad.update().empty());
}

TEST(BroadPhase, TwoBoxesThatShareAVolumeAreAPairUntilTheyPart) {
  Twin t;
  const auto a = t.add(cube({0, 0, 0}, 2)), b = t.add(cube({1, 1, 1}, 2));
  t.expect_same();
  EXPECT_EQ(t.all_pairs().size(), 1u);
  t.move(b, cube({2, 0, 0}, 2));
  t.expect_same();
  EXPECT_TRUE(t.all_pairs().empty()) << "they touch, which is no sharing";
  t.move(a, cube({0.5f, 0, 0}, 2));
  t.expect_same();
  EXPECT_EQ(t.all_pairs().size(), 1u);
}

TEST(BroadPhase, ANumberThatIsUsedAgainBringsNoPairsAlong) {
  Twin t;
  const auto a = t.add(cube({0, 0, 0}, 2));
  (void)t.add(cube({1, 1, 1}, 2));
  t.expect_same();
  t.remove(a);
  const auto c = t.add(cube({50, 0, 0}, 1));
  EXPECT_EQ(c, a);
  t.expect_same();
  EXPECT_TRUE(t.all_pairs().empty());
}

TEST(BroadPhase, ABoxThatBecomesEmptyLosesItsPairsAndGetsThemBack) {
  Twin t;
  const auto a = t.add(cube({0, 0, 0}, 2));
  (void)t.add(cube({1, 1, 1}, 2));
  for (int i = 0; i < 3; ++i) {
    t.move(a, {});
    t.expect_same();
    t.move(a, {{kNan, 0, 0}, {2, 2, 2}});
    t.expect_same();
    t.move(a, cube({0, 0, 0}, 2));
    t.expect_same();
    EXPECT_EQ(t.all_pairs().size(), 1u);
  }
}

TEST(BroadPhase, APairOfBoxesThatWereNowhereOrFlatCountsOnceAgainstTheLimit) {
  for (const Aabb& before : {Aabb{}, Aabb{{1, 1, 1}, {1, 1, 1}}}) {
    Twin t;
    const auto a = t.add(before), b = t.add(before);
    t.expect_same();
    t.move(a, cube({0, 0, 0}, 2));
    t.move(b, cube({0, 0, 0}, 2));
    const auto pairs = t.broad.update(1);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0], (BoxPair{a, b}));
  }
}

TEST(BroadPhase, ManyBoxesInOnePlaceAreAllPairs) {
  Twin t;
  for (int i = 0; i < 40; ++i) (void)t.add(cube({0, 0, 0}, 1));
  t.expect_same();
  EXPECT_EQ(t.all_pairs().size(), 40u * 39 / 2);
  for (int i = 0; i < 40; i += 3) t.remove(static_cast<std::uint32_t>(i));
  t.expect_same();
}

TEST(BroadPhase, AsManyPairsAsTheLimitAreGivenOneMoreIsAnError) {
  for (const bool crowd : {true, false}) {  // sorted anew, or kept sorted
    Twin t;
    for (std::uint32_t i = 0; i < 20; ++i) {
      (void)t.add(cube({0, 0, 0}, 1));
      if (!crowd) t.expect_same();
    }
    const std::size_t pairs = t.all_pairs().size();
    for (int round = 0; round < 2; ++round) {
      const Error error = test::error_of([&] { (void)t.broad.update(pairs - 1); });
      EXPECT_TRUE(std::string(error.what()).starts_with("more than 189 pairs of objects")) << error.what();
      EXPECT_EQ(t.broad.update(pairs).size(), pairs);
    }
    t.expect_same();
  }
}

TEST(BroadPhase, PairsThatBeginOnAllAxesAtOnceCountOnceForTheLimit) {
  Twin t;
  for (int i = 0; i < 20; ++i) {
    const auto at = static_cast<float>(10 * i);
    (void)t.add(cube({at, at, at}, 1));
  }
  EXPECT_TRUE(t.broad.update().empty());
  for (std::uint32_t i = 0; i < 20; ++i) t.move(i, cube({0, 0, 0}, 1));
  EXPECT_EQ(t.broad.update(20 * 19 / 2).size(), 20u * 19 / 2);
  t.expect_same();
}

TEST(BroadPhase, NumbersAreSmallAndBoxesAreKept) {
  BroadPhase broad;
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(broad.add(cube({static_cast<float>(i), 0, 0}, 1)), i);
  EXPECT_EQ(broad.box(1), cube({1, 0, 0}, 1));
  broad.move(1, cube({5, 0, 0}, 2));
  EXPECT_EQ(broad.box(1), cube({5, 0, 0}, 2));
  broad.remove(0);
  broad.remove(2);
  EXPECT_EQ(broad.add(cube({0, 0, 0}, 1)), 2u);
  EXPECT_EQ(broad.add(cube({0, 0, 0}, 1)), 0u);
  EXPECT_EQ(broad.add(cube({0, 0, 0}, 1)), 3u);
}

class BroadPhaseSequences : public testing::TestWithParam<std::uint32_t> {};

/// Few and many boxes, added by ones and in crowds, pushed a little, thrown far, emptied and removed.
TEST_P(BroadPhaseSequences, GiveThePairsThatAllPairsGives) {
  const std::uint32_t style = GetParam();
  std::size_t pairs = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed * 3 + style);
    Twin t;
    const std::uint32_t crowd = random.below(60);
    for (std::uint32_t i = 0; i < crowd; ++i) (void)t.add(any_box(random, style));
    for (int step = 0; step < 30; ++step) {
      for (std::uint32_t changes = random.below(12); changes > 0; --changes) {
        const std::uint32_t kind = random.below(10);
        if (kind == 0 || t.boxes.empty()) {
          (void)t.add(any_box(random, style));
        } else if (kind == 1) {
          t.remove(t.any(random));
        } else if (kind <= 3) {
          t.move(t.any(random), any_box(random, style));  // thrown
        } else {
          const std::uint32_t number = t.any(random);
          const Aabb box = t.boxes.at(number);
          const float most = style == 1 ? 0 : 0.3f;
          Vec3 push = random.in({{-most, -most, -most}, {most, most, most}});
          if (style == 1) push[static_cast<int>(random.below(3))] = random.below(2) == 0 ? -1.0f : 1.0f;
          t.move(number, {box.min + push, box.max + push});
        }
      }
      if (step == 20)
        for (std::uint32_t i = 0; i < 30; ++i) (void)t.add(any_box(random, style));
      if (step % 3 == 1) t.expect_limit(random.below(60));
      t.expect_same();
      if (HasFatalFailure()) return;
      pairs += t.all_pairs().size();
    }
  }
  EXPECT_GT(pairs, 10000u) << "boxes that never meet show nothing";
}

INSTANTIATE_TEST_SUITE_P(Styles, BroadPhaseSequences, testing::Values(0u, 1u, 2u),
                         [](const testing::TestParamInfo<std::uint32_t>& style) {
                           return style.param == 0 ? "Free" : style.param == 1 ? "OnALattice" : "OddBoxes";
                         });

}  // namespace
}  // namespace lamella
