#pragma once

// Vertices of a pair, or of one mesh: placed by their poses, their box, and their codes on a view's grid.

#include "engines/cuda/batch_block.hpp"

namespace lamella::cuda::batch {

/// The same order of operations as in the software engine, rounded once.
__device__ __forceinline__ float placed_coordinate(const Vec3d& row, double translation, const Vec3d& p) {
  return static_cast<float>(row.x * p.x + row.y * p.y + row.z * p.z + translation);
}

/// Places a mesh's vertices and finds their box.
__device__ inline void place_vertices(Order& order, int m, Vec3* placed, std::uint32_t threads) {
  const DeviceMesh& mesh = order.mesh[m];
  const bool identity = order.identity[m];
  const Placement& placement = order.placement[m];
  const Aabb none;
  float low[3] = {none.min.x, none.min.y, none.min.z}, high[3] = {none.max.x, none.max.y, none.max.z};
  std::uint32_t unusable = 0;
  for (std::uint32_t i = threadIdx.x; i < mesh.vertex_count; i += threads) {
    Vec3 p = mesh.positions[i];
    if (!identity) {
      const Vec3d exact{p.x, p.y, p.z};
      p.x = placed_coordinate(placement.rows[0], placement.translation.x, exact);
      p.y = placed_coordinate(placement.rows[1], placement.translation.y, exact);
      p.z = placed_coordinate(placement.rows[2], placement.translation.z, exact);
      placed[i] = p;
    }
    const bool fine = usable(p);
    unusable |= fine ? 0 : 1;
    const float x[3] = {p.x, p.y, p.z};
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      low[k] = fine ? ::fminf(low[k], x[k]) : low[k];
      high[k] = fine ? ::fmaxf(high[k], x[k]) : high[k];
    }
  }
  const bool first = threadIdx.x % kWarp == 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t least = __reduce_min_sync(kAllLanes, order_bits(low[k]));
    const std::uint32_t most = __reduce_max_sync(kAllLanes, order_bits(high[k]));
    if (!first) continue;
    atomicMin(&order.low[m][k], least);
    atomicMax(&order.high[m][k], most);
  }
  unusable = __reduce_or_sync(kAllLanes, unusable);
  if (first && unusable != 0) atomicOr(&order.unusable[m], 1u);
}

__device__ inline Aabb box_of(const Order& order, int m) {
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    box.min[k] = from_order_bits(order.low[m][k]);
    box.max[k] = from_order_bits(order.high[m][k]);
  }
  return box;
}

/// Empties what placing a mesh's vertices fills.
__device__ inline void begin_box(Order& order, int m) {
  for (int k = 0; k < 3; ++k) {
    order.low[m][k] = ~0u;
    order.high[m][k] = 0;
  }
  order.unusable[m] = 0;
}

template <Near kNear>
__device__ void encode_vertices(std::uint32_t view) {
  const Order& order = this_order();
  const Target t = block_state().targets[view];
  std::uint32_t* to = codes<kNear>();
#pragma unroll
  for (int m = 0; m < 2; ++m) {
    const std::uint32_t count = order.mesh[m].vertex_count;
    const Vec3* points = order.points[m];
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) to[i] = cell_code(points[i], t);
    to += count;
  }
}

/// All lists, and the sums of lines.
template <Near kNear>
__device__ void clear_lists() {
  if constexpr (kNear != Near::heads) {
    const LineStore sums = lines<kNear>();
    for (std::uint32_t i = threadIdx.x; i < sums.count(); i += blockDim.x) sums.sums[i] = 0;
  }
  std::uint32_t* lists = heads<kNear>();
  const std::uint32_t count = block_state().head_count;
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) lists[i] = kNoNode;
}

}  // namespace lamella::cuda::batch
