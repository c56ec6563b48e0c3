#include "geometry_image/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace lamella::gi {
namespace {

using std::chrono::nanoseconds;
using Time = Limits::Clock::time_point;

/// A clock that the test moves.
nanoseconds fake_time{0};
int fake_readings = 0;
Time fake_now() {
  ++fake_readings;
  return Time(fake_time);
}

struct Search {
  int visits = 0, readings = 0;
  nanoseconds late{0};
};

/// A search without end, of visits that take `duration(i)`, until its budget ends it.
Search run_until(nanoseconds budget, const std::function<nanoseconds(int)>& duration) {
  fake_time = nanoseconds(1000);
  fake_readings = 0;
  const nanoseconds deadline = fake_time + budget;
  Limits limits(0, Time(deadline), &fake_now);
  Search run;
  for (; !limits.reached(0); ++run.visits) fake_time += duration(run.visits);
  run.readings = fake_readings;
  run.late = fake_time - deadline;
  return run;
}

TEST(Limits, TimeThatIsUpEndsASearchBeforeItsFirstVisit) {
  for (const int budget : {0, -5})
    EXPECT_EQ(run_until(nanoseconds(budget), [](int) { return nanoseconds(100); }).visits, 0);
}

TEST(Limits, ABudgetEndsASearchWithinOneVisit) {
  for (const int budget : {1, 50, 100, 150, 1000, 1700, 10'000, 1'000'000, 15'000'000}) {
    const Search run = run_until(nanoseconds(budget), [](int) { return nanoseconds(100); });
    EXPECT_GE(run.late.count(), 0);
    EXPECT_LT(run.late.count(), 100) << "of " << budget;
  }
}

TEST(Limits, VisitsOfUnequalLengthMakeItLateByAFewOfThem) {
  const auto duration = [](int i) { return nanoseconds(i < 8 ? 1000 : 60 + i * 7919 % 160); };  // cold at first
  for (const int budget : {500, 3000, 10'000, 33'333, 1'000'000}) {
    const Search run = run_until(nanoseconds(budget), duration);
    EXPECT_LE(run.late, budget < 8000 ? nanoseconds(1000) : nanoseconds(2 * 220)) << "of " << budget;
  }
}

TEST(Limits, TheClockIsReadRarelyWhileThereIsTime) {
  const Search run = run_until(nanoseconds(10'000'000), [](int) { return nanoseconds(100); });
  EXPECT_EQ(run.visits, 100'000);
  EXPECT_LT(run.readings, run.visits / 16 + 20);
}

/// The visits before which the clock is read, when each takes `duration`; long ones say so.
std::vector<int> readings_of(nanoseconds budget, nanoseconds duration, bool long_visits) {
  fake_time = nanoseconds(5000);
  fake_readings = 0;
  Limits limits(0, Time(fake_time + budget), &fake_now);
  std::vector<int> read;
  for (int visit = 0;; ++visit) {
    const int before = fake_readings;
    const bool over = limits.reached(0);
    if (fake_readings != before) read.push_back(visit);
    if (over) return read;
    fake_time += duration;
    if (long_visits) limits.long_visit();
  }
}

TEST(Limits, TheClockIsReadTwiceAsRarelyEachTimeUntilHalfOfTheTimeLeftIsLess) {
  // 40 visits fit: after 15 of them 25 are left, of which 12 are a half, then 6, 3, 2 and 1.
  EXPECT_THAT(readings_of(nanoseconds(4000), nanoseconds(100), false),
              testing::ElementsAre(0, 1, 3, 7, 15, 27, 33, 36, 38, 39, 40));
  // 100 fit: never more than 16 at a time.
  EXPECT_THAT(readings_of(nanoseconds(10000), nanoseconds(100), false),
              testing::ElementsAre(0, 1, 3, 7, 15, 31, 47, 63, 79, 89, 94, 97, 98, 99, 100));
  // A clock that stands still tells no pace: it is read before every visit.
  fake_time = nanoseconds(0);
  fake_readings = 0;
  Limits limits(0, Time(nanoseconds(1)), &fake_now);
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(limits.reached(0));
  EXPECT_EQ(fake_readings, 10);
}

TEST(Limits, ALongVisitCountsAsFive) {
  // 20 fit. From 9 on 16 short ones would be allowed, which are four; from 13 on 14, then 9, 4 and 2.
  EXPECT_THAT(readings_of(nanoseconds(2000), nanoseconds(100), true),
              testing::ElementsAre(0, 1, 2, 3, 5, 9, 13, 16, 18, 19, 20));
}

TEST(Limits, TheNextCallReadsTheClockWhenAsked) {
  fake_time = nanoseconds(1000);
  Limits limits(0, Time(nanoseconds(1000000)), &fake_now);
  for (int i = 0; i < 20; ++i, fake_time += nanoseconds(10)) ASSERT_FALSE(limits.reached(0));
  const int before = fake_readings;
  ASSERT_FALSE(limits.reached(0));
  ASSERT_EQ(fake_readings, before);
  limits.look_next();
  ASSERT_FALSE(limits.reached(0));
  EXPECT_EQ(fake_readings, before + 1);
}

TEST(Limits, ADeadlineIsTheBudgetFromNow) {
  using Clock = Limits::Clock;
  EXPECT_EQ(deadline_after(nanoseconds(0)), Time::max());
  EXPECT_EQ(deadline_after(nanoseconds::max()), Time::max());
  const nanoseconds hour = std::chrono::hours(1);
  const Time before = Clock::now(), deadline = deadline_after(hour), past = deadline_after(-hour), after = Clock::now();
  EXPECT_GE(deadline, before + hour);
  EXPECT_LE(deadline, after + hour);
  EXPECT_GE(past, before) << "not an hour ago";
  EXPECT_LE(past, after);
}

TEST(Limits, WithoutADeadlineTheClockIsNotRead) {
  fake_readings = 0;
  Limits limits(0, Time::max(), &fake_now);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_FALSE(limits.reached(0));
    limits.long_visit();
  }
  EXPECT_EQ(fake_readings, 0);
}

TEST(Limits, TestsAreCountedWhateverTheTime) {
  Limits limits(5, Time::max(), &fake_now);
  EXPECT_FALSE(limits.reached(4));
  EXPECT_TRUE(limits.reached(5));
  EXPECT_TRUE(limits.reached(6));
  Limits none(0, Time::max(), &fake_now);
  EXPECT_FALSE(none.reached(~std::uint64_t{0} - 1));
}

}  // namespace
}  // namespace lamella::gi
