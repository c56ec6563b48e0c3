#pragma once

#include <type_traits>

#include "engines/cuda/batch_block.hpp"

// From the lists of a pair's columns to sums: a thread has a column, sorts both lists and sweeps along them.

namespace lamella::cuda::batch {

template <class T>
__device__ __forceinline__ T sum_of_warp(T x) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) x += __shfl_down_sync(kAllLanes, x, distance);
  return x;
}

/// In lane 0; order of the lanes.
__device__ inline void sum_warp(WarpSums& sums) {
  sums.length = sum_of_warp(sums.length);
  sums.moment_u = sum_of_warp(sums.moment_u);
  sums.moment_v = sum_of_warp(sums.moment_v);
  sums.moment_w = sum_of_warp(sums.moment_w);
  sums.spans = __reduce_add_sync(kAllLanes, sums.spans);
  sums.open = __reduce_add_sync(kAllLanes, sums.open);
  sums.occupied = __reduce_add_sync(kAllLanes, sums.occupied);
  sums.inside_out = __reduce_add_sync(kAllLanes, sums.inside_out);
  for (std::uint32_t& crossings : sums.crossings) crossings = __reduce_add_sync(kAllLanes, crossings);
}

/// Joins stretches into spans as SpanJoiner of query/column_sums.hpp does.
struct SpanSum {
  WarpSums& sums;
  double u, v;  ///< middle of the cell
  float thickness;
  float begin = -1, end = -1;

  __device__ void close() {
    if (!(end - begin > thickness)) return;
    const double l = static_cast<double>(end) - begin;
    ++sums.spans;
    sums.length += l;
    sums.moment_u += u * l;
    sums.moment_v += v * l;
    sums.moment_w += 0.5 * l * (static_cast<double>(begin) + end);
  }
  __device__ inline void stretch(float from, float to) {
    if (from != end) {
      close();
      begin = from;
    }
    end = to;
  }
};

/// Where both windings are at least 1, along two lists in order: intersect() of query/intersect.cpp.
template <class Nodes>
__device__ void sweep(const Nodes& nodes, std::uint32_t a, std::uint32_t b, float depth, SpanSum& overlap) {
  BatchNode at_a = nodes.at(a), at_b = nodes.at(b);
  int winding_a = 0, winding_b = 0;
  float from = 0;
  bool inside_out = false;
  const auto stretch = [&](float to) {
    if (!(to > from)) return;
    if (winding_a >= 1 && winding_b >= 1) overlap.stretch(from, to);
    inside_out = inside_out || ((winding_a < 0 || winding_b < 0) && to - from > overlap.thickness);
  };
#pragma unroll 1
  while (a != kNoNode || b != kNoNode) {
    const bool take_a = b == kNoNode || (a != kNoNode && at_a.key <= at_b.key);
    const Crossing c{take_a ? at_a.key : at_b.key};
    stretch(c.depth());
    from = c.depth();
    if (take_a) {
      winding_a += c.sign();
      a = at_a.next;
      if (a != kNoNode) at_a = nodes.at(a);
    } else {
      winding_b += c.sign();
      b = at_b.next;
      if (b != kNoNode) at_b = nodes.at(b);
    }
  }
  stretch(depth);
  overlap.close();
  overlap.sums.inside_out += inside_out ? 1 : 0;
}

/// Whether a list is in and out once, as most are.
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
__device__ void sum_column(const Nodes& nodes, std::uint32_t a, std::uint32_t b, float depth, SpanSum& overlap) {
  WarpSums& sums = overlap.sums;
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
  sweep(nodes, a, b, depth, overlap);
}

template <bool kNear, class Nodes>
__device__ __noinline__ void sum_columns(Nodes nodes, float min_thickness) {
  BlockState& s = block_state();
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  const std::uint32_t* lists = heads<kNear>();
  const std::uint32_t columns = s.target.columns, count = columns * columns;
  const float depth = s.target.depth, thickness = min_thickness * depth;
  WarpSums sums{};
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    const std::uint32_t a = lists[i], b = lists[count + i];
    if (a == kNoNode && b == kNoNode) continue;
    ++sums.occupied;
    const std::uint32_t v = i / columns, u = i - v * columns;
    SpanSum overlap{sums, u + 0.5, v + 0.5, thickness};
    std::uint32_t in_a = 0, out_a = 0, in_b = 0, out_b = 0;
    if (!is_plain(nodes, a, in_a, out_a) || !is_plain(nodes, b, in_b, out_b)) {
      sum_column(nodes, a, b, depth, overlap);
      continue;
    }
    sums.crossings[0] += 2;
    sums.crossings[1] += 2;
    const Crossing in{in_a > in_b ? in_a : in_b}, out{out_a < out_b ? out_a : out_b};
    if (out.depth() > in.depth()) overlap.stretch(in.depth(), out.depth());
    overlap.close();
  }
  sum_warp(sums);
  if (threadIdx.x % kWarp == 0) s.sums[threadIdx.x / kWarp] = sums;
}

}  // namespace lamella::cuda::batch
