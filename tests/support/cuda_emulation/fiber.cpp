#include "fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace cuda_emulation {
namespace {

// Address space alone: pages that nobody touches cost nothing. Frames are larger under sanitizers.
constexpr std::size_t kStack = std::size_t{256} << 10;
constexpr std::size_t kGuard = std::size_t{4} << 10;

}  // namespace

#if defined(CUDA_EMULATION_UCONTEXT)

namespace {

Fiber* came_from = nullptr;

void arrive([[maybe_unused]] Fiber& here) {
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(here.fake_stack, &bottom, &bytes);
  came_from->bottom = const_cast<void*>(bottom);
  came_from->bytes = bytes;
#endif
}

void (*entry)() = nullptr;
Fiber* starting = nullptr;

void start() {
  arrive(*starting);
  entry();
}

}  // namespace

void switch_fiber(Fiber& from, Fiber& to) {
  came_from = &from;
  starting = &to;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.bytes);
#endif
#if defined(__SANITIZE_THREAD__)
  from.sanitizer = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.sanitizer, 0);
#endif
  swapcontext(&from.context, &to.context);
  arrive(from);
}

#else

// Keeps what a called function has to keep, on the stack it leaves, and takes the same from the stack it goes to.
extern "C" void cuda_emulation_switch(void** from, void* to);
asm(R"(
.text
.globl cuda_emulation_switch
.hidden cuda_emulation_switch
.type cuda_emulation_switch, @function
cuda_emulation_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cuda_emulation_switch, .-cuda_emulation_switch
)");

void switch_fiber(Fiber& from, Fiber& to) { cuda_emulation_switch(&from.stack_pointer, to.stack_pointer); }

#endif

void make_fiber(Fiber& fiber, void (*main)()) {
  void* memory =
      mmap(nullptr, kGuard + kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kGuard, PROT_NONE) != 0) {
    std::fputs("cuda emulation: no memory for a thread's stack\n", stderr);
    std::abort();
  }
  fiber.bottom = static_cast<char*>(memory) + kGuard;
  fiber.bytes = kStack;
#if defined(CUDA_EMULATION_UCONTEXT)
  entry = main;
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.bottom;
  fiber.context.uc_stack.ss_size = fiber.bytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, start, 0);
#if defined(__SANITIZE_THREAD__)
  fiber.sanitizer = __tsan_create_fiber(0);
#endif
#else
  // As if `main` had just been called, by nobody: six registers, then where to return to.
  auto* top = reinterpret_cast<std::uint64_t*>(static_cast<char*>(fiber.bottom) + kStack);
  *--top = 0;
  *--top = reinterpret_cast<std::uint64_t>(main);
  for (int i = 0; i < 6; ++i) *--top = 0;
  fiber.stack_pointer = top;
#endif
}

}  // namespace cuda_emulation
