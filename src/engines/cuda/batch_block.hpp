#pragma once

// Layout of a block's shared memory in batch.cu, bodies.cu and shifts.cu: state, queues, heads of lists, codes of
// vertices, nodes.

#include "core/placement.hpp"
#include "engines/cuda/batch_job.hpp"
#include "engines/cuda/batch_lists.hpp"
#include "engines/cuda/lines.hpp"
#include "engines/cuda/platform.hpp"
#include "query/gradient_sums.hpp"

namespace lamella::cuda::batch {

inline constexpr std::uint32_t kMostThreads = 1024;
/// Of a multiprocessor, and of a block that has it for itself. With tags, more would have too few registers; and what
/// spills goes to the second-level cache, since shared memory leaves next to nothing of the first.
__host__ __device__ constexpr std::uint32_t most_threads(bool tags) { return tags ? 768 : kMostThreads; }
/// Nodes per column that must fit in shared memory for blocks with fewer threads.
inline constexpr std::size_t kWantedNodes = 1;
/// The same with slots, which leave few crossings for nodes.
__host__ __device__ constexpr std::size_t wanted_slot_nodes(std::size_t columns) { return columns / 4; }
/// Samples of a box that a lane may test while other lanes of its warp have none left.
inline constexpr std::uint32_t kLaneSamples = 12;
/// The same for a triangle that extends beyond the image and is put aside.
inline constexpr std::int32_t kThreadSamples = 64;
/// Triangles put aside: those that extend beyond the image, one thread each, and the large ones, one warp each. When a
/// queue is full, its triangles are processed at once.
inline constexpr std::uint32_t kClippedQueue = 1024, kLargeQueue = 256;
/// Queue in which a warp collects survivors of the cull until it has one for each lane.
inline constexpr std::uint32_t kWarpQueue = 2 * kWarp;

/// What is in shared memory; the rest is in the block's scratch.
enum class Near : std::uint8_t {
  nothing,
  heads,
  all,
  slots,  ///< all, and heads are slots, see batch_slots.hpp
};
__host__ __device__ constexpr bool has_codes(Near near) { return near == Near::all || near == Near::slots; }
/// Slots of a column: entries and exits of mesh a, then those of mesh b.
inline constexpr std::uint32_t kSlots = 4;

/// What is kept of each crossing besides its key, in scratch.
enum class Tag : std::uint8_t {
  none,
  face,    ///< NodeTag::face
  normal,  ///< and NodeTag::normal
};
struct alignas(8) NodeTag {
  std::uint32_t face;  ///< its triangle's number, with kOfB
  float normal;        ///< of its triangle: the part along the rays, without sign
};

/// Views of a pair: with gradients one along each axis, by its number; otherwise the first is the only one.
inline constexpr std::uint32_t kViews = 3;

/// What sampling a view asks for, room or not.
struct ViewCounts {
  std::uint32_t nodes, clipped, large;
  std::uint32_t listed;  ///< nodes beyond these, for crossings that were in slots
};

/// Two's complement, as SignedSum, of the type that atomics take.
using SumWord = unsigned long long;

/// Sums over the ends of all spans of a view that are on mesh a: +1 where a span ends, -1 where it begins. Those of
/// mesh b are the same with the other sign, since every span has one of each.
struct ViewEnds {
  SumWord count, twice_u, twice_v;  ///< as in EndSums
  SumWord area[2];                  ///< of the ends on either mesh
};

/// What second moments need besides SpanTotals: as in MomentSums.
struct SquareSums {
  double uu = 0, uv = 0, vv = 0, uw = 0, vw = 0, ww = 0;
};

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
  Order orders[2];     ///< the current and the next, or the previous and the current
  std::uint32_t turn;  ///< which one is current
  ViewCounts counts[kViews];
  std::uint32_t skipped, bad_index[2];
  bool sampled;
  Grid grid;               ///< of the answer
  std::uint32_t main;      ///< its view
  std::uint32_t overlaps;  ///< with gradients: whether that view has spans
  Target targets[kViews];
  double step_scale;  ///< length_scale() of the grid
  WarpSums sums[kMostThreads / kWarp];
  SquareSums squares[kMostThreads / kWarp];
  ViewEnds ends[kViews];
  SumWord end_sums[kViews][2][sizeof(EndSums) / sizeof(SumWord)];  ///< EndSums by mesh; of bodies.cu

  std::uint32_t resolution, head_count, vertex_capacity, near_nodes, node_capacity;
  Vec3* placed;   ///< of both meshes
  NodeTag* tags;  ///< of all nodes, then of all slots, if they have some
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
/// The part of these that is in shared memory. Without the codes, the sums of lines are not used.
__host__ __device__ constexpr std::size_t near_bytes(Near near, std::size_t heads, std::size_t vertices,
                                                     std::size_t resolution) {
  return has_codes(near)       ? list_bytes(heads, vertices, resolution)
         : near == Near::heads ? aligned(heads * sizeof(std::uint32_t))
                               : 0;
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
template <Near kNear>
__device__ __forceinline__ std::uint32_t* heads() {
  if constexpr (kNear != Near::nothing)
    return reinterpret_cast<std::uint32_t*>(dynamic_shared<unsigned char>() + fixed_bytes(blockDim.x));
  else
    return block_state().far_heads;
}
template <Near kNear>
__device__ __forceinline__ std::uint32_t* codes() {
  if constexpr (has_codes(kNear))
    return heads<kNear>() + block_state().head_count;
  else
    return block_state().far_codes;
}
template <Near kNear>
__device__ __forceinline__ LineStore lines() {
  const BlockState& s = block_state();
  if constexpr (has_codes(kNear)) {
    unsigned char* lists = dynamic_shared<unsigned char>() + fixed_bytes(blockDim.x);
    return {reinterpret_cast<LineSum*>(lists + line_begin(s.head_count, s.vertex_capacity)), s.resolution,
            s.resolution};
  } else {
    return {s.far_lines, s.resolution, s.resolution};
  }
}
template <Near kNear>
__device__ __forceinline__ NodePool node_pool() {
  const BlockState& s = block_state();
  const auto lists = static_cast<std::uint32_t>(near_bytes(kNear, s.head_count, s.vertex_capacity, s.resolution));
  return {reinterpret_cast<BatchNode*>(dynamic_shared<unsigned char>() + fixed_bytes(blockDim.x) + lists), s.far_nodes,
          s.near_nodes, s.node_capacity};
}

/// Finds the parts of this block's scratch; by one thread.
__device__ inline void find_scratch(const BlockMemory& memory, BlockState& s) {
  unsigned char* scratch = memory.scratch + blockIdx.x * memory.scratch_stride;
  s.resolution = memory.resolution;
  s.head_count = memory.lists * memory.resolution * memory.resolution;
  s.vertex_capacity = memory.vertex_capacity;
  s.near_nodes = memory.near_nodes;
  s.node_capacity = memory.near_nodes + memory.far_nodes;
  s.placed = reinterpret_cast<Vec3*>(scratch);
  scratch += aligned(std::size_t{memory.vertex_capacity} * sizeof(Vec3));
  s.far_heads = reinterpret_cast<std::uint32_t*>(scratch);
  s.far_codes = s.far_heads + s.head_count;
  s.far_lines = reinterpret_cast<LineSum*>(scratch + line_begin(s.head_count, memory.vertex_capacity));
  if (!memory.near) scratch += list_bytes(s.head_count, memory.vertex_capacity, memory.resolution);
  s.far_nodes = reinterpret_cast<BatchNode*>(scratch);
  s.tags = reinterpret_cast<NodeTag*>(s.far_nodes + memory.far_nodes);
}

}  // namespace lamella::cuda::batch
