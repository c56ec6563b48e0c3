// In place of the library's own thread pool, for modules with one thread. And of what libc++ throws where a lock fails,
// which no lock does without threads: its std::system_error takes the C library's printf for its message.

#include "core/thread_pool.hpp"
#include "lamella/error.hpp"

/// std::__throw_system_error(), by the linker's option --wrap.
extern "C" [[noreturn]] void __wrap__ZNSt3__220__throw_system_errorEiPKc(int, const char* what) {
  throw lamella::Error(what);
}

namespace lamella {

struct ThreadPool::State {};

ThreadPool::ThreadPool() = default;
ThreadPool::~ThreadPool() = default;

ThreadPool& ThreadPool::the() {
  static ThreadPool none;
  return none;
}

bool ThreadPool::exists() { return false; }
unsigned ThreadPool::available() { return 1; }
void ThreadPool::set_available(unsigned) {}

void ThreadPool::run_loop(unsigned, std::size_t count, Body body) {
  for (std::size_t i = 0; i < count; ++i) body.call(body.body, i, 0);
}

}  // namespace lamella
