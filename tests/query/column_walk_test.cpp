#include "query/column_walk.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "query/random_ldi.hpp"
#include "query/span_totals.hpp"

namespace lamella {
namespace {

using test::winding_between;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Spans = std::vector<std::pair<float, float>>;

/// A column: depths, entries positive and exits negative. Depth 0 is written as 0 for an entry.
std::vector<std::uint32_t> column(std::initializer_list<float> depths) {
  std::vector<std::uint32_t> keys;
  for (const float d : depths) keys.push_back(Crossing::make(d < 0 ? -d : d, d >= 0).key);
  return keys;
}

KeyCursor<> cursor(const std::vector<std::uint32_t>& keys) {
  return {keys.data(), static_cast<std::uint32_t>(keys.size())};
}

struct Swept {
  Spans spans, inside_out_spans;
  bool inside_out = false;
};

template <class Ends = WholeColumn>
Swept sweep_pair(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, float thickness = 0,
                 Ends ends_a = {}, Ends ends_b = {}) {
  Swept s;
  s.inside_out = lamella::sweep_pair(cursor(a), cursor(b), ends_a, ends_b, thickness,
                                     [&](float begin, float end) { s.spans.emplace_back(begin, end); });
  return s;
}

template <class Ends = WholeColumn>
Swept sweep_self(const std::vector<std::uint32_t>& keys, float thickness = 0, Ends ends = {}) {
  Swept s;
  lamella::sweep_self(
      cursor(keys), ends, thickness, [&](float begin, float end) { s.spans.emplace_back(begin, end); },
      [&](float begin, float end) { s.inside_out_spans.emplace_back(begin, end); });
  return s;
}

TEST(ColumnWalk, TwoStretchesShareWhatIsInBoth) {
  EXPECT_THAT(sweep_pair(column({1, -3}), column({2, -5})).spans, ElementsAre(Pair(2, 3)));
  EXPECT_THAT(sweep_pair(column({1, -9}), column({2, -5})).spans, ElementsAre(Pair(2, 5)));
  EXPECT_THAT(sweep_pair(column({1, -2}), column({3, -5})).spans, IsEmpty());
  EXPECT_THAT(sweep_pair(column({}), column({})).spans, IsEmpty());
}

TEST(ColumnWalk, TouchingSharesNothing) { EXPECT_THAT(sweep_pair(column({1, -2}), column({2, -3})).spans, IsEmpty()); }

TEST(ColumnWalk, StretchesThatMeetAtOneDepthAreOneSpan) {
  EXPECT_THAT(sweep_pair(column({1, -2, 2, -3}), column({0, -5})).spans, ElementsAre(Pair(1, 3)));
  EXPECT_THAT(sweep_pair(column({1, -2, 2.5f, -3}), column({0, -5})).spans, ElementsAre(Pair(1, 2), Pair(2.5f, 3)));
}

TEST(ColumnWalk, WhatIsNotThickerThanTheThicknessDoesNotCount) {
  EXPECT_THAT(sweep_pair(column({1, -3}), column({2, -5}), 1).spans, IsEmpty());
  EXPECT_THAT(sweep_pair(column({1, -3}), column({2, -5}), 0.99f).spans, ElementsAre(Pair(2, 3)));
  EXPECT_THAT(sweep_pair(column({1, -2, 2, -3}), column({0, -5}), 1.5f).spans, ElementsAre(Pair(1, 3)))
      << "thin stretches that join are one thick span";
}

TEST(ColumnWalk, AMeshThatOverlapsItselfIsInsideAllTheSame) {
  EXPECT_THAT(sweep_pair(column({1, 2, -3, -4}), column({0, -9})).spans, ElementsAre(Pair(1, 4)));
}

TEST(ColumnWalk, InsideOutIsToldAndSharesNothing) {
  const Swept s = sweep_pair(column({-1, 3}), column({0, -9}));
  EXPECT_THAT(s.spans, IsEmpty());
  EXPECT_TRUE(s.inside_out);
  EXPECT_FALSE(sweep_pair(column({-1, 3}), column({0, -9}), 5).inside_out) << "not for long enough";
  EXPECT_FALSE(sweep_pair(column({1, -3}), column({0, -9})).inside_out);
}

TEST(ColumnWalk, ACutColumnBeginsWithItsWindingAndGoesOnToItsEnd) {
  // a was cut at its far end, b at its near one.
  EXPECT_THAT(sweep_pair(column({2}), column({-7}), 0, CutColumn{0, 10}, CutColumn{1, 10}).spans,
              ElementsAre(Pair(2, 7)));
  EXPECT_THAT(sweep_pair(column({2}), column({5}), 0, CutColumn{0, 10}, CutColumn{0, 10}).spans,
              ElementsAre(Pair(5, 10)));
  EXPECT_THAT(sweep_self(column({3}), 0, CutColumn{1, 8}).spans, ElementsAre(Pair(3, 8)));
}

TEST(ColumnWalk, SelfOverlapIsWindingTwoOrMore) {
  const Swept s = sweep_self(column({1, 2, -3, 4, 5, -6, -7, -8}));
  EXPECT_THAT(s.spans, ElementsAre(Pair(2, 3), Pair(4, 7)));
  EXPECT_THAT(s.inside_out_spans, IsEmpty());
  EXPECT_THAT(sweep_self(column({-1, 4, 5, -6})).inside_out_spans, ElementsAre(Pair(1, 4)));
}

TEST(ColumnWalk, TurnsInsideOutLooksAtSingleStretches) {
  EXPECT_TRUE(turns_inside_out(cursor(column({-1, 3})), WholeColumn{}, 1.5f));
  const auto thin = column({-1, -2, 3, 4});
  EXPECT_FALSE(turns_inside_out(cursor(thin), WholeColumn{}, 1.5f));
  EXPECT_FALSE(turns_inside_out(cursor(column({1, -3})), WholeColumn{}, 0));
  EXPECT_TRUE(turns_inside_out(cursor(column({-1})), CutColumn{0, 3}, 1.5f));
}

std::span<const Crossing> crossings(const std::vector<std::uint32_t>& keys) {
  return {reinterpret_cast<const Crossing*>(keys.data()), keys.size()};
}

std::vector<std::uint32_t> random_column(test::Random& random, bool closed) {
  std::vector<std::uint32_t> keys;
  const std::uint32_t count = random.below(8);
  for (std::uint32_t i = 0; i < count; ++i)
    keys.push_back(Crossing::make(static_cast<float>(random.below(9)), random.below(2) == 0).key);
  while (closed && balance(crossings(keys)) != 0)
    keys.push_back(Crossing::make(static_cast<float>(random.below(9)), balance(crossings(keys)) < 0).key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// All walks over two columns from depth 0 to 8, against brute force. Keys are also read with two others after each.
template <class Ends>
void expect_walks_of_brute_force(test::Random& random) {
  const bool cut = Ends::kCut;
  const auto a = random_column(random, !cut), b = random_column(random, !cut);
  const End end_a = cut && random.below(2) == 0 ? End::high : End::low, end_b = cut ? End::high : End::low;
  const auto thickness = static_cast<float>(random.below(3));
  const auto winding_a = [&](const test::Interval& i) { return winding_between(crossings(a), end_a, i); };
  const auto winding_b = [&](const test::Interval& i) { return winding_between(crossings(b), end_b, i); };
  const auto is_long = [&](const test::Interval& i) { return i.end - i.begin > thickness; };
  Ends ends_a, ends_b;
  if constexpr (Ends::kCut) {
    ends_a = {end_a == End::high ? -balance(crossings(a)) : 0, 8};
    ends_b = {-balance(crossings(b)), 8};
  }
  const auto both = test::pieces({crossings(a), crossings(b)}, 8), one = test::pieces({crossings(a)}, 8);

  std::vector<std::uint32_t> spaced_a, spaced_b;
  for (const std::uint32_t key : a) spaced_a.insert(spaced_a.end(), {key, 1, 1});
  for (const std::uint32_t key : b) spaced_b.insert(spaced_b.end(), {key, 1, 1});
  const auto walk = [&](auto cursor_a, auto cursor_b) {
    test::Intervals shared, twice, inside_out, inside;
    const auto into = [](test::Intervals& to) { return [&to](float begin, float end) { to.push_back({begin, end}); }; };
    EXPECT_EQ(lamella::sweep_pair(cursor_a, cursor_b, ends_a, ends_b, thickness, into(shared)),
              std::any_of(both.begin(), both.end(), [&](const test::Interval& i) {
                return (winding_a(i) < 0 || winding_b(i) < 0) && is_long(i);
              }));
    EXPECT_EQ(shared, joined(both, thickness, [&](const auto& i) { return winding_a(i) > 0 && winding_b(i) > 0; }));
    lamella::sweep_self(cursor_a, ends_a, thickness, into(twice), into(inside_out));
    EXPECT_EQ(twice, joined(one, thickness, [&](const auto& i) { return winding_a(i) > 1; }));
    EXPECT_EQ(inside_out, joined(one, thickness, [&](const auto& i) { return winding_a(i) < 0; }));
    sweep_inside(cursor_a, ends_a, thickness, into(inside));
    EXPECT_EQ(inside, joined(one, thickness, [&](const auto& i) { return winding_a(i) > 0; }));
    EXPECT_EQ(turns_inside_out(cursor_a, ends_a, thickness),
              std::any_of(one.begin(), one.end(), [&](const auto& i) { return winding_a(i) < 0 && is_long(i); }));
  };
  walk(cursor(a), cursor(b));
  walk(KeyCursor<3>(spaced_a.data(), static_cast<std::uint32_t>(a.size())),
       KeyCursor<3>(spaced_b.data(), static_cast<std::uint32_t>(b.size())));
}

TEST(ColumnWalk, AllWalksAgreeWithBruteForce) {
  test::Random random(1);
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "case " << i);
    expect_walks_of_brute_force<WholeColumn>(random);
    expect_walks_of_brute_force<CutColumn>(random);
  }
}

struct Summary {
  double area = 0, volume = 0;
  Vec3d centroid;
  Aabb bounds;
};

Summary summarise(const Grid& grid, const SpanTotals& totals) {
  Summary s;
  s.area = lamella::summarise(grid, totals, s.volume, s.centroid, s.bounds);
  return s;
}

TEST(SpanTotals, OneSpanGivesItsOwnPrism) {
  const Grid grid{{{0, 0, 10}, {4, 8, 20}}, Axis::z, 2, 2};  // cells of 2 x 4
  SpanTotals totals;
  ColumnAdder adder{totals};
  adder.add(1, 3);
  adder.close(1, 0);
  const Summary summary = summarise(grid, totals);
  EXPECT_EQ(summary.area, 8);
  EXPECT_EQ(summary.volume, 2 * 8);
  EXPECT_EQ(summary.centroid, (Vec3d{3, 2, 12}));
  EXPECT_EQ(summary.bounds, (Aabb{{2, 0, 11}, {4, 4, 13}}));
}

TEST(SpanTotals, NothingHasNoCentroidAndNoBounds) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::x, 4, 4};
  EXPECT_EQ(summarise(grid, {}).volume, 0);
  EXPECT_EQ(summarise(grid, {}).centroid, Vec3d{});
  EXPECT_TRUE(summarise(grid, {}).bounds.empty());
}

TEST(SpanTotals, MergingIsAddingAllSpansToOne) {
  const Grid grid{{{0, 0, 0}, {8, 8, 8}}, Axis::y, 8, 8};
  SpanTotals all, first, second;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const auto begin = static_cast<float>(i) * 0.5f;
    for (SpanTotals* t : {&all, i < 3 ? &first : &second}) {
      ColumnAdder adder{*t};
      adder.add(begin, begin + 1);
      adder.add(begin + 2, begin + 4);
      adder.close(i, 7 - i);
    }
  }
  merge(first, second);
  EXPECT_EQ(first.spans, all.spans);
  EXPECT_EQ(summarise(grid, first).volume, summarise(grid, all).volume);
  EXPECT_EQ(summarise(grid, first).centroid, summarise(grid, all).centroid);
  EXPECT_EQ(summarise(grid, first).bounds, summarise(grid, all).bounds);
}

}  // namespace
}  // namespace lamella
