#pragma once

// Layout of a block's shared memory in batch.cu: state, queues, heads of lists, codes of vertices, nodes.

#include "core/placement.hpp"
#include "engines/cuda/batch_job.hpp"
#include "engines/cuda/batch_lists.hpp"
#include "engines/cuda/lines.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda::batch {

inline constexpr std::uint32_t kMostThreads = 1024, kPreferredThreads = 512;
/// Nodes per column that must fit in shared memory for blocks with fewer threads.
inline constexpr std::size_t kWantedNodes = 1;
/// Samples of a box that a lane may test while other lanes of its warp have none left.
inline constexpr std::uint32_t kLaneSamples = 12;
/// The same for a triangle that extends beyond the image and is put aside.
inline constexpr std::int32_t kThreadSamples = 64;
/// Triangles put aside: those that extend beyond the image, one thread each, and the large ones, one warp each. When a
/// queue is full, its triangles are processed at once.
inline constexpr std::uint32_t kClippedQueue = 1024, kLargeQueue = 256;
/// Queue in which a warp collects survivors of the cull until it has one for each lane.
inline constexpr std::uint32_t kWarpQueue = 2 * kWarp;

/// A pair as a block works on it.
struct Order {
  std::uint32_t pair;
  DeviceMesh mesh[2];
  const Vec3* points[2];  ///< placed
  Placement placement[2];
  bool identity[2];
  // Results of placing.
  std::uint32_t low[2][3], high[2][3];  ///< boxes, as order_bits()
  std::uint32_t unusable[2];            ///< whether a vertex is
};

/// A warp's part of an answer.
struct WarpSums {
  SpanTotals overlap;
  std::uint32_t open = 0, occupied = 0, inside_out = 0, crossings[2] = {};
};

/// The first thing in a block's shared memory.
struct BlockState {
  Order orders[2];                      ///< the current and the next, or the previous and the current
  std::uint32_t turn;                   ///< which one is current
  std::uint32_t nodes, clipped, large;  ///< asked for, room or not
  std::uint32_t skipped, bad_index[2];
  bool sampled;
  Grid grid;
  Target target;
  double step_scale;  ///< length_scale() of the grid
  WarpSums sums[kMostThreads / kWarp];

  std::uint32_t resolution, head_count, vertex_capacity, near_nodes, node_capacity;
  Vec3* placed;  ///< of both meshes
  std::uint32_t *far_heads, *far_codes;
  LineSum* far_lines;
  BatchNode* far_nodes;
};

__host__ __device__ constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
inline constexpr std::uint32_t kStateBytes = aligned(sizeof(BlockState));
/// State and queues; heads, codes and nodes follow.
__host__ __device__ constexpr std::uint32_t fixed_bytes(std::uint32_t threads) {
  return kStateBytes + (kClippedQueue + kLargeQueue + threads / kWarp * kWarpQueue) * 4;
}
/// Heads of columns and codes of vertices, mesh a's then mesh b's; sums of lines follow.
__host__ __device__ constexpr std::size_t line_begin(std::size_t heads, std::size_t vertices) {
  return aligned((heads + vertices) * sizeof(std::uint32_t));
}
__host__ __device__ constexpr std::size_t list_bytes(std::size_t heads, std::size_t vertices, std::size_t resolution) {
  return line_begin(heads, vertices) + aligned((kLineClasses + 1) * resolution * sizeof(LineSum));
}

// Looked up where they are used, not passed on: the compiler then knows that they are in shared memory.
__device__ __forceinline__ BlockState& block_state() { return *dynamic_shared<BlockState>(); }
__device__ __forceinline__ const Order& this_order() { return block_state().orders[block_state().turn]; }
__device__ __forceinline__ std::uint32_t* clipped_queue() {
  return reinterpret_cast<std::uint32_t*>(dynamic_shared<unsigned char>() + kStateBytes);
}
__device__ __forceinline__ std::uint32_t* large_queue() { return clipped_queue() + kClippedQueue; }
__device__ __forceinline__ std::uint32_t* survivor_queue(std::uint32_t warp) {
  return large_queue() + kLargeQueue + warp * kWarpQueue;
}
template <bool kNear>
__device__ __forceinline__ std::uint32_t* heads() {
  if constexpr (kNear)
    return reinterpret_cast<std::uint32_t*>(dynamic_shared<unsigned char>() + fixed_bytes(blockDim.x));
  else
    return block_state().far_heads;
}
template <bool kNear>
__device__ __forceinline__ std::uint32_t* codes() {
  if constexpr (kNear)
    return heads<true>() + block_state().head_count;
  else
    return block_state().far_codes;
}
template <bool kNear>
__device__ __forceinline__ LineStore lines() {
  const BlockState& s = block_state();
  if constexpr (kNear) {
    unsigned char* lists = dynamic_shared<unsigned char>() + fixed_bytes(blockDim.x);
    return {reinterpret_cast<LineSum*>(lists + line_begin(s.head_count, s.vertex_capacity)), s.resolution,
            s.resolution};
  } else {
    return {s.far_lines, s.resolution, s.resolution};
  }
}
template <bool kNear>
__device__ __forceinline__ NodePool node_pool() {
  const BlockState& s = block_state();
  const std::uint32_t lists =
      kNear ? static_cast<std::uint32_t>(list_bytes(s.head_count, s.vertex_capacity, s.resolution)) : 0;
  return {reinterpret_cast<BatchNode*>(dynamic_shared<unsigned char>() + fixed_bytes(blockDim.x) + lists), s.far_nodes,
          s.near_nodes, s.node_capacity};
}

/// Finds the parts of this block's scratch; by one thread.
__device__ inline void find_scratch(const BatchJob& job, BlockState& s) {
  unsigned char* scratch = job.scratch + blockIdx.x * job.scratch_stride;
  s.resolution = job.resolution;
  s.head_count = 2 * job.resolution * job.resolution;
  s.vertex_capacity = job.vertex_capacity;
  s.near_nodes = job.near_nodes;
  s.node_capacity = job.near_nodes + job.far_nodes;
  s.placed = reinterpret_cast<Vec3*>(scratch);
  scratch += aligned(std::size_t{job.vertex_capacity} * sizeof(Vec3));
  s.far_heads = reinterpret_cast<std::uint32_t*>(scratch);
  s.far_codes = s.far_heads + s.head_count;
  s.far_lines = reinterpret_cast<LineSum*>(scratch + line_begin(s.head_count, job.vertex_capacity));
  if (!job.near) scratch += list_bytes(s.head_count, job.vertex_capacity, job.resolution);
  s.far_nodes = reinterpret_cast<BatchNode*>(scratch);
}

}  // namespace lamella::cuda::batch
