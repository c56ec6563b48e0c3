#pragma once

// From the lists of a pair's columns to sums: a thread takes a column, sorts both lists and walks along them.

#include <type_traits>

#include "engines/cuda/batch_block.hpp"
#include "query/column_walk.hpp"

namespace lamella::cuda::batch {

template <class T>
__device__ __forceinline__ T sum_of_warp(T x) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) x += __shfl_down_sync(kAllLanes, x, distance);
  return x;
}

/// Lane 0 gets the sums, in the order of the lanes.
__device__ inline void sum_warp(WarpSums& sums) {
  SpanTotals& t = sums.overlap;
  t.length = sum_of_warp(t.length);
  t.moment_u = sum_of_warp(t.moment_u);
  t.moment_v = sum_of_warp(t.moment_v);
  t.moment_w = sum_of_warp(t.moment_w);
  t.spans = __reduce_add_sync(kAllLanes, t.spans);
  t.low_u = __reduce_min_sync(kAllLanes, t.low_u);
  t.low_v = __reduce_min_sync(kAllLanes, t.low_v);
  t.high_u = __reduce_max_sync(kAllLanes, t.high_u);
  t.high_v = __reduce_max_sync(kAllLanes, t.high_v);
  // Depths are not negative: their bits have the same order.
  t.low = __uint_as_float(__reduce_min_sync(kAllLanes, __float_as_uint(t.low)));
  t.high = __uint_as_float(__reduce_max_sync(kAllLanes, __float_as_uint(t.high)));
  sums.open = __reduce_add_sync(kAllLanes, sums.open);
  sums.occupied = __reduce_add_sync(kAllLanes, sums.occupied);
  sums.inside_out = __reduce_add_sync(kAllLanes, sums.inside_out);
  for (std::uint32_t& crossings : sums.crossings) crossings = __reduce_add_sync(kAllLanes, crossings);
}

/// A sorted list, for the walks of query/column_walk.hpp.
template <class Nodes>
struct ListCursor {
  const Nodes& nodes;
  std::uint32_t next;
  std::uint32_t key = kNoKey;

  __device__ ListCursor(const Nodes& all, std::uint32_t head) : nodes(all), next(head) { advance(); }
  __device__ void advance() {
    key = kNoKey;
    if (next == kNoNode) return;
    const BatchNode n = nodes.at(next);
    key = n.key;
    next = n.next;
  }
};

/// Whether a list is one entry and one exit, as most are.
template <class Nodes>
__device__ __forceinline__ bool is_plain(const Nodes& nodes, std::uint32_t head, std::uint32_t& in,
                                         std::uint32_t& out) {
  if (head == kNoNode) return false;
  const BatchNode first = nodes.at(head);
  if (first.next == kNoNode) return false;
  const BatchNode second = nodes.at(first.next);
  in = first.key < second.key ? first.key : second.key;
  out = first.key < second.key ? second.key : first.key;
  return second.next == kNoNode && (in & 1u) != 0 && (out & 1u) == 0;
}

/// Any column that is not empty.
template <class Nodes>
__device__ void sum_column(const Nodes& nodes, std::uint32_t a, std::uint32_t b, float thickness, WarpSums& sums,
                           ColumnAdder& adder) {
  const ListFacts facts_a = walk(nodes, a), facts_b = walk(nodes, b);
  sums.crossings[0] += facts_a.count;
  sums.crossings[1] += facts_b.count;
  if (facts_a.balance() != 0 || facts_b.balance() != 0) {
    ++sums.open;
    return;
  }
  if (a == kNoNode || b == kNoNode) return;
  a = sort_list(nodes, a, facts_a.count);
  b = sort_list(nodes, b, facts_b.count);
  const bool inside_out = sweep_pair(ListCursor(nodes, a), ListCursor(nodes, b), WholeColumn{}, WholeColumn{},
                                     thickness, [&](float begin, float end) { adder.add(begin, end); });
  sums.inside_out += inside_out ? 1 : 0;
}

/// Column i, with its two lists; returns the length of its spans.
template <class Nodes>
__device__ __forceinline__ double sum_lists(const Nodes& nodes, std::uint32_t i, std::uint32_t columns, std::uint32_t a,
                                            std::uint32_t b, float thickness, WarpSums& sums) {
  ++sums.occupied;
  const std::uint32_t v = i / columns, u = i - v * columns;
  ColumnAdder adder{sums.overlap};
  std::uint32_t in_a = 0, out_a = 0, in_b = 0, out_b = 0;
  if (!is_plain(nodes, a, in_a, out_a) || !is_plain(nodes, b, in_b, out_b)) {
    sum_column(nodes, a, b, thickness, sums, adder);
  } else {
    sums.crossings[0] += 2;
    sums.crossings[1] += 2;
    const Crossing in{in_a > in_b ? in_a : in_b}, out{out_a < out_b ? out_a : out_b};
    if (is_thick(in.depth(), out.depth(), thickness)) adder.add(in.depth(), out.depth());
  }
  adder.close(u, v);
  return adder.length;
}

template <Near kNear, class Nodes>
__device__ __noinline__ void sum_columns(Nodes nodes, float min_thickness) {
  BlockState& s = block_state();
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  const std::uint32_t* lists = heads<kNear>();
  const std::uint32_t columns = s.targets[0].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[0].depth;
  WarpSums sums{};
  // All lanes of a warp go on as long as one has a column: they add to the lines together.
  for (std::uint32_t i = threadIdx.x; i - threadIdx.x % kWarp < count; i += blockDim.x) {
    const std::uint32_t a = i < count ? lists[i] : kNoNode, b = i < count ? lists[count + i] : kNoNode;
    double length = 0;
    if (a != kNoNode || b != kNoNode) length = sum_lists(nodes, i, columns, a, b, thickness, sums);
    add_to_lines(lines<kNear>(), i, static_cast<LineSum>(in_steps(length, s.step_scale)));
  }
  sum_warp(sums);
  if (threadIdx.x % kWarp == 0) s.sums[threadIdx.x / kWarp] = sums;
}

}  // namespace lamella::cuda::batch
