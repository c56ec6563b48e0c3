#include "core/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lamella {
namespace {

TEST(ThreadPool, CallsEveryNumberOnceWithAWorkerBelowTheThreads) {
  ThreadPool pool;
  for (const unsigned threads : {1u, 2u, 4u})
    for (const std::size_t count : {0u, 1u, 2u, 3u, 1000u}) {
      std::vector<std::atomic<int>> calls(count);
      std::atomic<int> beyond{0};
      pool.run(threads, count, [&](std::size_t i, unsigned worker) {
        ++calls[i];
        if (worker >= threads) ++beyond;
      });
      for (const auto& c : calls) EXPECT_EQ(c, 1);
      EXPECT_EQ(beyond, 0);
    }
}

TEST(ThreadPool, NoTwoCallsAtATimeHaveTheSameWorker) {
  ThreadPool pool;
  std::vector<std::atomic<int>> inside(4);
  std::atomic<int> shared{0};
  for (int round = 0; round < 50; ++round)
    pool.run(4, 200, [&](std::size_t, unsigned worker) {
      if (++inside[worker] != 1) ++shared;
      std::this_thread::yield();
      --inside[worker];
    });
  EXPECT_EQ(shared, 0);
}

TEST(ThreadPool, WhatTheCallsWroteIsSeenAfterwards) {
  ThreadPool pool;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::size_t> written(64);
    pool.run(3, written.size(), [&](std::size_t i, unsigned) { written[i] = i + 1; });
    std::size_t sum = 0;
    for (const std::size_t x : written) sum += x;
    EXPECT_EQ(sum, 64u * 65 / 2);
  }
}

TEST(ThreadPool, OtherThreadsHelp) {
  ThreadPool pool;
  std::atomic<int> arrived{0};
  // Both calls wait for the other one: the caller alone could not end them.
  pool.run(2, 2, [&](std::size_t, unsigned) {
    ++arrived;
    while (arrived != 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ThreadPool, ALoopInsideALoopEnds) {
  ThreadPool pool;
  std::atomic<std::size_t> sum{0};
  pool.run(4, 16,
           [&](std::size_t i, unsigned) { pool.run(4, 16, [&](std::size_t j, unsigned) { sum += 16 * i + j; }); });
  EXPECT_EQ(sum, 255u * 256 / 2);
}

TEST(ThreadPool, AFailureIsThrownAndNoFurtherCallBegins) {
  ThreadPool pool;
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<int> calls{0};
    std::string what;
    try {
      pool.run(threads, 100'000, [&](std::size_t i, unsigned) {
        ++calls;
        if (i == 7) throw std::runtime_error("seven");
      });
    } catch (const std::runtime_error& e) {
      what = e.what();
    }
    EXPECT_EQ(what, "seven");
    EXPECT_LT(calls, 100'000);
    // It keeps working normally afterwards.
    calls = 0;
    pool.run(threads, 100, [&](std::size_t, unsigned) { ++calls; });
    EXPECT_EQ(calls, 100);
  }
}

TEST(ThreadPool, SeveralThreadsMayCallItAtTheSameTime) {
  ThreadPool pool;
  std::atomic<std::size_t> sum{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) pool.run(3, 10, [&](std::size_t i, unsigned) { sum += i; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4u * 100 * 45);
}

TEST(ThreadPool, HasAtLeastOneThreadAndAsManyAsAreAllowed) {
  EXPECT_GE(ThreadPool::available(), 1u);
  ThreadPool::set_available(3);
  EXPECT_EQ(ThreadPool::available(), 3u);
  ThreadPool::set_available(0);
  EXPECT_GE(ThreadPool::available(), 1u);
}

}  // namespace
}  // namespace lamella
