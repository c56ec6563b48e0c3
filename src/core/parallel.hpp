#pragma once

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

namespace lamella {

/// All threading of the library goes through here. One thread means no scheduler at all.
class Workers {
 public:
  /// 0: as many as this process may use. More than that are not started: they would only take turns.
  explicit Workers(unsigned threads)
      : count_(std::min(threads != 0 ? threads : available(), kMost)),
        arena_(static_cast<int>(std::min(count_, available()))) {}

  [[nodiscard]] unsigned count() const { return count_; }

  /// Calls body(begin, end, worker) for consecutive chunks of [0, n), `worker` below count() and not shared by two
  /// calls that run at the same time. Which worker gets which chunk is not determined: results must not depend on it.
  template <class Body>
  void for_chunks(std::size_t n, std::size_t chunk, const Body& body) {
    const std::size_t chunks = (n + chunk - 1) / chunk;
    const auto run = [&](std::size_t i, unsigned worker) { body(i * chunk, std::min(n, (i + 1) * chunk), worker); };
    if (count_ == 1 || chunks <= 1) {
      for (std::size_t i = 0; i < chunks; ++i) run(i, 0);
      return;
    }
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, chunks, 1),
          [&](const tbb::blocked_range<std::size_t>& range) {
            const auto worker = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
            for (std::size_t i = range.begin(); i != range.end(); ++i) run(i, worker);
          },
          tbb::simple_partitioner());
    });
  }

 private:
  static constexpr unsigned kMost = 1024;
  static unsigned available() { return static_cast<unsigned>(std::max(1, tbb::info::default_concurrency())); }

  unsigned count_;
  tbb::task_arena arena_;
};

}  // namespace lamella
