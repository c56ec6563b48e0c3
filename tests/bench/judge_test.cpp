#include "bench/peers/judge.hpp"

#include <gmock/gmock.h>

namespace lamella::bench::peers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Finished entry(const Answer& answer, bool ours) {
  Finished out;
  out.method.library = ours ? "Lamella" : "Exact";
  out.method.call = ours ? "query" : "reference";
  out.method.ours = ours;
  out.method.exact = !ours;
  out.answers = {answer, answer};
  return out;
}

Verdict judge_one(const Answer& ours, const Answer& exact, const Tolerance& tolerance = {}) {
  return judge({entry(ours, true), entry(exact, false)}, tolerance);
}

TEST(PeerJudge, EqualAnswersAreRight) {
  EXPECT_THAT(judge_one({.meets = true}, {.meets = true}).problems, IsEmpty());
  EXPECT_THAT(judge_one({.volume = 2}, {.volume = 2}).problems, IsEmpty());
  EXPECT_THAT(judge_one({.volume = 0}, {.volume = 0}).problems, IsEmpty());
  EXPECT_THAT(judge_one({.bodies = {{{0, 1}}}}, {.bodies = {{{0, 1}}}}).problems, IsEmpty());
}

TEST(PeerJudge, AnotherVerdictIsWrongInEitherDirection) {
  EXPECT_EQ(judge_one({.meets = true}, {.meets = false}).problems.size(), kPoses);
  const Verdict verdict = judge_one({.meets = false}, {.meets = true});
  ASSERT_EQ(verdict.problems.size(), kPoses);
  EXPECT_THAT(verdict.problems[1], HasSubstr("query, pose 1: no, Exact says yes"));
  EXPECT_THAT(verdict.agreement, HasSubstr("WRONG"));
}

TEST(PeerJudge, AVolumeMayBeOffByTheToleranceOnEitherSide) {
  const Tolerance percent{.volume_error = 0.01};
  EXPECT_THAT(judge_one({.volume = 1.009}, {.volume = 1}, percent).problems, IsEmpty());
  EXPECT_THAT(judge_one({.volume = 0.991}, {.volume = 1}, percent).problems, IsEmpty());
  EXPECT_EQ(judge_one({.volume = 1.011}, {.volume = 1}, percent).problems.size(), kPoses);
  EXPECT_EQ(judge_one({.volume = 0.989}, {.volume = 1}, percent).problems.size(), kPoses);
  EXPECT_EQ(judge_one({.volume = 0.5}, {.volume = 0}, percent).problems.size(), kPoses);
}

TEST(PeerJudge, OnlyOnePoseMayBeWrong) {
  Finished ours = entry({.volume = 1}, true);
  ours.answers[1].volume = 2;
  const Verdict verdict = judge({ours, entry({.volume = 1}, false)}, {});
  EXPECT_THAT(verdict.problems, ElementsAre(HasSubstr("pose 1")));
}

/// Points at 0, 1, 2 and 3 cells from the surface, of which the first `differing` have another flag than the exact.
Verdict judge_points(std::size_t differing) {
  PointsWork work;
  Answer ours, exact;
  for (std::size_t i = 0; i < 4; ++i) {
    work.points.push_back({0.5f * static_cast<float>(i), 0, 0});
    exact.inside.push_back(1);
    ours.inside.push_back(i < differing ? 0 : 1);
  }
  Finished reference = entry(exact, false);
  reference.method.run = [](std::size_t) {};
  reference.method.distance = [](Vec3 p) { return double{p.x}; };
  return judge({entry(ours, true), reference}, {.points = &work, .cell = 0.5});
}

TEST(PeerJudge, PointsWithinACellOfTheSurfaceMayDiffer) {
  EXPECT_THAT(judge_points(0).problems, IsEmpty());
  EXPECT_THAT(judge_points(2).problems, IsEmpty());
  EXPECT_THAT(judge_points(2).agreement, HasSubstr("2 of 4 flags differ from Exact's, the farthest 1.00 cells"));
  ASSERT_EQ(judge_points(3).problems.size(), kPoses);
  EXPECT_THAT(judge_points(3).problems[0], HasSubstr("the farthest 2.00 cells"));
}

TEST(PeerJudge, BodiesInsideOthersMustBeFound) {
  const Answer exact{.bodies = {{{0, 1}}}, .nested = {{2, 3}}};
  const Verdict right = judge_one({.bodies = {{{0, 1}, {2, 3}}}}, exact);
  EXPECT_THAT(right.problems, IsEmpty());
  EXPECT_THAT(right.agreement, HasSubstr("1 whose surfaces meet and 1 of a body inside another (2-3)"));
  const Verdict missed = judge_one({.bodies = {{{0, 1}}}}, exact);
  ASSERT_EQ(missed.problems.size(), kPoses);
  EXPECT_THAT(missed.problems[0], HasSubstr("missed 2-3"));
  const Verdict invented = judge_one({.bodies = {{{0, 1}, {0, 3}, {2, 3}}}}, exact);
  ASSERT_EQ(invented.problems.size(), kPoses);
  EXPECT_THAT(invented.problems[0], HasSubstr("not there 0-3"));
}

TEST(PeerJudge, OtherLibrariesAndOurOtherResolutionsMayBeWrong) {
  Finished coarse = entry({.meets = false}, true), other = entry({.meets = false}, true);
  coarse.method.detail = true;
  other.method.ours = false;
  EXPECT_THAT(judge({entry({.meets = true}, true), coarse, other, entry({.meets = true}, false)}, {}).problems,
              IsEmpty());
}

TEST(PeerJudge, SaysWhenNothingWasChecked) {
  const Verdict verdict = judge({entry({.meets = true}, true)}, {});
  EXPECT_THAT(verdict.problems, IsEmpty());
  EXPECT_THAT(verdict.agreement, HasSubstr("Not checked"));
}

TEST(PeerAnswers, AreShownBesideTheExactOnes) {
  const Answer flags{.inside = {1, 0, 1}}, exact_flags{.inside = {1, 1, 0}};
  EXPECT_EQ(to_text(flags, nullptr), "2 inside");
  EXPECT_EQ(to_text(flags, &exact_flags), "2 inside, 2 differ");
  const Answer volume{.meets = true, .volume = 1.1}, exact_volume{.volume = 1};
  EXPECT_EQ(to_text(volume, nullptr), "1.1000000");
  EXPECT_EQ(to_text(volume, &exact_volume), "1.1000000 (+10.0000 %)");
  EXPECT_EQ(to_text({.meets = true, .triangle_pairs = 1234}, nullptr), "1,234 pairs");
  EXPECT_EQ(to_text({.meets = true, .contact_points = 5}, nullptr), "5 points");
  EXPECT_EQ(to_text({.meets = false}, nullptr), "no");
  const Answer exact_bodies{.bodies = {{{0, 1}}}, .nested = {{2, 3}}};
  EXPECT_EQ(to_text({.bodies = {{{0, 1}}}}, &exact_bodies), "1 of 2 pairs");
  EXPECT_EQ(to_text({.bodies = {{{0, 1}, {1, 3}, {2, 3}}}}, &exact_bodies), "2 of 2 pairs, 1 that are none");
}

TEST(PeerAnswers, AreValuesToo) {
  const Answer exact{.bodies = {{{0, 1}}}, .nested = {{2, 3}}};
  const Row row = to_row({.bodies = {{{0, 1}, {1, 3}}}}, &exact);
  EXPECT_EQ(row.number("body_pairs"), 2);
  EXPECT_EQ(row.number("missed"), 1);
  EXPECT_EQ(row.number("not_there"), 1);
  const Answer flags{.inside = {1, 1, 0}};
  EXPECT_EQ(to_row({.inside = {1, 0, 0}}, &flags).number("differ"), 1);
  const Answer volume{.volume = 4};
  EXPECT_DOUBLE_EQ(to_row({.volume = 5}, &volume).number("volume_error"), 0.25);
}

}  // namespace
}  // namespace lamella::bench::peers
