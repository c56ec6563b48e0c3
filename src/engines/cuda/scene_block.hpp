#pragma once

#include "engines/cuda/platform.hpp"

// Sums over a block.

namespace lamella::cuda {

/// Sum of `value` over the lanes before this one, and over all.
__device__ inline std::uint32_t warp_scan(std::uint32_t value, std::uint32_t& total) {
  const unsigned lane = threadIdx.x % kWarp;
  std::uint32_t sum = value;
#pragma unroll
  for (unsigned d = 1; d < kWarp; d *= 2) {
    const std::uint32_t other = __shfl_up_sync(kAllLanes, sum, d);
    if (lane >= d) sum += other;
  }
  total = __shfl_sync(kAllLanes, sum, kWarp - 1);
  return sum - value;
}

/// Likewise over the threads of a block, which must all call it.
template <unsigned kThreads>
__device__ std::uint32_t block_scan(std::uint32_t value, std::uint32_t& total) {
  __shared__ std::uint32_t sums[kThreads / kWarp];
  std::uint32_t of_warp = 0;
  const std::uint32_t in_warp = warp_scan(value, of_warp);
  __syncthreads();  // the last call's sums have been read
  if (threadIdx.x % kWarp == 0) sums[threadIdx.x / kWarp] = of_warp;
  __syncthreads();
  std::uint32_t before = 0;
  total = 0;
  for (unsigned w = 0; w < kThreads / kWarp; ++w) {
    if (w < threadIdx.x / kWarp) before += sums[w];
    total += sums[w];
  }
  return before + in_warp;
}

/// Whether this block is the last of `blocks` to come here; all threads must call it. What the others wrote before is
/// there for the last one to read.
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
