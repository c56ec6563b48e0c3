#pragma once

// What kernels call. A warp intrinsic is complete when all lanes of its mask have arrived at it; then each has its
// answer.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <source_location>

#include "types.hpp"

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

namespace cuda_emulation {

using Where = std::source_location;

enum class Op {
  syncwarp,
  shfl,
  shfl_up,
  shfl_down,
  shfl_xor,
  ballot,
  any,
  all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_min_signed,
  reduce_max_signed,
  reduce_or,
  reduce_and,
  reduce_xor
};

/// Waits for the lanes of the mask and returns this lane's answer. `argument` is the lane or distance of a shuffle.
std::uint64_t collective(Op op, unsigned mask, std::uint64_t value, unsigned argument, int width, Where where);
void barrier(Where where);
/// Returns whether `vote` was set in any thread of the block.
bool voting_barrier(bool vote, Where where);
/// Now and then lets other threads go first.
void maybe_yield();

template <class T>
T shuffle(Op op, unsigned mask, T value, unsigned argument, int width, Where where) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = collective(op, mask, bits, argument, width, where);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T, class Change>
T atomic(T* address, const Change& change) {
  maybe_yield();
  const T before = *address;
  *address = change(before);
  return before;
}

}  // namespace cuda_emulation

inline void __syncthreads(cuda_emulation::Where where = cuda_emulation::Where::current()) {
  cuda_emulation::barrier(where);
}
inline int __syncthreads_or(int vote, cuda_emulation::Where where = cuda_emulation::Where::current()) {
  return cuda_emulation::voting_barrier(vote != 0, where) ? 1 : 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, cuda_emulation::Where where = cuda_emulation::Where::current()) {
  cuda_emulation::collective(cuda_emulation::Op::syncwarp, mask, 0, 0, warpSize, where);
}

// As in CUDA there is an overload for each of these types, so that smaller ones are promoted to int.
#define CUDA_EMULATION_SHUFFLE(name, op, type, argument_type)                                                   \
  inline type name(unsigned mask, type value, argument_type argument, int width = warpSize,                     \
                   cuda_emulation::Where where = cuda_emulation::Where::current()) {                            \
    return cuda_emulation::shuffle(cuda_emulation::Op::op, mask, value, static_cast<unsigned>(argument), width, \
                                   where);                                                                      \
  }
#define CUDA_EMULATION_SHUFFLES(type)                                 \
  CUDA_EMULATION_SHUFFLE(__shfl_sync, shfl, type, int)                \
  CUDA_EMULATION_SHUFFLE(__shfl_up_sync, shfl_up, type, unsigned)     \
  CUDA_EMULATION_SHUFFLE(__shfl_down_sync, shfl_down, type, unsigned) \
  CUDA_EMULATION_SHUFFLE(__shfl_xor_sync, shfl_xor, type, int)
CUDA_EMULATION_SHUFFLES(int)
CUDA_EMULATION_SHUFFLES(unsigned)
CUDA_EMULATION_SHUFFLES(long)
CUDA_EMULATION_SHUFFLES(unsigned long)
CUDA_EMULATION_SHUFFLES(long long)
CUDA_EMULATION_SHUFFLES(unsigned long long)
CUDA_EMULATION_SHUFFLES(float)
CUDA_EMULATION_SHUFFLES(double)
#undef CUDA_EMULATION_SHUFFLES
#undef CUDA_EMULATION_SHUFFLE

#define CUDA_EMULATION_COLLECTIVE(result, name, op, type)                                                          \
  inline result name(unsigned mask, type value, cuda_emulation::Where where = cuda_emulation::Where::current()) {  \
    return static_cast<result>(cuda_emulation::collective(cuda_emulation::Op::op, mask,                            \
                                                          static_cast<std::uint32_t>(value), 0, warpSize, where)); \
  }
CUDA_EMULATION_COLLECTIVE(unsigned, __ballot_sync, ballot, int)
CUDA_EMULATION_COLLECTIVE(int, __any_sync, any, int)
CUDA_EMULATION_COLLECTIVE(int, __all_sync, all, int)
CUDA_EMULATION_COLLECTIVE(unsigned, __reduce_add_sync, reduce_add, unsigned)
CUDA_EMULATION_COLLECTIVE(unsigned, __reduce_min_sync, reduce_min, unsigned)
CUDA_EMULATION_COLLECTIVE(unsigned, __reduce_max_sync, reduce_max, unsigned)
CUDA_EMULATION_COLLECTIVE(int, __reduce_add_sync, reduce_add, int)
CUDA_EMULATION_COLLECTIVE(int, __reduce_min_sync, reduce_min_signed, int)
CUDA_EMULATION_COLLECTIVE(int, __reduce_max_sync, reduce_max_signed, int)
CUDA_EMULATION_COLLECTIVE(unsigned, __reduce_or_sync, reduce_or, unsigned)
CUDA_EMULATION_COLLECTIVE(unsigned, __reduce_and_sync, reduce_and, unsigned)
CUDA_EMULATION_COLLECTIVE(unsigned, __reduce_xor_sync, reduce_xor, unsigned)
#undef CUDA_EMULATION_COLLECTIVE

#define CUDA_EMULATION_ATOMIC(name, type, expression)                                           \
  inline type name(type* address, type value) {                                                 \
    return cuda_emulation::atomic(address, [value](type old) -> type { return (expression); }); \
  }
#define CUDA_EMULATION_ORDERED(type)                                \
  CUDA_EMULATION_ATOMIC(atomicMin, type, value < old ? value : old) \
  CUDA_EMULATION_ATOMIC(atomicMax, type, old < value ? value : old)
#define CUDA_EMULATION_BITS(type)                                                                           \
  CUDA_EMULATION_ATOMIC(atomicOr, type, old | value)                                                        \
  CUDA_EMULATION_ATOMIC(atomicAnd, type, old& value)                                                        \
  CUDA_EMULATION_ATOMIC(atomicXor, type, old ^ value)                                                       \
  inline type atomicCAS(type* address, type compare, type value) {                                          \
    return cuda_emulation::atomic(address, [=](type old) -> type { return old == compare ? value : old; }); \
  }
// Sums of int wrap on the device.
CUDA_EMULATION_ATOMIC(atomicAdd, int, static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
CUDA_EMULATION_ATOMIC(atomicAdd, unsigned, old + value)
CUDA_EMULATION_ATOMIC(atomicAdd, unsigned long long, old + value)
CUDA_EMULATION_ATOMIC(atomicAdd, float, old + value)
CUDA_EMULATION_ATOMIC(atomicAdd, double, old + value)
CUDA_EMULATION_ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
CUDA_EMULATION_ATOMIC(atomicSub, unsigned, old - value)
CUDA_EMULATION_ORDERED(int)
CUDA_EMULATION_ORDERED(unsigned)
CUDA_EMULATION_ORDERED(long long)
CUDA_EMULATION_ORDERED(unsigned long long)
CUDA_EMULATION_BITS(int)
CUDA_EMULATION_BITS(unsigned)
CUDA_EMULATION_BITS(unsigned long long)
CUDA_EMULATION_ATOMIC(atomicExch, int, (static_cast<void>(old), value))
CUDA_EMULATION_ATOMIC(atomicExch, unsigned, (static_cast<void>(old), value))
CUDA_EMULATION_ATOMIC(atomicExch, unsigned long long, (static_cast<void>(old), value))
CUDA_EMULATION_ATOMIC(atomicExch, float, (static_cast<void>(old), value))
#undef CUDA_EMULATION_BITS
#undef CUDA_EMULATION_ORDERED
#undef CUDA_EMULATION_ATOMIC

inline void __threadfence() { cuda_emulation::maybe_yield(); }
inline void __threadfence_block() { cuda_emulation::maybe_yield(); }
template <class T>
T __ldg(const T* address) {
  return *address;
}

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
inline int __ffsll(long long x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1; }

inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }

// To the nearest, halves to even; beyond the range its ends. NaN is 0 in 32 bits, the smallest number in 64.
inline int __float2int_rn(float x) {
  if (std::isnan(x)) return 0;
  if (x >= 0x1p31f) return std::numeric_limits<int>::max();
  if (x <= -0x1p31f) return std::numeric_limits<int>::min();
  return static_cast<int>(std::nearbyint(x));
}
inline long long __float2ll_rn(float x) {
  if (std::isnan(x)) return std::numeric_limits<long long>::min();
  if (x >= 0x1p63f) return std::numeric_limits<long long>::max();
  if (x <= -0x1p63f) return std::numeric_limits<long long>::min();
  return static_cast<long long>(std::nearbyint(x));
}
