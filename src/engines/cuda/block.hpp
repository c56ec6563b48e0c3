#pragma once

// Prefix sums over lanes and threads, and a test for the last block of a kernel.

#include "engines/cuda/platform.hpp"

namespace lamella::cuda {

/// Sum of `value` over the lanes before this one, and over all.
template <class T>
__device__ T warp_scan(T value, T& total) {
  const unsigned lane = threadIdx.x % kWarp;
  T sum = value;
#pragma unroll
  for (unsigned d = 1; d < kWarp; d *= 2) {
    const T other = __shfl_up_sync(kAllLanes, sum, d);
    if (lane >= d) sum += other;
  }
  total = __shfl_sync(kAllLanes, sum, kWarp - 1);
  return sum - value;
}

/// Likewise over the threads of a block, which must all call it.
template <unsigned kThreads, class T>
__device__ T block_scan(T value, T& total) {
  constexpr unsigned kWarps = kThreads / kWarp;
  static_assert(kWarps <= kWarp);
  __shared__ T sums[kWarps];
  T of_warp = 0;
  const T in_warp = warp_scan(value, of_warp);
  const unsigned lane = threadIdx.x % kWarp;
  if (lane == 0) sums[threadIdx.x / kWarp] = of_warp;
  __syncthreads();
  const T before = warp_scan(lane < kWarps ? sums[lane] : T{0}, total);
  __syncthreads();  // all threads have read the sums: the next call may write
  return __shfl_sync(kAllLanes, before, static_cast<int>(threadIdx.x / kWarp)) + in_warp;
}

/// Whether this block is the last of `blocks` to reach this call; all threads must call it. The last block sees
/// everything that the others wrote before.
__device__ inline bool is_last_block(std::uint32_t* done, std::uint32_t blocks) {
  __shared__ std::uint32_t before;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) before = atomicAdd(done, 1u);
  __syncthreads();
  __threadfence();
  return before == blocks - 1;
}

}  // namespace lamella::cuda
