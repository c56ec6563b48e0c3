// From a list of fragments to columns. Every block of columns takes one contiguous piece of the array of keys; which
// piece may vary from run to run and does not affect the result.

#include "engines/cuda/block.hpp"
#include "engines/cuda/platform.hpp"
#include "engines/cuda/scene_frame.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kScatterThreads = 256;
constexpr unsigned kMostScatterBlocks = 1056;

/// Also zeroes the counts for the next frame.
__global__ void __launch_bounds__(kSweepColumns) scene_places(const SceneFrame f) {
  wait_for_previous();
  let_next_start();
  __shared__ std::uint32_t begin;
  const std::uint32_t column = blockIdx.x * kSweepColumns + threadIdx.x;
  std::uint32_t count = 0, total = 0;
  if (column < f.column_count) {
    count = f.counts[column];
    f.counts[column] = 0;
  }
  const std::uint32_t before = block_scan<kSweepColumns>(count, total);
  if (threadIdx.x == 0) {
    begin = atomicAdd(&f.state->keys, total);
    SweepBlock block;
    block.keys_begin = begin;
    block.keys_count = total;
    f.blocks[blockIdx.x] = block;
  }
  __syncthreads();
  if (column < f.column_count) f.places[column] = {begin + before, count};
}

__global__ void __launch_bounds__(kScatterThreads) scene_scatter(const SceneFrame f) {
  wait_for_previous();
  let_next_start();
  if (f.state->fragments > f.capacity) return;
  const auto count = static_cast<std::uint32_t>(f.state->fragments);
  for (std::uint64_t i = blockIdx.x * kScatterThreads + threadIdx.x; i < count; i += gridDim.x * kScatterThreads) {
    const SceneFragment fragment = f.fragments[i];
    f.keys[f.places[fragment.column].begin + fragment.rank] = fragment.key;
  }
}

}  // namespace

void launch_scene_columns(const SceneFrame& frame, CudaStream stream) {
  launch({.stream = stream, .blocks = sweep_blocks(frame.column_count), .threads = kSweepColumns}, scene_places, frame);
  const std::uint64_t blocks = (std::uint64_t{frame.capacity} + kScatterThreads - 1) / kScatterThreads;
  launch({.stream = stream,
          .blocks = static_cast<unsigned>(std::min<std::uint64_t>(blocks, kMostScatterBlocks)),
          .threads = kScatterThreads},
         scene_scatter, frame);
}

}  // namespace lamella::cuda
