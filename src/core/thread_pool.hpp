#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace lamella {

/// The threads of the library where there is no TBB: some that sleep until a loop is offered to them. They only help:
/// a loop ends even if none of them comes, so a system that cannot start threads, or starts them late as browsers do,
/// only makes it slower.
class ThreadPool {
 public:
  /// The one of this process. It is never destroyed: engines may outlive whatever is destroyed when a program ends.
  [[nodiscard]] static ThreadPool& the();

  /// Whether there can be more than one thread. There cannot where the program is linked with another
  /// pool, as the WebAssembly package is (bindings/wasm/absent/threads.cpp).
  [[nodiscard]] static bool exists();

  /// How many threads this process may use; at least 1.
  [[nodiscard]] static unsigned available();
  /// Allows fewer or more than the system says, 0: as the system says. Before the first loop.
  static void set_available(unsigned threads);

  /// Calls body(i, worker) for every i below `count`, the caller and up to `threads` - 1 others, and returns when all
  /// are done. `worker` is below `threads` and not shared by two calls that run at the same time. After a failure no
  /// further call begins, and one of the failures is thrown. Bodies may run loops of their own.
  template <class Body>
  void run(unsigned threads, std::size_t count, const Body& body) {
    run_loop(threads, count, {&body, [](const void* the_body, std::size_t i, unsigned worker) {
                                (*static_cast<const Body*>(the_body))(i, worker);
                              }});
  }

  ThreadPool();
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

 private:
  struct Body {
    const void* body;
    void (*call)(const void* body, std::size_t i, unsigned worker);
  };
  struct Loop;
  struct State;

  void run_loop(unsigned threads, std::size_t count, Body body);

  std::unique_ptr<State> state_;
};

}  // namespace lamella
