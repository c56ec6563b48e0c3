// The end of every query: adds up the blocks' sums, always in the same order, writes the report to the device's and the
// host's memory, and zeroes the state for the next frame. A kernel of one block with many threads: the last block of
// the query itself would have to read the sums one after another.

#include "engines/cuda/block.hpp"
#include "engines/cuda/lines.hpp"
#include "engines/cuda/sums.hpp"
#include "query/verdict.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = 1024;
constexpr unsigned kMost = kQueryBlocks / kThreads;  ///< most blocks whose sums one thread reads
constexpr unsigned kWarps = kThreads / kWarp;
static_assert(kQueryBlocks % kThreads == 0 && kWarps == kWarp);

__device__ void write_sums(const Grid& grid, const BlockSums& s, Answer& out) {
  const double area = summarise(grid, s.overlap, out.volume, out.centroid, out.bounds);
  out.inside_out_volume = s.inside_out_length * area;
  out.span_count = s.overlap.spans;
  out.inside_out_count = s.inside_out_spans;
  out.health.untrusted_volume = s.open_columns * area * grid.depth();
}

__device__ std::uint32_t frame_status(const Frame& frame, const FrameState& state, const BlockSums& s) {
  const bool crossings = state.most_layers != 0 || state.needed[0] != 0 || state.needed[1] != 0;
  const bool parts = state.large_parts > (frame.large_pass ? frame.large_capacity : 0);
  const bool spans = (frame.spans[0] != nullptr && s.overlap.spans > frame.span_capacity[0]) ||
                     (frame.spans[1] != nullptr && s.inside_out_spans > frame.span_capacity[1]);
  return (crossings || parts || spans ? kNeedsMemory : 0u) | (state.bad_index != 0 ? kBadIndex : 0u);
}

__device__ void write_report(const Frame& frame, const FrameState& state, const BlockSums& s, FrameReport& out) {
  out = {};
  out.answer.health.skipped_triangles = state.skipped[0] + state.skipped[1];
  out.answer.status = frame_status(frame, state, s);
  out.answer.verdict = verdict_of(0, out.answer.health);
  if (state.grid.columns == 0) return;
  out.most_layers = state.most_layers;
  out.deepest = state.deepest;
  out.large_parts = state.large_parts;
  out.crossings[0] = state.needed[0] != 0 ? state.needed[0] : s.crossings[0];
  out.crossings[1] = state.needed[1] != 0 ? state.needed[1] : s.crossings[1];
  Answer& answer = out.answer;
  answer.grid = state.grid;
  answer.inside_count = state.inside;
  answer.crossing_count = out.crossings[0] + out.crossings[1];
  answer.health.open_columns = s.open_columns;
  answer.health.occupied_columns = s.occupied_columns;
  answer.health.inside_out_columns = s.inside_out_columns;
  answer.health.untrusted_points = state.untrusted;
  if (frame.kind == Kind::intersect || frame.kind == Kind::self_intersect) write_sums(state.grid, s, answer);
  answer.verdict = verdict_by_sums(answer.grid, answer.span_count, answer.volume, answer.bounds, answer.health);
}

template <class T>
__device__ void copy_words(T* to, const T* from) {
  static_assert(sizeof(T) % 4 == 0 && sizeof(T) / 4 <= kThreads);
  if (threadIdx.x < sizeof(T) / 4)
    reinterpret_cast<std::uint32_t*>(to)[threadIdx.x] = reinterpret_cast<const std::uint32_t*>(from)[threadIdx.x];
}

/// Parts of a warp of what the lines say.
struct LineParts {
  LineSum classes[kWarps][kClasses + 1];  ///< one more, so that a warp reads them from all banks
  double squares[kWarps];
};

/// Reads the lines. Threads that read columns, rows and, at the front, sums of blocks are far apart: in grids of up to
/// 256 lines nobody has to read more than one of these after another.
__device__ void gather_lines(const LineStore& lines, LineParts& out) {
  const unsigned warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const unsigned thread = (kWarps - 1 - warp) * kWarp + lane;
  LineSum part = class_sum(lines, thread, kThreads);
  double squares = squared_column_steps(lines, thread ^ kThreads / 2, kThreads) +
                   squared_row_steps(lines, thread ^ kThreads / 4 * 3, kThreads);
  part += __shfl_down_sync(kAllLanes, part, kClasses);
  sum_lanes(squares);
  if (lane < kClasses) out.classes[warp][lane] = part;
  if (lane == 0) out.squares[warp] = squares;
}

/// By one warp: the sampling_error(). Not inlined, so that the registers it takes are no other warp's.
__device__ __noinline__ double error_of_parts(const Grid& grid, const LineParts& parts) {
  const unsigned lane = threadIdx.x % kWarp;
  LineSum part = 0;
  for (unsigned w = lane / kClasses; w < kWarps; w += 2) part += parts.classes[w][lane % kClasses];
  return error_of_lines(grid, part, parts.squares[lane]);
}

__global__ void __launch_bounds__(kThreads) report(const Frame frame, std::uint32_t blocks) {
  __shared__ double room[kWarps * sizeof(BlockSums) / sizeof(double)];
  __shared__ double shared_state[sizeof(FrameState) / sizeof(double) + 1];
  __shared__ double shared_report[sizeof(FrameReport) / sizeof(double) + 1];
  __shared__ LineParts parts;
  __shared__ double error;
  auto* of_warps = reinterpret_cast<BlockSums*>(room);
  auto* state = reinterpret_cast<FrameState*>(shared_state);
  auto* out = reinterpret_cast<FrameReport*>(shared_report);
  wait_for_previous();
  copy_words(state, static_cast<const FrameState*>(frame.state));
  const bool has_lines = frame.lines.sums != nullptr;
  if (has_lines) gather_lines(frame.lines, parts);
  // Adjacent blocks, so that a prefix sum over threads gives where the spans of each block begin.
  const unsigned each = blocks > kThreads ? kMost : 1;
  BlockSums sums;
  std::uint32_t spans[kMost][2] = {};
#pragma unroll
  for (unsigned k = 0; k < kMost; ++k) {
    if (k >= each || threadIdx.x * each + k >= blocks) break;
    const BlockSums block = load_sums(frame, threadIdx.x * each + k);
    spans[k][0] = block.overlap.spans;
    spans[k][1] = block.inside_out_spans;
    merge(sums, block);
  }
#pragma unroll
  for (int kind = 0; kind < 2; ++kind) {
    if (frame.spans[kind] == nullptr) continue;
    std::uint32_t total = 0;
    std::uint32_t begin = block_scan<kThreads>(kind == 0 ? sums.overlap.spans : sums.inside_out_spans, total);
#pragma unroll
    for (unsigned k = 0; k < kMost; ++k) {
      if (k < each && threadIdx.x * each + k < blocks) frame.span_begins[kind][threadIdx.x * each + k] = begin;
      begin += spans[k][kind];
    }
  }
  // Sums of warps, then of the block by its first warp; in a loop, so that the code exists only once.
#pragma unroll 1
  for (bool of_block = false;; of_block = true) {
    sum_warp(sums);
    if (of_block) break;
    if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = sums;
    __syncthreads();
    if (threadIdx.x >= kWarp) break;
    sums = of_warps[threadIdx.x];
  }
  // Another warp meanwhile.
  if (has_lines && threadIdx.x / kWarp == 1 && state->grid.columns != 0) {
    const double found = error_of_parts(state->grid, parts);
    if (threadIdx.x == kWarp) error = found;
  }
  if (threadIdx.x == 0) write_report(frame, *state, sums, *out);
  __syncthreads();
  if (has_lines) {
    Answer& answer = out->answer;
    if (threadIdx.x == 0) answer.volume_error = volume_error(answer.grid, error, answer.volume, answer.bounds);
    for (unsigned i = threadIdx.x; i < frame.lines.count(); i += kThreads) frame.lines.sums[i] = 0;
    __syncthreads();
  }
  copy_words(frame.report, static_cast<const FrameReport*>(out));
  if (frame.host_report != nullptr) copy_words(frame.host_report, static_cast<const FrameReport*>(out));
  if (threadIdx.x < sizeof(FrameState) / 4) reinterpret_cast<std::uint32_t*>(frame.state)[threadIdx.x] = 0;
}

}  // namespace

void launch_report(const Frame& frame, std::uint32_t blocks, CudaStream stream) {
  launch({.stream = stream, .blocks = 1, .threads = kThreads}, report, frame, blocks);
}

}  // namespace lamella::cuda
