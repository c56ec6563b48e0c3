// Points in a volume, TR 395 section 2.3: the first blocks process columns, for the health; all others process points.
// A point's winding is a sum over its column, so the crossings need not be sorted; the float operations are those of
// query/contains_kernel.cpp.

#include "engines/cuda/contains.hpp"

#include "engines/cuda/pair_columns.hpp"
#include "engines/cuda/sums.hpp"

namespace lamella::cuda {
namespace {

/// If more blocks would be needed, each block processes several lots of points.
constexpr std::uint32_t kMaxPointBlocks = 2048;
/// Independent loads hide each other's latency.
constexpr std::uint32_t kPointsPerThread = 2, kPointsPerLot = kPointsPerThread * kQueryThreads;

template <bool kSlots>
__device__ void add_columns(const Frame& frame, float min_thickness, BlockSums& sums) {
  const float thickness = min_thickness * frame.state->target.depth;
  const SharedRoom room{dynamic_shared<std::uint32_t>() + threadIdx.x};
  const std::uint32_t each = columns_per_block(frame.kind, frame.column_count), first = blockIdx.x * each;
  const std::uint32_t end = std::min(first + each, frame.column_count);
#pragma unroll 1
  for (std::uint32_t column = first + threadIdx.x; column < end; column += kQueryThreads) {
    const ColumnCounts n = column_counts<Kind::contains, kSlots>(frame, column, end);
    if (n.a == 0) continue;
    sums.crossings[0] += n.a;
    ++sums.occupied_columns;
    if (const std::uint32_t layers = crowded<kSlots>(frame, n); layers != 0) {
      atomicMax(&frame.state->most_layers, layers);
      continue;
    }
    int balance = 0;
    const FirstKeys first_keys = fetch_column<kSlots>(frame.columns[0], column, n.a);
    const auto keys = sort_column<kSlots>(frame.columns[0], column, n.a, first_keys, room, balance);
    if (balance != 0)
      ++sums.open_columns;
    else if (turns_inside_out(keys, WholeColumn{}, thickness))
      ++sums.inside_out_columns;
  }
}

/// Windings of a point: of the crossings before it, and of all of its column.
struct PointWinding {
  int before = 0, all = 0;

  __device__ void add(std::uint32_t key, std::uint32_t here) {
    const int sign = Crossing{key}.sign();
    before += key < here ? sign : 0;
    all += sign;
  }
  /// Adds up to four keys, from index i of a column on.
  __device__ void add(uint4 k, std::uint32_t i, std::uint32_t count, std::uint32_t here) {
    if (i < count) add(k.x, here);
    if (i + 1 < count) add(k.y, here);
    if (i + 2 < count) add(k.z, here);
    if (i + 3 < count) add(k.w, here);
  }
};

/// A point's column; any column when the point is outside the box.
struct PointPlace {
  std::uint32_t column = 0;
  std::uint32_t here = 0;  ///< crossings below this key lie before the point
  bool within = false;     ///< the box
};

__device__ inline PointPlace place_point(const FrameState& state, Vec3 p) {
  const Target& t = state.target;
  // The lattice has kSubStep points per cell, a power of two: this is 1 / cell in double, rounded to float.
  constexpr float kPerCell = 1.0f / kSubStep;
  const float u = (p[t.u] - t.lattice.origin_u) * (t.lattice.scale_u * kPerCell);
  const float v = (p[t.v] - t.lattice.origin_v) * (t.lattice.scale_v * kPerCell);
  const float z = p[t.w] - t.lattice.origin_w;
  // Loaded before the comparisons, so that no comparison delays a load.
  const auto columns = static_cast<float>(state.grid.columns), rows = static_cast<float>(state.grid.rows);
  const float depth = t.depth;
  const bool within = u >= 0 && u < columns && v >= 0 && v < rows && z >= 0 && z <= depth;
  const auto cell_u = static_cast<std::uint32_t>(within ? u : 0), cell_v = static_cast<std::uint32_t>(within ? v : 0);
  // Adding zero turns a negative zero positive.
  return {cell_v * state.grid.columns + cell_u, __float_as_uint(z + 0.0f) << 1, within};
}

/// Points counted by a thread.
struct PointCounts {
  std::uint32_t inside = 0, untrusted = 0;
};

/// Flags of kPointsPerThread points, kQueryThreads apart. Each step is done for all points, with no branch around a
/// load, so that all loads are in flight together.
template <bool kSlots>
__device__ void flag_lot(const Frame& frame, std::uint64_t first, PointCounts& totals) {
  const FrameState& state = *frame.state;
  const ColumnStore& store = frame.columns[0];
  const std::uint64_t last = frame.points.count - 1;
  Vec3 points[kPointsPerThread];
  PointPlace places[kPointsPerThread];
  std::uint32_t counts[kPointsPerThread];
  uint4 keys[kPointsPerThread];
  for (std::uint32_t k = 0; k < kPointsPerThread; ++k)
    points[k] = frame.points.positions[std::min<std::uint64_t>(first + k * kQueryThreads, last)];
  for (std::uint32_t k = 0; k < kPointsPerThread; ++k) places[k] = place_point(state, points[k]);
  for (std::uint32_t k = 0; k < kPointsPerThread; ++k) counts[k] = count_at<kSlots>(store, places[k].column);
  for (std::uint32_t k = 0; k < kPointsPerThread; ++k) {
    keys[k] = uint4{};
    if constexpr (kSlots) keys[k] = four_places(store, places[k].column, 0);
  }
  for (std::uint32_t k = 0; k < kPointsPerThread; ++k) {
    const PointPlace& place = places[k];
    const bool counts_here = place.within && first + k * kQueryThreads <= last && (!kSlots || counts[k] <= store.slots);
    const std::uint32_t count = counts_here ? counts[k] : 0;
    PointWinding winding;
    if constexpr (kSlots) {
      winding.add(keys[k], 0, count, place.here);
#pragma unroll 1
      for (std::uint32_t i = 4; i < count; i += 4)
        winding.add(four_places(store, place.column, i), i, count, place.here);
    } else {
      const std::uint32_t* from = keys_at(store, place.column);
#pragma unroll 1
      for (std::uint32_t i = 0; i < count; ++i) winding.add(from[i], place.here);
    }
    const bool inside = winding.all == 0 && winding.before >= 1;
    const bool unknown = winding.all != 0 || winding.before < 0;
    const std::uint8_t flag = unknown ? kPointUnknown : inside ? kPointInside : kPointOutside;
    if (first + k * kQueryThreads <= last) frame.flags[first + k * kQueryThreads] = flag;
    totals.inside += inside ? 1 : 0;
    totals.untrusted += unknown ? 1 : 0;
  }
}

__device__ inline void clear_lot(const Frame& frame, std::uint64_t first) {
  for (std::uint32_t k = 0; k < kPointsPerThread; ++k)
    if (first + k * kQueryThreads < frame.points.count) frame.flags[first + k * kQueryThreads] = 0;
}

/// Writes the flags of one block's lots of points; `lots` blocks share the points.
template <bool kSlots>
__device__ void flag_points(const Frame& frame, std::uint32_t lot, std::uint32_t lots) {
  __shared__ std::uint32_t of_block[2];
  if (threadIdx.x < 2) of_block[threadIdx.x] = 0;
  __syncthreads();
  const bool sampled = frame.state->grid.columns != 0;
  PointCounts counts;
#pragma unroll 1
  for (std::uint64_t at = std::uint64_t{lot} * kPointsPerLot; at < frame.points.count;
       at += std::uint64_t{lots} * kPointsPerLot) {
    if (sampled)
      flag_lot<kSlots>(frame, at + threadIdx.x, counts);
    else
      clear_lot(frame, at + threadIdx.x);
  }
  const std::uint32_t inside = __reduce_add_sync(kAllLanes, counts.inside);
  const std::uint32_t untrusted = __reduce_add_sync(kAllLanes, counts.untrusted);
  if (threadIdx.x % kWarp == 0) {
    if (inside != 0) atomicAdd(&of_block[0], inside);
    if (untrusted != 0) atomicAdd(&of_block[1], untrusted);
  }
  __syncthreads();
  const auto add = [](std::uint64_t* to, std::uint32_t n) {
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    if (n != 0) atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(n));
  };
  if (threadIdx.x == 0) add(&frame.state->inside, of_block[0]);
  if (threadIdx.x == kWarp) add(&frame.state->untrusted, of_block[1]);
}

template <bool kSlots>
__global__ void __launch_bounds__(kQueryThreads)
    contain(Frame frame, std::uint32_t column_blocks, float min_thickness) {
  wait_for_previous();
  BlockSums sums;
  if (blockIdx.x >= column_blocks)
    flag_points<kSlots>(frame, blockIdx.x - column_blocks, gridDim.x - column_blocks);
  else if (frame.state->grid.columns != 0)
    add_columns<kSlots>(frame, min_thickness, sums);
  if (blockIdx.x < column_blocks) leave_sums(frame, sums);
}

}  // namespace

void launch_contains(const Frame& frame, CudaStream stream) {
  const std::uint32_t column_blocks = query_block_count(frame.kind, frame.column_count);
  const std::uint64_t lots = (std::uint64_t{frame.points.count} + kPointsPerLot - 1) / kPointsPerLot;
  const auto point_blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(lots, kMaxPointBlocks));
  const std::uint32_t blocks = std::max(1u, column_blocks + point_blocks);
  // The CPU's contains() also uses this thickness, not the caller's.
  const float min_thickness = QueryOptions{}.min_thickness;
  launch_over_columns(frame, blocks, frame.columns[0].slots != 0 ? contain<true> : contain<false>, stream,
                      column_blocks, min_thickness);
}

}  // namespace lamella::cuda
