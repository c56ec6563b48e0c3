#pragma once

// Stacks that take turns on one thread of the system. On x86-64 a change of stack is a dozen instructions; elsewhere,
// and where a sanitizer watches, it is swapcontext(), which asks the system each time.

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__x86_64__) || !defined(__linux__)
#define CUDA_EMULATION_UCONTEXT 1
#include <ucontext.h>
#endif

namespace cuda_emulation {

/// A stack, or the place where somebody left one. Made once, used for many functions: `main` never returns.
struct Fiber {
#if defined(CUDA_EMULATION_UCONTEXT)
  ucontext_t context{};
  void* fake_stack = nullptr;  // AddressSanitizer's
  void* sanitizer = nullptr;   // ThreadSanitizer's
#else
  void* stack_pointer = nullptr;
#endif
  void* bottom = nullptr;
  std::size_t bytes = 0;
};

/// Gives a fiber its stack; it starts in `main` with the first switch to it.
void make_fiber(Fiber& fiber, void (*main)());
/// Goes on in `to`; returns when somebody switches to `from`.
void switch_fiber(Fiber& from, Fiber& to);

}  // namespace cuda_emulation
