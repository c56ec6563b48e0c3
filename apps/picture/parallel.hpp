#pragma once

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

// TBB as packaged is not built for ThreadSanitizer, which therefore does not see how work is handed over.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#else
inline void __tsan_acquire(void*) {}
inline void __tsan_release(void*) {}
#endif

namespace lamella::picture {

/// Runs `body` where for_each() has this many threads to share work out among; 0: all cores.
template <class Body>
void with_threads(unsigned threads, const Body& body) {
  const int cores = std::max(1, tbb::info::default_concurrency());
  tbb::task_arena(threads == 0 ? cores : static_cast<int>(std::min(threads, static_cast<unsigned>(cores))))
      .execute(body);
}

/// Calls body(i) for every i below n, at least `grain` of them in a row by one thread.
template <class Body>
void for_each(std::size_t n, const Body& body, std::size_t grain = 1024) {
  char begin = 0, end = 0;  // their addresses stand for the two hand-overs
  __tsan_release(&begin);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain), [&](const tbb::blocked_range<std::size_t>& range) {
    __tsan_acquire(&begin);
    for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
    __tsan_release(&end);
  });
  __tsan_acquire(&end);
}

}  // namespace lamella::picture
