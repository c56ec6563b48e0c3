#include "bench/paper/conclusion.hpp"

#include <gmock/gmock.h>

namespace lamella::bench {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kOpening =
    "The conclusion of WSCG 2004 (software is faster on small scenes, the GPU on large ones) ";

/// Rows of 5,700, 16,500 and 50,000 faces where the GPU takes 1 ms and software as given.
Contest contest(unsigned threads, double small, double medium, double large) {
  return {threads,
          {{50'000, large, 1, "gl-lists", "large"},
           {5'700, small, 1, "gl-lists", "small"},
           {16'500, medium, 1, "gl-lists", "medium"}}};
}

TEST(Conclusion, OfOneRowIsThatTheFasterIsFaster) {
  EXPECT_THAT(conclusion({{1, {{100, 1, 2, "gl-lists", "row"}}}}),
              EndsWith("does not hold here: software (1 thread) is faster than gl-lists on every row."));
  EXPECT_THAT(conclusion({{1, {{100, 2, 1, "gl-lists", "row"}}}}),
              EndsWith("does not hold here: gl-lists is faster than software (1 thread) on every row."));
}

TEST(Conclusion, HoldsWhereSoftwareWinsBelowAndTheGpuAbove) {
  EXPECT_EQ(
      conclusion({contest(1, 0.1, 0.9, 3)}),
      std::string(kOpening) + "holds: software (1 thread) is faster up to 16,500 faces, gl-lists from 50,000 on.");
}

TEST(Conclusion, TellsNumbersOfThreadsTogetherWhereTheyAgreeAndApartWhereNot) {
  EXPECT_THAT(conclusion({contest(1, 0.1, 0.9, 3), contest(16, 0.1, 0.5, 2)}),
              EndsWith("holds: software (1 or 16 threads) is faster up to 16,500 faces, gl-lists from 50,000 on."));
  EXPECT_THAT(conclusion({contest(1, 0.1, 2, 3), contest(16, 0.1, 0.5, 0.7)}),
              EndsWith("holds: software (1 thread) is faster up to 5,700 faces, gl-lists from 16,500 on; "
                       "it does not hold here: software (16 threads) is faster than gl-lists on every row."));
}

TEST(Conclusion, DoesNotMakeARuleOfMixedRows) {
  const std::string mixed = conclusion({contest(2, 0.1, 2, 0.5)});
  EXPECT_THAT(mixed, Not(HasSubstr("holds")));
  EXPECT_THAT(mixed, EndsWith("is mixed here: gl-lists is faster on 1 of 3 rows (medium), software (2 threads) on the "
                              "others."));
  // Rows of the same number of faces at other resolutions can go either way.
  EXPECT_THAT(conclusion({{1, {{100, 1, 2, "gl-lists", "row"}, {100, 2, 1, "gl-lists", "row"}}}}),
              HasSubstr("is mixed here"));
}

TEST(Conclusion, KnowsItsOpposite) {
  EXPECT_THAT(conclusion({contest(1, 2, 0.5, 0.5)}),
              EndsWith("is reversed here: gl-lists is faster up to 5,700 faces, software (1 thread) from 16,500 on."));
}

TEST(Conclusion, NamesNoSingleEngineWhereNoneIsTheFastestThroughout) {
  EXPECT_THAT(conclusion({{1, {{100, 1, 2, "gl-lists", "row"}, {200, 2, 1, "gl-unordered", "row"}}}}),
              AllOf(StartsWith(kOpening), HasSubstr("the fastest GPU engine from 200 on"), Not(HasSubstr("gl-"))));
}

TEST(Conclusion, GivesATieToSoftware) {
  EXPECT_THAT(conclusion({{1, {{100, 1, 1, "gl-lists", "row"}}}}), HasSubstr("software (1 thread) is faster"));
}

}  // namespace
}  // namespace lamella::bench
