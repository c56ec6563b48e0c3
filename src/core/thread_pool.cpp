#include "core/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lamella {
namespace {

/// How often a thread looks for a loop before it sleeps: some 20 µs, about what it takes to wake it up again.
constexpr int kLooks = 2000;

std::atomic<unsigned> allowed{0};  ///< 0: as the system says

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

/// A loop that runs. Lives on the stack of its caller, who waits until the last helper has left it.
struct ThreadPool::Loop {
  Body body;
  std::size_t count;
  unsigned most_helpers;
  std::atomic<std::size_t> next{0};
  unsigned joined = 0;  ///< helpers so far; guarded by the pool's mutex, as all below
  unsigned inside = 0;  ///< helpers that have not left
  std::exception_ptr failure = {};

  [[nodiscard]] bool wants_help() const {
    return joined < most_helpers && next.load(std::memory_order_relaxed) < count;
  }
  void work(unsigned worker) {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) body.call(body.body, i, worker);
  }
  /// No call begins after this.
  void stop() { next.store(count); }
};

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable offered;
  std::condition_variable left;
  std::vector<Loop*> loops;          ///< open for helpers; the last one first, since those before may wait for it
  std::atomic<std::size_t> open{0};  ///< how many those are, to look at without the mutex
  unsigned sleeping = 0;
  bool ending = false;
  std::vector<std::thread> threads;

  Loop* find() {
    const auto found = std::find_if(loops.rbegin(), loops.rend(), [](const Loop* loop) { return loop->wants_help(); });
    return found == loops.rend() ? nullptr : *found;
  }

  void help(std::unique_lock<std::mutex>& lock, Loop& loop) {
    const unsigned worker = ++loop.joined;
    ++loop.inside;
    lock.unlock();
    std::exception_ptr failure;
    try {
      loop.work(worker);
    } catch (...) {
      failure = std::current_exception();
      loop.stop();
    }
    lock.lock();
    if (failure && !loop.failure) loop.failure = failure;
    if (--loop.inside == 0) left.notify_all();
  }

  void look(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    for (int i = 0; i < kLooks && open.load(std::memory_order_relaxed) == 0; ++i) pause();
    lock.lock();
  }

  void serve() {
    std::unique_lock lock(mutex);
    bool looked = false;
    while (!ending) {
      if (Loop* loop = find()) {
        help(lock, *loop);
        looked = false;
      } else if (!looked) {
        look(lock);
        looked = true;
      } else {
        ++sleeping;
        offered.wait(lock);
        --sleeping;
        looked = false;
      }
    }
  }

  /// As many as helpers are wanted. The system may refuse.
  void start_threads(unsigned wanted) {
    try {
      while (threads.size() < wanted) threads.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
    }
  }

  void offer(Loop& loop) {
    const std::scoped_lock lock(mutex);
    start_threads(loop.most_helpers);
    loops.push_back(&loop);
    open.store(loops.size(), std::memory_order_relaxed);
    if (sleeping != 0) offered.notify_all();
  }

  /// After the caller's own work: no helper comes any more, and those inside are waited for.
  void close(Loop& loop, std::exception_ptr failure) {
    std::unique_lock lock(mutex);
    loops.erase(std::find(loops.begin(), loops.end(), &loop));
    open.store(loops.size(), std::memory_order_relaxed);
    left.wait(lock, [&] { return loop.inside == 0; });
    if (!failure) failure = loop.failure;
    lock.unlock();
    if (failure) std::rethrow_exception(failure);
  }
};

ThreadPool::ThreadPool() : state_(std::make_unique<State>()) {}

ThreadPool::~ThreadPool() {
  {
    const std::scoped_lock lock(state_->mutex);
    state_->ending = true;
    state_->offered.notify_all();
  }
  for (std::thread& thread : state_->threads) thread.join();
}

ThreadPool& ThreadPool::the() {
  static auto* const pool = new ThreadPool;
  return *pool;
}

bool ThreadPool::exists() { return true; }

unsigned ThreadPool::available() {
  const unsigned set = allowed.load(std::memory_order_relaxed);
  return set != 0 ? set : std::max(1u, std::thread::hardware_concurrency());
}

void ThreadPool::set_available(unsigned threads) { allowed.store(threads, std::memory_order_relaxed); }

void ThreadPool::run_loop(unsigned threads, std::size_t count, Body body) {
  Loop loop{.body = body,
            .count = count,
            .most_helpers = static_cast<unsigned>(std::min<std::size_t>(threads, std::max<std::size_t>(count, 1)) - 1)};
  state_->offer(loop);
  std::exception_ptr failure;
  try {
    loop.work(0);
  } catch (...) {
    failure = std::current_exception();
    loop.stop();
  }
  state_->close(loop, failure);
}

}  // namespace lamella
