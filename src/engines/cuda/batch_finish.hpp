#pragma once

// The end of one pair or body of a batch: from the sums of its warps to its answer and to what the host must know.

#include "engines/cuda/batch_sums.hpp"
#include "query/verdict.hpp"

namespace lamella::cuda::batch {

/// By one thread, with the sums of all threads and their sampling_error().
template <class Answer>
__device__ void write_answer(const BlockState& s, const WarpSums& sums, double error, Answer& out) {
  out.grid = s.grid;
  out.health.skipped_triangles = s.skipped;
  if (s.sampled) {
    const double area = summarise(s.grid, sums.overlap, out.volume, out.centroid, out.bounds);
    out.volume_error = volume_error(s.grid, error, out.volume, out.bounds);
    out.span_count = sums.overlap.spans;
    out.health.open_columns = sums.open;
    out.health.occupied_columns = sums.occupied;
    out.health.inside_out_columns = sums.inside_out;
    out.health.untrusted_volume = sums.open * area * s.grid.depth();
  }
  out.verdict = verdict_by_sums(out.grid, out.span_count, out.volume, out.bounds, out.health);
}

/// The most nodes that a view asked for.
template <bool kGradient>
__device__ std::uint32_t nodes_asked_for(const BlockState& s) {
  const auto of = [&](std::uint32_t view) { return s.counts[view].nodes + s.counts[view].listed; };
  if constexpr (!kGradient) return of(0);
  return std::max(of(0), std::max(of(1), of(2)));
}

template <class Job>
__device__ BatchFault fault_of(const Job& job, const BlockState& s, std::uint32_t nodes, const WarpSums& sums) {
  if (s.bad_index[0] != 0) return BatchFault::bad_index_a;
  if (s.bad_index[1] != 0) return BatchFault::bad_index_b;
  // Without room for all crossings, those of each mesh are not known.
  const bool too_many = nodes > s.node_capacity ? nodes > job.most_nodes
                                                : std::max(sums.crossings[0], sums.crossings[1]) > job.max_crossings;
  return too_many ? BatchFault::too_many : BatchFault::none;
}

/// By one thread, likewise: what the host must know about one of the batch.
template <class Job>
__device__ void write_report(const Job& job, const BlockState& s, std::uint32_t pair, std::uint32_t nodes,
                             const WarpSums& sums) {
  using Wide64 = unsigned long long;
  const auto put = [](std::uint64_t& to, Wide64 value) { atomicMax(reinterpret_cast<Wide64*>(&to), value); };
  const BatchFault fault = fault_of(job, s, nodes, sums);
  if (fault != BatchFault::none) {
    put(job.report->fault, BatchReport::kFirst - (kBatchFaults * Wide64{pair} + static_cast<std::uint32_t>(fault)));
  } else if (nodes > s.node_capacity) {
    put(job.report->undecided, BatchReport::kFirst - Wide64{pair});
    put(job.report->crossings, nodes);
  }
}

/// By one warp: the sampling_error(). Not inlined, so that the kernel keeps its registers.
template <Near kNear>
__device__ __noinline__ double error_of_pair() {
  const LineStore all = lines<kNear>();
  const double squares = squared_column_steps(all, threadIdx.x, kWarp) + squared_row_steps(all, threadIdx.x, kWarp);
  return error_of_lines(block_state().grid, class_sum(all, threadIdx.x, kWarp), squares);
}

}  // namespace lamella::cuda::batch
