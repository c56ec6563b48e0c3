#include "geometry_image/limits.hpp"

#include <gtest/gtest.h>

#include <functional>

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
}

}  // namespace
}  // namespace lamella::gi
