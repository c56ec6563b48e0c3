// Spans, ascending by column and depth: each block sweeps the same columns as in the query, tile by tile, with one
// column per thread. A tile is swept twice, to count and to write: the second time it is read from the cache.

#include "engines/cuda/block.hpp"
#include "engines/cuda/pair_columns.hpp"
#include "engines/cuda/sums.hpp"

namespace lamella::cuda {
namespace {

template <Kind kKind, bool kSlots>
__global__ void __launch_bounds__(kQueryThreads) write_spans(Frame frame) {
  wait_for_previous();
  // A frame without room for all spans is repeated; the query has already zeroed the state.
  const Answer& answer = frame.report->answer;
  if (answer.status != kComplete || answer.grid.columns == 0) return;
  const BlockSums counted = load_sums(frame, blockIdx.x);
  if (counted.overlap.spans == 0 && counted.inside_out_spans == 0) return;

  const float thickness = frame.min_thickness * answer.grid.depth();
  const std::uint32_t each = columns_per_block(frame.kind, frame.column_count), first = blockIdx.x * each;
  const std::uint32_t end = std::min(first + each, frame.column_count);
  std::uint32_t begins = frame.spans[0] != nullptr ? frame.span_begins[0][blockIdx.x] : 0;
  std::uint32_t begins_inside_out = frame.spans[1] != nullptr ? frame.span_begins[1][blockIdx.x] : 0;
#pragma unroll 1
  for (std::uint32_t tile = first; tile < end; tile += kQueryThreads) {
    const std::uint32_t column = tile + threadIdx.x;
    const ColumnCounts n = column_counts<kKind, kSlots>(frame, column, end);
    std::uint32_t count = 0, count_inside_out = 0;
    if ((n.a | n.b) != 0)
      (void)sweep_column<kKind, kSlots>(
          frame, column, n, thickness, [&](float, float) { ++count; }, [&](float, float) { ++count_inside_out; });
    std::uint32_t total = 0, total_inside_out = 0;
    std::uint32_t at = begins + block_scan<kQueryThreads>(count, total);
    std::uint32_t at_inside_out = begins_inside_out;
    if constexpr (kKind == Kind::self_intersect)
      at_inside_out += block_scan<kQueryThreads>(count_inside_out, total_inside_out);
    const auto write = [&](int kind, std::uint32_t& place, float from, float to) {
      if (frame.spans[kind] != nullptr && place < frame.span_capacity[kind])
        frame.spans[kind][place] = {column, from, to};
      ++place;
    };
    if (count + count_inside_out != 0)
      (void)sweep_column<kKind, kSlots>(
          frame, column, n, thickness, [&](float from, float to) { write(0, at, from, to); },
          [&](float from, float to) { write(1, at_inside_out, from, to); });
    begins += total;
    begins_inside_out += total_inside_out;
  }
}

}  // namespace

void launch_spans(const Frame& frame, CudaStream stream) {
  const std::uint32_t blocks = query_block_count(frame.kind, frame.column_count);
  const bool slots = frame.columns[0].slots != 0;
  if (frame.kind == Kind::intersect)
    launch_over_columns(frame, blocks, slots ? write_spans<Kind::intersect, true> : write_spans<Kind::intersect, false>,
                        stream);
  else
    launch_over_columns(frame, blocks,
                        slots ? write_spans<Kind::self_intersect, true> : write_spans<Kind::self_intersect, false>,
                        stream);
}

}  // namespace lamella::cuda
