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

/// Lane 0 gets the sums.
__device__ inline void sum_warp(SquareSums& squares) {
  squares.uu = sum_of_warp(squares.uu);
  squares.uv = sum_of_warp(squares.uv);
  squares.vv = sum_of_warp(squares.vv);
  squares.uw = sum_of_warp(squares.uw);
  squares.vw = sum_of_warp(squares.vw);
  squares.ww = sum_of_warp(squares.ww);
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

/// Adds the spans of a column to the sums of second moments too.
struct SquareAdder : ColumnAdder {
  SquareSums& squares;
  double first = 0;  ///< moment of depth of this column's spans

  __device__ SquareAdder(SpanTotals& totals, SquareSums& to) : ColumnAdder{totals}, squares(to) {}
  __device__ __forceinline__ void add(float begin, float end) {
    ColumnAdder::add(begin, end);
    const double l = static_cast<double>(end) - begin, middle = 0.5 * (static_cast<double>(begin) + end);
    first += l * middle;
    squares.ww += l * (middle * middle + l * l * (1.0 / 12));
  }
  __device__ __forceinline__ void close_squares(std::uint32_t u, std::uint32_t v, std::uint32_t columns) {
    if (length == 0) return;
    const double at_u = from_middle(u, columns), at_v = from_middle(v, columns);
    squares.uu += at_u * at_u * length;
    squares.uv += at_u * at_v * length;
    squares.vv += at_v * at_v * length;
    squares.uw += at_u * first;
    squares.vw += at_v * first;
  }
};

/// Any column that is not empty.
template <class Nodes, class Adder>
__device__ void sum_column(const Nodes& nodes, std::uint32_t& a, std::uint32_t& b, float thickness, WarpSums& sums,
                           Adder& adder) {
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

/// Column i, with its two lists, which may be sorted then; returns the length of its spans.
template <class Nodes, class Adder>
__device__ __forceinline__ double sum_lists(const Nodes& nodes, std::uint32_t i, std::uint32_t columns,
                                            std::uint32_t& a, std::uint32_t& b, float thickness, WarpSums& sums,
                                            Adder adder) {
  ++sums.occupied;
  const std::uint32_t v = i / columns, u = i - v * columns;
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
  if constexpr (std::is_same_v<Adder, SquareAdder>) adder.close_squares(u, v, columns);
  return adder.length;
}

/// The view of the answer. kKeep: for gradients: the lists are kept, and second moments are summed up too.
template <Near kNear, bool kKeep, class Nodes>
__device__ __noinline__ void sum_columns(Nodes nodes, std::uint32_t view, float min_thickness) {
  BlockState& s = block_state();
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  std::uint32_t* lists = heads<kNear>();
  const std::uint32_t columns = s.targets[view].columns, count = columns * columns;
  const float thickness = min_thickness * s.targets[view].depth;
  WarpSums sums{};
  SquareSums squares;
  // All lanes of a warp go on as long as one has a column: they add to the lines together.
  for (std::uint32_t i = threadIdx.x; i - threadIdx.x % kWarp < count; i += blockDim.x) {
    const std::uint32_t first_a = i < count ? lists[i] : kNoNode, first_b = i < count ? lists[count + i] : kNoNode;
    std::uint32_t a = first_a, b = first_b;
    double length = 0;
    if (a != kNoNode || b != kNoNode) {
      if constexpr (kKeep)
        length = sum_lists(nodes, i, columns, a, b, thickness, sums, SquareAdder(sums.overlap, squares));
      else
        length = sum_lists(nodes, i, columns, a, b, thickness, sums, ColumnAdder{sums.overlap});
    }
    if (kKeep && a != first_a) lists[i] = a;
    if (kKeep && b != first_b) lists[count + i] = b;
    add_to_lines(lines<kNear>(), i, static_cast<LineSum>(in_steps(length, s.step_scale)));
  }
  if (kKeep && sums.overlap.spans != 0) s.overlaps = 1;
  sum_warp(sums);
  if (threadIdx.x % kWarp == 0) s.sums[threadIdx.x / kWarp] = sums;
  if constexpr (kKeep) {
    sum_warp(squares);
    if (threadIdx.x % kWarp == 0) s.squares[threadIdx.x / kWarp] = squares;
  }
}

}  // namespace lamella::cuda::batch
