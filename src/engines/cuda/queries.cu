// Intersection and self-collision volumes, TR 395 section 2.3 and WSCG 2004 section 3.1, on columns on the device: a
// thread per column, which computes sums but writes no spans. If spans are wanted, the columns are swept again
// (spans.cu): most callers want only a volume, and spans can be written in order only when their number is known.

#include "engines/cuda/contains.hpp"
#include "engines/cuda/lines.hpp"
#include "engines/cuda/pair_columns.hpp"
#include "engines/cuda/sums.hpp"

namespace lamella::cuda {
namespace {

/// Adds one column's spans and facts; returns the length of its spans.
template <Kind kKind, bool kSlots>
__device__ double add_column(const Frame& frame, std::uint32_t column, std::uint32_t columns, ColumnCounts n,
                             float thickness, BlockSums& sums) {
  ++sums.occupied_columns;
  if (const std::uint32_t layers = crowded<kSlots>(frame, n); layers != 0) {
    atomicMax(&frame.state->most_layers, layers);
    return 0;
  }
  ColumnAdder adder{sums.overlap};
  const ColumnFacts facts = sweep_column<kKind, kSlots>(
      frame, column, n, thickness, [&](float begin, float end) { adder.add(begin, end); },
      [&](float begin, float end) {
        sums.inside_out_length += static_cast<double>(end) - begin;
        ++sums.inside_out_spans;
      });
  sums.open_columns += facts.open ? 1 : 0;
  sums.inside_out_columns += facts.inside_out ? 1 : 0;
  const std::uint32_t v = column / columns;
  adder.close(column - v * columns, v);
  return adder.length;
}

template <Kind kKind, bool kSlots>
__global__ void __launch_bounds__(kQueryThreads) sum_columns(Frame frame) {
  wait_for_previous();
  BlockSums sums;
  const std::uint32_t columns = frame.state->grid.columns;
  if (columns != 0) {
    const float thickness = frame.state->thickness;
    const double scale = frame.state->step_scale;
    const std::uint32_t each = columns_per_block(frame.kind, frame.column_count), first = blockIdx.x * each;
    const std::uint32_t end = std::min(first + each, frame.column_count);
    std::uint32_t column = first + threadIdx.x;
    ColumnCounts next = column_counts<kKind, kSlots>(frame, column, end), all;
    // All lanes of a warp go on as long as one has a column: they add to the lines together.
#pragma unroll 1
    for (; column - threadIdx.x % kWarp < end; column += kQueryThreads) {
      const ColumnCounts n = next;
      next = column_counts<kKind, kSlots>(frame, column + kQueryThreads, end);
      all.a += n.a;
      all.b += n.b;
      double length = 0;
      if ((n.a | n.b) != 0) length = add_column<kKind, kSlots>(frame, column, columns, n, thickness, sums);
      add_to_lines(frame.lines, column, static_cast<LineSum>(in_steps(length, scale)));
    }
    sums.crossings[0] = all.a;
    sums.crossings[1] = all.b;
  }
  leave_sums(frame, sums);
}

}  // namespace

void launch_query(const Frame& frame, CudaStream stream) {
  const std::uint32_t blocks = std::max(1u, query_block_count(frame.kind, frame.column_count));
  const bool slots = frame.columns[0].slots != 0;
  if (frame.kind == Kind::intersect)
    launch_over_columns(frame, blocks, slots ? sum_columns<Kind::intersect, true> : sum_columns<Kind::intersect, false>,
                        stream);
  else if (frame.kind == Kind::self_intersect)
    launch_over_columns(frame, blocks,
                        slots ? sum_columns<Kind::self_intersect, true> : sum_columns<Kind::self_intersect, false>,
                        stream);
  else
    launch_contains(frame, stream);
  launch_report(frame, query_block_count(frame.kind, frame.column_count), stream);
}

}  // namespace lamella::cuda
