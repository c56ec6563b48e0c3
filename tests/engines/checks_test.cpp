// The checks before and after queries, at their limits, and what they say.

#include "engines/checks.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "engines/batch_engine.hpp"
#include "engines/pair_finder.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::error_of;

template <class Call>
std::string message_of(const Call& call) {
  return error_of(call).what();
}

TEST(Checks, ResolutionsFromOneToTheLargestAreAllowed) {
  EXPECT_NO_THROW(check_resolution(1));
  EXPECT_NO_THROW(check_resolution(kMaxResolution));
  EXPECT_EQ(message_of([] { check_resolution(0); }), "resolution 0 is outside 1 to 16384");
  EXPECT_EQ(message_of([] { check_resolution(kMaxResolution + 1, "rows"); }), "rows 16385 is outside 1 to 16384");
}

TEST(Checks, AThicknessIsFiniteAndNotNegative) {
  EXPECT_NO_THROW(check_min_thickness(0));
  EXPECT_NO_THROW(check_min_thickness(std::numeric_limits<float>::max()));
  for (const float bad : {-std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    EXPECT_THROW(check_min_thickness(bad), Error) << bad;
  EXPECT_EQ(message_of([] { check_min_thickness(-2); }),
            "min_thickness is -2: it is a fraction of the box's depth, finite and 0 or more");
  EXPECT_THROW(check_options({.min_thickness = -1}), Error);
  EXPECT_THROW(check_options({.resolution = 0}), Error);
  EXPECT_NO_THROW(check_options({}));
}

TEST(Checks, ALimitThatCanBeRaisedSaysHow) {
  const std::string most = "there are more than 4294967295 crossings, the most allowed: sample more coarsely";
  EXPECT_EQ(too_many_crossings(0xffffffffu).what(), most);
  EXPECT_EQ(std::string(too_many_crossings(0xfffffffeu, "layers").what()),
            "there are more than 4294967294 layers, the most allowed: sample more coarsely, or raise the limit "
            "(max_crossings, on the command line --max-crossings)");
}

TEST(Checks, StrictRefusesWhateverIsLeftOutInsideOutOrClosedEachByItself) {
  Health health{1, 2, 3, 4, 5, 6, 7};
  health.closed_edges = 8;
  EXPECT_NO_THROW(require_health(health, false));
  EXPECT_EQ(message_of([&] { require_health(health, true); }),
            "strict: 1 of 2 columns do not close, 3 are inside out, 4 triangles were skipped, 5 crossings dropped and "
            "8 edges of holes closed; `lamella info` shows where, `lamella repair` mends it");
  health = {0, 2, 0, 0, 0, 6, 7};
  EXPECT_NO_THROW(require_health(health, true)) << "points are not refused";
  for (int i = 0; i < 5; ++i) {
    Health bad;
    bad.open_columns = i == 0 ? 1 : 0;
    bad.skipped_triangles = i == 1 ? 1 : 0;
    bad.dropped_crossings = i == 2 ? 1 : 0;
    bad.inside_out_columns = i == 3 ? 1 : 0;
    bad.closed_edges = i == 4 ? 1 : 0;
    EXPECT_THROW(require_health(bad, true), Error) << i;
    EXPECT_NO_THROW(require_health(bad, false)) << i;
  }
}

TEST(Checks, SpansAreTakenUpToTheLastOneAllowed) {
  SpanBudget budget;
  for (int round = 0; round < 2; ++round) {
    budget.start(10);
    EXPECT_NO_THROW(budget.take(4));
    EXPECT_NO_THROW(budget.check(6));
    EXPECT_THROW(budget.check(7), Error);
    EXPECT_NO_THROW(budget.take(6)) << "a check takes none";
    EXPECT_NO_THROW(budget.take(0));
    EXPECT_NO_THROW(budget.check(0));
    EXPECT_EQ(message_of([&] { budget.take(1); }).find("more than 10 intervals of rays"), 0u);
    EXPECT_THROW(budget.take(0), Error) << "it is counted all the same";
  }
  GroupQuery query;
  EXPECT_NO_THROW(query.take_spans(1000)) << "without a budget there is no limit";
  query.spans = &budget;
  EXPECT_THROW(query.take_spans(1), Error);
}

TEST(Checks, APairOfABatchIsNamedByItsIndexWhicheverOfItsPartsIsBad) {
  const Transform bad_pose{{}, {0, 0, 0, 2}};
  const std::vector<BatchPair> good{{{0}, {1}, {}, {}}, {{2}, {2}, {}, {}}};
  EXPECT_NO_THROW(check_pairs(good, 3));
  EXPECT_NO_THROW(check_pairs({}, 0));
  EXPECT_NO_THROW(check_mesh({2}, 3));
  EXPECT_EQ(message_of([] { check_mesh({3}, 3); }), "there is no mesh 3 in this batch of 3 meshes");
  for (std::size_t at = 0; at < 2; ++at)
    for (int part = 0; part < 4; ++part) {
      std::vector<BatchPair> pairs = good;
      BatchPair& p = pairs[at];
      if (part == 0) p.a = {3};
      if (part == 1) p.b = {4};
      if (part == 2) p.pose_a = bad_pose;
      if (part == 3) p.pose_b = bad_pose;
      const Error error = error_of([&] { check_pairs(pairs, 3); });
      EXPECT_EQ(std::string(error.what()).find(at == 0 ? "pair 0 of the batch: " : "pair 1 of the batch: "), 0u)
          << error.what();
      EXPECT_EQ(error.kind(), Error::Kind::input);
    }
}

TEST(Checks, PosesOfABatchMayBeOffByTheUsualTolerance) {
  const auto scaled = [](double squared) { return Transform{{}, {0, 0, 0, std::sqrt(squared)}}; };
  for (const double off : {-0.0009, 0.0009})
    EXPECT_NO_THROW(check_pairs(std::vector<BatchPair>{{{0}, {0}, scaled(1 + off), scaled(1 + off)}}, 1));
  for (const double off : {-0.0011, 0.0011}) {
    EXPECT_THROW(check_pairs(std::vector<BatchPair>{{{0}, {0}, scaled(1 + off), {}}}, 1), Error);
    EXPECT_THROW(check_pairs(std::vector<BatchPair>{{{0}, {0}, {}, scaled(1 + off)}}, 1), Error);
  }
}

TEST(Group, CellsOfAscendingColumnsAreThoseOfDivision) {
  for (const std::uint32_t columns : {1u, 3u, 16u}) {
    CellCursor cell({{}, Axis::z, columns, 50});
    for (const std::uint32_t step : {0u, 0u, 1u, 1u, 2u, 3u, 5u, 15u, 16u, 17u, 40u, 1u}) {
      static std::uint32_t column = 0;
      column += step;
      cell.move_to(column);
      EXPECT_EQ(cell.u, column % columns);
      EXPECT_EQ(cell.v, column / columns);
    }
    cell.move_to(2);
    EXPECT_EQ(cell.u, 2 % columns) << "also back to an earlier one";
    EXPECT_EQ(cell.v, 2 / columns);
  }
}

TEST(Group, RecordsOfOneValueAreAllOfThemAndNoOther) {
  std::vector<PairSpan> spans(6);
  const std::uint32_t candidates[] = {1, 1, 2, 4, 4, 4};
  for (std::size_t i = 0; i < 6; ++i) spans[i].candidate = candidates[i];
  const std::span<const PairSpan> all = spans;
  for (std::uint32_t value = 0; value < 6; ++value) {
    const auto found = equal_by(all, value, &PairSpan::candidate);
    EXPECT_EQ(found.size(), static_cast<std::size_t>(std::count(std::begin(candidates), std::end(candidates), value)));
    for (const PairSpan& s : found) EXPECT_EQ(s.candidate, value);
  }
}

TEST(Group, AnAnswerBeginsWithNothingFound) {
  const GroupAnswer answer;
  EXPECT_TRUE(answer.spans.empty() && answer.sums.empty() && answer.points.empty() && answer.objects.empty());
  EXPECT_EQ(answer.open_columns + answer.occupied_columns + answer.inside_out_columns, 0u);
  EXPECT_EQ(answer.dropped_crossings + answer.round_count + answer.passed_over + answer.read_back_bytes, 0u);
  const ObjectFacts object;
  EXPECT_EQ(object.open_columns + object.skipped_triangles, 0u);
  EXPECT_EQ(object.self_length, 0);
  const PairSum sum;
  EXPECT_EQ(sum.spans, 0u);
  EXPECT_EQ(sum.length, 0);
  const GroupQuery query;
  EXPECT_EQ(query.thickness + query.threshold, 0);
  EXPECT_TRUE(query.points && query.keep_spans && !query.published);
}

TEST(Group, CandidatesAreOrderedByBothObjectsAndNothingElse) {
  const Candidate c{1, 5};
  EXPECT_TRUE((c == Candidate{1, 5, false}));
  EXPECT_TRUE((c < Candidate{1, 6}) && (c < Candidate{2, 0}) && (c > Candidate{1, 4}) && (c > Candidate{0, 9}));
  EXPECT_FALSE((c == Candidate{1, 4}) || (c == Candidate{2, 5}));
}

}  // namespace
}  // namespace lamella
