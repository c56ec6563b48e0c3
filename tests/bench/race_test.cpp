#include "bench/peers/race.hpp"

#include <gmock/gmock.h>

#include <string>

namespace lamella::bench::peers {
namespace {

using testing::ElementsAre;

TEST(Quartiles, OfOneValueAreThatValue) {
  const Quartiles q = quartiles({3});
  EXPECT_EQ(q.low, 3);
  EXPECT_EQ(q.median, 3);
  EXPECT_EQ(q.high, 3);
}

TEST(Quartiles, OfFiveValuesAreAmongThem) {
  const Quartiles q = quartiles({50, 10, 40, 20, 30});
  EXPECT_EQ(q.low, 20);
  EXPECT_EQ(q.median, 30);
  EXPECT_EQ(q.high, 40);
}

TEST(Quartiles, LieBetweenTwoValuesOfAnEvenNumber) {
  const Quartiles q = quartiles({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(q.low, 1.75);
  EXPECT_DOUBLE_EQ(q.median, 2.5);
  EXPECT_DOUBLE_EQ(q.high, 3.25);
}

/// Methods that write down that they were called.
struct Log {
  std::vector<std::string> calls;

  Method method(const std::string& name) {
    return {.library = name,
            .call = "",
            .gives = "",
            .run =
                [this, name](std::size_t p) {
                  calls.push_back(name + std::to_string(p));
                  // Some time that every clock sees.
                  volatile double sum = 0;
                  for (int i = 0; i < 100'000; ++i) sum = sum + i;
                },
            .answer = [this] { return Answer{.volume = static_cast<double>(calls.back().back() - '0')}; }};
  }
};

TEST(PeerRace, EveryMethodRunsInTurnAfterARunInTheOtherPose) {
  Log log;
  const auto entries = race({log.method("a"), log.method("b")}, {.rounds = 3});
  EXPECT_THAT(log.calls, ElementsAre("a1", "a0", "b1", "b0", "a0", "a1", "b0", "b1", "a1", "a0", "b1", "b0"));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].method.library, "a");
  for (const Finished& entry : entries) {
    EXPECT_EQ(entry.ms.size(), 3u);
    EXPECT_EQ(entry.wall.size(), 3u);
    EXPECT_EQ(entry.answers[0].volume, 0.0);
    EXPECT_EQ(entry.answers[1].volume, 1.0);
  }
}

TEST(PeerRace, RatiosAreThoseOfEachRound) {
  Log log;
  const auto entries = race({log.method("a"), log.method("b"), log.method("c")}, {.rounds = 5});
  for (const Finished& entry : entries) {
    ASSERT_EQ(entry.ratio.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(entry.ratio[i], entry.ms[i] / entries[0].ms[i]);
  }
}

TEST(PeerRace, AMethodThatHasSpentItsBudgetLeavesButTheFirstStays) {
  Log log;
  std::vector<std::size_t> rounds;
  const auto entries =
      race({log.method("a"), log.method("b")},
           {.rounds = 6, .budget_ms = 0, .least = 4, .progress = [&](std::size_t round) { rounds.push_back(round); }});
  EXPECT_EQ(entries[0].ms.size(), 6u);
  EXPECT_EQ(entries[1].ms.size(), 4u);
  EXPECT_EQ(entries[1].ratio.size(), 4u);
  EXPECT_THAT(rounds, ElementsAre(1, 2, 3, 4, 5, 6));
}

}  // namespace
}  // namespace lamella::bench::peers
