#pragma once

// Sums over the threads of a block, always in the same order: lanes of a warp by a tree of shuffles, then the warps.
// For blocks of kQueryThreads; every thread must take part.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda {

inline constexpr std::uint32_t kQueryWarps = kQueryThreads / kWarp;
static_assert(kQueryThreads % kWarp == 0 && kQueryWarps <= kWarp);
static_assert(std::is_trivially_copyable_v<BlockSums> && sizeof(BlockSums) % sizeof(double) == 0);

__device__ inline void merge(BlockSums& into, const BlockSums& from) {
  merge(into.overlap, from.overlap);
  into.inside_out_length += from.inside_out_length;
  into.crossings[0] += from.crossings[0];
  into.crossings[1] += from.crossings[1];
  into.inside_out_spans += from.inside_out_spans;
  into.open_columns += from.open_columns;
  into.occupied_columns += from.occupied_columns;
  into.inside_out_columns += from.inside_out_columns;
}

/// Lane 0 gets the sum of all lanes.
template <class T>
__device__ inline void sum_lanes(T& value) {
  for (unsigned apart = kWarp / 2; apart > 0; apart /= 2) value += __shfl_down_sync(kAllLanes, value, apart);
}

/// Lane 0 gets the warp's sums.
__device__ inline void sum_warp(BlockSums& s) {
  // No column of these lanes has a crossing: nothing to sum.
  if (__any_sync(kAllLanes, s.occupied_columns != 0) == 0) return;
  sum_lanes(s.crossings[0]);
  sum_lanes(s.crossings[1]);
  s.open_columns = __reduce_add_sync(kAllLanes, s.open_columns);
  s.occupied_columns = __reduce_add_sync(kAllLanes, s.occupied_columns);
  s.inside_out_columns = __reduce_add_sync(kAllLanes, s.inside_out_columns);
  if (__any_sync(kAllLanes, (s.overlap.spans | s.inside_out_spans) != 0) == 0) return;
  sum_lanes(s.inside_out_length);
  s.inside_out_spans = __reduce_add_sync(kAllLanes, s.inside_out_spans);
  SpanTotals& t = s.overlap;
  sum_lanes(t.length);
  sum_lanes(t.moment_u);
  sum_lanes(t.moment_v);
  sum_lanes(t.moment_w);
  t.spans = __reduce_add_sync(kAllLanes, t.spans);
  t.low_u = __reduce_min_sync(kAllLanes, t.low_u);
  t.low_v = __reduce_min_sync(kAllLanes, t.low_v);
  t.high_u = __reduce_max_sync(kAllLanes, t.high_u);
  t.high_v = __reduce_max_sync(kAllLanes, t.high_v);
  // Depths are not negative: their bits have the same order.
  t.low = __uint_as_float(__reduce_min_sync(kAllLanes, __float_as_uint(t.low)));
  t.high = __uint_as_float(__reduce_max_sync(kAllLanes, __float_as_uint(t.high)));
}

/// Thread 0 gets the block's sums.
__device__ inline void sum_block(BlockSums& s) {
  __shared__ double room[kQueryWarps * sizeof(BlockSums) / sizeof(double)];
  auto* of_warps = reinterpret_cast<BlockSums*>(room);
  sum_warp(s);
  if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = s;
  __syncthreads();
  if (threadIdx.x == 0)
    for (std::uint32_t w = 1; w < kQueryWarps; ++w) merge(s, of_warps[w]);
  __syncthreads();
}

// In Frame::sums the first words of all blocks come first, then the second ones, ...: threads that read adjacent blocks
// read adjacent words.

inline constexpr std::size_t kSumWords = sizeof(BlockSums) / sizeof(std::uint64_t);
struct SumWords {
  std::uint64_t at[kSumWords];
};

__device__ inline BlockSums load_sums(const Frame& frame, std::uint32_t block) {
  SumWords words;
#pragma unroll
  for (std::size_t w = 0; w < kSumWords; ++w) words.at[w] = frame.sums[w * kQueryBlocks + block];
  return std::bit_cast<BlockSums>(words);
}

/// Call last in a block that has columns: stores its sums for launch_report().
__device__ inline void leave_sums(const Frame& frame, BlockSums& sums) {
  sum_block(sums);
  if (threadIdx.x != 0) return;
  const auto words = std::bit_cast<SumWords>(sums);
#pragma unroll
  for (std::size_t w = 0; w < kSumWords; ++w) frame.sums[w * kQueryBlocks + blockIdx.x] = words.at[w];
}

}  // namespace lamella::cuda
