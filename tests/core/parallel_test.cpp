#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/stopwatch.hpp"

namespace lamella {
namespace {

std::string failure_of(const LowestFailure& failure) {
  try {
    failure.rethrow();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

TEST(LowestFailure, IsThatOfTheLowestNumberWhateverCameFirst) {
  LowestFailure failure;
  std::string made;
  const auto call = [&](std::size_t number, bool fails) {
    failure.run(number, [&] {
      made += std::to_string(number);
      if (fails) throw std::runtime_error(std::to_string(number));
    });
  };
  EXPECT_EQ(failure_of(failure), "none");
  call(7, false);
  call(5, true);
  call(3, true);
  call(4, true);  // need not be made any more
  call(1, false);
  EXPECT_EQ(failure_of(failure), "3");
  EXPECT_EQ(made, "7531");
}

TEST(LowestFailure, OfACallWithinACallIsKeptWhenItsNumberIsLower) {
  for (const std::size_t inner : {2, 8}) {
    LowestFailure failure;
    failure.run(5, [&] {
      failure.run(inner, [&] { throw std::runtime_error(std::to_string(inner)); });
      throw std::runtime_error("5");
    });
    EXPECT_EQ(failure_of(failure), inner == 2 ? "2" : "5");
  }
}

TEST(LowestFailure, ACallWithTheNumberThatFailedIsMadeAgain) {
  LowestFailure failure;
  for (const char* what : {"first", "second"}) failure.run(3, [&] { throw std::runtime_error(what); });
  EXPECT_EQ(failure_of(failure), "second");
}

TEST(Workers, VisitEveryElementOnceInWholeChunks) {
  for (const unsigned threads : {1u, 2u})
    for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 1000u})
      for (const std::size_t chunk : {1u, 3u, 8u, 2000u}) {
        Workers workers(threads);
        std::vector<std::atomic<int>> visits(n);
        std::atomic<int> wrong{0};
        workers.enter([&] {
          workers.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
            if (begin >= end || begin % chunk != 0 || end != std::min(n, begin + chunk) || worker >= workers.count())
              ++wrong;
            for (std::size_t i = begin; i < end; ++i) ++visits[i];
          });
        });
        EXPECT_EQ(wrong, 0);
        for (const auto& v : visits) EXPECT_EQ(v, 1);
        workers.for_each(n, [&](std::size_t i) { ++visits[i]; });
        for (const auto& v : visits) EXPECT_EQ(v, 2);
      }
}

TEST(Workers, OneThreadTakesTheChunksInOrder) {
  std::vector<std::size_t> begins;
  Workers(1).for_chunks(50, 5, [&](std::size_t begin, std::size_t, unsigned worker) {
    begins.push_back(begin);
    EXPECT_EQ(worker, 0u);
  });
  EXPECT_EQ(begins, (std::vector<std::size_t>{0, 5, 10, 15, 20, 25, 30, 35, 40, 45}));
}

TEST(Stopwatch, ALapIsAtLeastAsLongAsItsSleepInMilliseconds) {
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  double ms = 0;
  watch.lap(ms);
  EXPECT_GE(ms, 2);
}

#if !defined(LAMELLA_NO_TBB)
TEST(ArenaPool, HandsAnArenaOnToTheNextOwner) {
  ArenaPool::Arena first = ArenaPool::take(2);
  const tbb::task_arena* const address = first.get();
  EXPECT_NE(ArenaPool::take(2).get(), address);  // which is in use
  EXPECT_NE(ArenaPool::take(3).get(), address);
  first.reset();
  EXPECT_EQ(ArenaPool::take(2).get(), address);
}
#endif

TEST(Workers, MayBeMadeAndDroppedByTheThousand) {
  std::atomic<std::size_t> sum = 0;
  for (int i = 0; i < 2000; ++i) {
    Workers workers(2);
    workers.for_chunks(16, 1, [&](std::size_t begin, std::size_t, unsigned) { sum += begin; });
  }
  EXPECT_EQ(sum, 2000u * 120);
}

TEST(Workers, AreNoMoreThanCanRun) {
  const unsigned all = Workers(0).count();
  EXPECT_EQ(Workers(1).count(), 1u);
  EXPECT_EQ(Workers(1'000'000).count(), all);
  Workers workers(1'000'000);
  std::atomic<unsigned> beyond{0};
  workers.for_chunks(1000, 1, [&](std::size_t, std::size_t, unsigned worker) { beyond += worker >= all ? 1 : 0; });
  EXPECT_EQ(beyond, 0u);
}

}  // namespace
}  // namespace lamella
