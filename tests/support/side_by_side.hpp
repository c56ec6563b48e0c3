#pragma once

#include <latch>
#include <thread>
#include <type_traits>
#include <vector>

namespace lamella::test {

/// What work(0), work(1) … return when `count` threads call them, all at the same time.
template <class Work>
auto side_by_side(unsigned count, const Work& work) {
  std::vector<std::invoke_result_t<Work, unsigned>> results(count);
  std::latch start(count);
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      results[i] = work(i);
    });
  threads.clear();  // waits for all
  return results;
}

/// The same, one after the other, in this thread.
template <class Work>
auto one_by_one(unsigned count, const Work& work) {
  std::vector<std::invoke_result_t<Work, unsigned>> results;
  for (unsigned i = 0; i < count; ++i) results.push_back(work(i));
  return results;
}

}  // namespace lamella::test
