#pragma once

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

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

/// Threads for loops, by TBB. `Arena` of core/pool_arena.hpp is the same without it.
class Arena {
 public:
  /// How many threads this process may use; at least 1.
  [[nodiscard]] static unsigned available() {
    return static_cast<unsigned>(std::max(1, tbb::info::default_concurrency()));
  }

  explicit Arena(unsigned threads) : arena_(ArenaPool::take(threads)) {}

  /// Runs `body` as one of the threads: the others stay awake between successive run() calls inside it.
  template <class Body>
  void enter(const Body& body) {
    arena_->execute(body);
  }

  /// Calls body(i, worker) for every i below `count`; see Workers::for_chunks().
  template <class Body>
  void run(std::size_t count, const Body& body) {
    __tsan_release(&begin_);
    arena_->execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, count, 1),
          [&](const tbb::blocked_range<std::size_t>& range) {
            __tsan_acquire(&begin_);
            const auto worker = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
            for (std::size_t i = range.begin(); i != range.end(); ++i) body(i, worker);
            __tsan_release(&arena_);
          },
          tbb::simple_partitioner());
    });
    __tsan_acquire(&arena_);
  }

 private:
  ArenaPool::Arena arena_;
  char begin_ = 0;  ///< its address stands for the hand-over of a loop, that of arena_ for its end
};

}  // namespace lamella
