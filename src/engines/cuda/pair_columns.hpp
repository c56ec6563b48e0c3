#pragma once

// One column of intersect or self_intersect, from its crossings to its spans: the query kernel sums them, the spans
// kernel writes them.

#include "engines/cuda/sweep.hpp"

namespace lamella::cuda {

/// Number of crossings of a column in each store; loaded ahead, so that the latency overlaps with another column.
struct ColumnCounts {
  std::uint32_t a = 0, b = 0;
};

template <Kind kKind, bool kSlots>
__device__ ColumnCounts column_counts(const Frame& frame, std::uint32_t column, std::uint32_t end) {
  if (column >= end) return {};
  return {count_at<kSlots>(frame.columns[0], column),
          kKind == Kind::intersect ? count_at<kSlots>(frame.columns[1], column) : 0};
}

/// The larger number of crossings if a column has no room for all of them; 0: it has room.
template <bool kSlots>
__device__ std::uint32_t crowded(const Frame& frame, ColumnCounts n) {
  if (!kSlots || (n.a <= frame.columns[0].slots && n.b <= frame.columns[1].slots)) return 0;
  return std::max(n.a, n.b);
}

/// Facts about a column with crossings, besides its spans.
struct ColumnFacts {
  bool open = false, inside_out = false;
};

/// Calls emit(begin, end) for each span that counts, and for self_intersect emit_inside_out(begin, end) for those with
/// winding below 0. Not for crowded columns.
template <Kind kKind, bool kSlots, class Room, class Emit, class EmitInsideOut>
__device__ ColumnFacts sweep_in(const Room& room, const Frame& frame, std::uint32_t column, ColumnCounts n,
                                float thickness, const Emit& emit, const EmitInsideOut& emit_inside_out) {
  if constexpr (kKind == Kind::intersect) {
    // With only one mesh in the column, it only matters whether that one closes.
    if (n.b == 0) return {balance_at<kSlots>(frame.columns[0], column, n.a) != 0, false};
    if (n.a == 0) return {balance_at<kSlots>(frame.columns[1], column, n.b) != 0, false};
    const FirstKeys first_a = fetch_column<kSlots>(frame.columns[0], column, n.a);
    const FirstKeys first_b = fetch_column<kSlots>(frame.columns[1], column, n.b);
    int balance_a = 0, balance_b = 0;
    const auto a = sort_column<kSlots>(frame.columns[0], column, n.a, first_a, room, balance_a);
    const auto b = sort_column<kSlots>(frame.columns[1], column, n.b, first_b, room.behind(room_for(n.a)), balance_b);
    if (balance_a != 0 || balance_b != 0) return {true, false};
    return {false, sweep_pair(a, b, WholeColumn{}, WholeColumn{}, thickness, emit)};
  } else {
    int balance = 0;
    const FirstKeys first = fetch_column<kSlots>(frame.columns[0], column, n.a);
    const auto keys = sort_column<kSlots>(frame.columns[0], column, n.a, first, room, balance);
    if (balance != 0) return {true, false};
    bool any = false;
    sweep_self(keys, WholeColumn{}, thickness, emit, [&](float begin, float end) {
      any = true;
      emit_inside_out(begin, end);
    });
    return {false, any};
  }
}

/// Keys of a thread's columns in shared memory. The few columns with more are sorted in local memory of the thread:
/// with shared memory for all of them, fewer threads would fit on a multiprocessor.
inline constexpr std::uint32_t kSharedRoom = 32;
static_assert(kSharedRoom >= kMaxSlots);  // all of one mesh

/// Likewise, in shared memory if there is room, else in local memory.
template <Kind kKind, bool kSlots, class Emit, class EmitInsideOut>
__device__ ColumnFacts sweep_column(const Frame& frame, std::uint32_t column, ColumnCounts n, float thickness,
                                    const Emit& emit, const EmitInsideOut& emit_inside_out) {
  if (kKind != Kind::intersect || !kSlots || room_for(n.a) + room_for(n.b) <= kSharedRoom)
    return sweep_in<kKind, kSlots>(SharedRoom{dynamic_shared<std::uint32_t>() + threadIdx.x}, frame, column, n,
                                   thickness, emit, emit_inside_out);
  std::uint32_t keys[2 * kMaxSlots];
  return sweep_in<kKind, kSlots>(OwnRoom{keys}, frame, column, n, thickness, emit, emit_inside_out);
}

/// Starts a query kernel with the shared memory that sorting takes.
template <class... Params, class... Args>
void launch_over_columns(const Frame& frame, std::uint32_t blocks, void (*kernel)(Frame, Params...), CudaStream stream,
                         Args... args) {
  const std::size_t keys = frame.columns[0].slots + (frame.kind == Kind::intersect ? frame.columns[1].slots : 0);
  const std::size_t bytes = std::min<std::size_t>(keys, kSharedRoom) * kQueryThreads * sizeof(std::uint32_t);
  launch({stream, blocks, kQueryThreads, bytes}, kernel, frame, args...);
}

}  // namespace lamella::cuda
