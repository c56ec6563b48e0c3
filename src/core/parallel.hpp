#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>

#if defined(LAMELLA_NO_TBB)
#include "core/pool_arena.hpp"
#else
#include "core/tbb_arena.hpp"
#endif
#include "lamella/options.hpp"

namespace lamella {

/// All threading of the library goes through here. One thread means no scheduler at all.
class Workers {
 public:
  /// 0: as many as this process may use. Never more than that, or more than kMaxThreads.
  explicit Workers(unsigned threads)
      : count_(std::min({threads != 0 ? threads : Arena::available(), Arena::available(), kMaxThreads})) {
    if (count_ != 1) arena_.emplace(count_);
  }

  /// How many can run at the same time: memory for each worker is for as many, however many were asked for.
  [[nodiscard]] unsigned count() const { return count_; }

  /// Runs `body` as one of the workers: the other workers stay awake between successive for_chunks() calls inside it.
  template <class Body>
  void enter(const Body& body) {
    if (count_ == 1)
      body();
    else
      arena_->enter(body);
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
    arena_->run(chunks, run);
  }

  /// Calls body(i) for every i below n.
  template <class Body>
  void for_each(std::size_t n, const Body& body) {
    for_chunks(n, 1024, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  }

 private:
  unsigned count_;
  std::optional<Arena> arena_;  ///< none for one thread
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
