#include "query/column_walk.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "query/span_totals.hpp"

namespace lamella {
namespace {

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
