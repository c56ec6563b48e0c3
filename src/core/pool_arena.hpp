#pragma once

#include <cstddef>

#include "core/thread_pool.hpp"

namespace lamella {

/// Threads for loops, by our own pool. `Arena` of core/tbb_arena.hpp is the same by TBB.
class Arena {
 public:
  [[nodiscard]] static unsigned available() { return ThreadPool::available(); }

  explicit Arena(unsigned threads) : threads_(threads) {}

  /// Threads look for work for a moment before they sleep, so nothing is needed to keep them awake.
  template <class Body>
  void enter(const Body& body) {
    check();
    body();
  }

  /// Calls body(i, worker) for every i below `count`; see Workers::for_chunks().
  template <class Body>
  void run(std::size_t count, const Body& body) {
    check();
    ThreadPool::the().run(threads_, count, body);
  }

 private:
  /// A program that is linked without threads makes no arena: Workers has none for one thread. Knowing that, the linker
  /// leaves out the code of threads, which is only called after this.
  static void check() {
    if (!ThreadPool::exists()) __builtin_unreachable();
  }

  unsigned threads_;
};

}  // namespace lamella
