#pragma once

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "lamella/options.hpp"

// Packaged TBB is not built for ThreadSanitizer, so the sanitizer cannot see its synchronisation.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#else
inline void __tsan_acquire(void*) {}
inline void __tsan_release(void*) {}
#endif

namespace lamella {

/// TBB's arenas, handed on from one owner to the next: TBB 2021 never gives back the memory of an arena that had a
/// second thread in it, some 7 KB. There are as many as were ever in use at the same time.
class ArenaPool {
 public:
  struct GiveBack {
    unsigned threads = 0;
    void operator()(tbb::task_arena* arena) const {
      const std::scoped_lock lock(pool().mutex_);
      pool().free_[threads].emplace_back(arena);
    }
  };
  using Arena = std::unique_ptr<tbb::task_arena, GiveBack>;

  [[nodiscard]] static Arena take(unsigned threads) {
    const std::scoped_lock lock(pool().mutex_);
    auto& free = pool().free_[threads];
    if (free.empty()) return Arena(new tbb::task_arena(static_cast<int>(threads)), GiveBack{threads});
    Arena arena(free.back().release(), GiveBack{threads});
    free.pop_back();
    return arena;
  }

 private:
  /// Never destroyed: engines may outlive whatever is destroyed when a program ends.
  static ArenaPool& pool() {
    static auto* const the = new ArenaPool;
    return *the;
  }

  std::mutex mutex_;
  std::map<unsigned, std::vector<std::unique_ptr<tbb::task_arena>>> free_;  ///< by the number of threads
};

/// All threading of the library goes through here. One thread means no scheduler at all.
class Workers {
 public:
  /// 0: as many as this process may use. Never more than that, or more than kMaxThreads.
  explicit Workers(unsigned threads)
      : count_(std::min({threads != 0 ? threads : available(), available(), kMaxThreads})),
        arena_(count_ == 1 ? ArenaPool::Arena{} : ArenaPool::take(count_)) {}

  /// How many can run at the same time: memory for each worker is for as many, however many were asked for.
  [[nodiscard]] unsigned count() const { return count_; }

  /// Runs `body` as one of the workers: the other workers stay awake between successive for_chunks() calls inside it.
  template <class Body>
  void enter(const Body& body) {
    if (count_ == 1)
      body();
    else
      arena_->execute(body);
  }

  /// Calls body(begin, end, worker) for consecutive chunks of [0, n), `worker` below count() and not shared by two
  /// calls that run at the same time. Which worker gets which chunk is not determined: results must not depend on it.
  /// Up to `few` chunks are run by the caller: they are not worth waking other threads.
  template <class Body>
  void for_chunks(std::size_t n, std::size_t chunk, const Body& body, std::size_t few = 4) {
    const std::size_t chunks = (n + chunk - 1) / chunk;
    const auto run = [&](std::size_t i, unsigned worker) { body(i * chunk, std::min(n, (i + 1) * chunk), worker); };
    if (count_ == 1 || chunks <= few) {
      for (std::size_t i = 0; i < chunks; ++i) run(i, 0);
      return;
    }
    __tsan_release(&count_);
    arena_->execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, chunks, 1),
          [&](const tbb::blocked_range<std::size_t>& range) {
            __tsan_acquire(&count_);
            const auto worker = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
            for (std::size_t i = range.begin(); i != range.end(); ++i) run(i, worker);
            __tsan_release(&arena_);
          },
          tbb::simple_partitioner());
    });
    __tsan_acquire(&arena_);
  }

  /// Calls body(i) for every i below n.
  template <class Body>
  void for_each(std::size_t n, const Body& body) {
    for_chunks(n, 1024, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  }

 private:
  static unsigned available() { return static_cast<unsigned>(std::max(1, tbb::info::default_concurrency())); }

  unsigned count_;
  ArenaPool::Arena arena_;  ///< none for one thread
};

/// Of numbered calls on several threads, keeps the failure with the lowest number, whichever thread was first.
class LowestFailure {
 public:
  /// Makes the call, unless one with a lower number has failed already.
  template <class Call>
  void run(std::size_t number, const Call& call) {
    if (number > lowest_) return;
    try {
      call();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (number > lowest_) return;
      lowest_ = number;
      failure_ = std::current_exception();
    }
  }
  /// After all calls.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<std::size_t> lowest_{~std::size_t{0}};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace lamella
