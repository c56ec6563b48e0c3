#pragma once

// Counts what a program allocates, by replacing operator new: include it in one source of a test program, no more.

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace lamella::test {

inline std::atomic<bool> g_counting{false};
inline std::atomic<std::size_t> g_allocations{0};
inline std::atomic<std::int64_t> g_live{0}, g_peak{0};  // bytes, since counting began

inline void* counted(std::size_t size) {
  void* p = std::malloc(size != 0 ? size : 1);
  if (p == nullptr) throw std::bad_alloc();
  if (g_counting) {
    ++g_allocations;
    const auto bytes = static_cast<std::int64_t>(malloc_usable_size(p));
    const std::int64_t live = g_live += bytes;
    for (std::int64_t peak = g_peak; live > peak && !g_peak.compare_exchange_weak(peak, live);) {
    }
  }
  return p;
}

inline void released(void* p) {
  if (g_counting && p != nullptr) g_live -= static_cast<std::int64_t>(malloc_usable_size(p));
  std::free(p);
}

template <class Call>
std::size_t allocations_of(const Call& call) {
  g_allocations = 0;
  g_live = g_peak = 0;
  g_counting = true;
  call();
  g_counting = false;
  return g_allocations;
}

}  // namespace lamella::test

void* operator new(std::size_t size) { return lamella::test::counted(size); }
void* operator new[](std::size_t size) { return lamella::test::counted(size); }
// These too: AddressSanitizer has its own, which do not fit the deletes below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return lamella::test::counted(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept { return operator new(size, nothrow); }
void operator delete(void* p) noexcept { lamella::test::released(p); }
void operator delete[](void* p) noexcept { lamella::test::released(p); }
void operator delete(void* p, std::size_t) noexcept { lamella::test::released(p); }
void operator delete[](void* p, std::size_t) noexcept { lamella::test::released(p); }
