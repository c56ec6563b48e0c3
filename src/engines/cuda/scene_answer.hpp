#pragma once

// The end of a DeviceScene's frame, for the last block of the sweep: finds pairs that collide and where blocks' points
// go, writes the report, and prepares the state for the next frame.

#include "engines/cuda/block.hpp"
#include "engines/cuda/scene_frame.hpp"

namespace lamella::cuda {

/// Finds where each block's collision points begin; returns how many there are in total.
__device__ inline std::uint64_t place_points(const SceneFrame& f) {
  std::uint64_t sum = 0;
  for (std::uint32_t first = 0; first < gridDim.x; first += kSweepColumns) {
    const std::uint32_t i = first + threadIdx.x;
    std::uint64_t total = 0;
    const std::uint64_t before = block_scan<kSweepColumns>(i < gridDim.x ? f.blocks[i].points : 0, total);
    if (i < gridDim.x) f.blocks[i].points_begin = sum + before;
    sum += total;
  }
  return sum;
}

/// Candidates that share a volume become pairs, ascending; returns their number.
__device__ inline std::uint32_t gather_pairs(const SceneFrame& f) {
  const SceneSearch& s = f.search;
  const double area = f.state->grid.cell_area(), unit = f.state->length_unit;
  std::uint32_t pairs = 0;
  for (std::uint32_t first = 0; first < f.object_count; first += kSweepColumns) {
    const std::uint32_t a = first + threadIdx.x;
    const CandidateRow row = a < f.object_count ? s.rows[a] : CandidateRow{};
    std::uint32_t count = 0, total = 0;
    for (std::uint32_t i = row.begin; i < row.end; ++i) count += s.sums[i].spans != 0 ? 1 : 0;
    std::uint32_t at = pairs + block_scan<kSweepColumns>(count, total);
    for (std::uint32_t i = row.begin; i < row.end; ++i) {
      const PairSums sums = s.sums[i];
      if (sums.spans == 0) continue;
      s.pair_of[i] = at;
      s.pairs[at++] = {{a}, {s.partners[i]}, static_cast<double>(sums.length) * unit * area, sums.spans, sums.points};
    }
    pairs += total;
  }
  return pairs;
}

/// Sum of the skipped triangles of all objects, whose counts are zeroed. Only the sum is needed.
__device__ inline std::uint32_t sum_skipped(const SceneFrame& f) {
  std::uint32_t sum = 0, total = 0;
  for (std::uint32_t i = threadIdx.x; i < f.object_count; i += kSweepColumns) {
    sum += f.skipped[i];
    f.skipped[i] = 0;
  }
  block_scan<kSweepColumns>(sum, total);
  return total;
}

__device__ inline void write_report(const SceneFrame& f, std::uint32_t pairs, std::uint64_t points,
                                    std::uint32_t skipped) {
  const SceneSearch& s = f.search;
  SceneState& state = *f.state;
  SceneReport r;
  r.candidates = state.candidates;
  r.fragments = state.fragments;
  r.meetings = state.meetings;
  r.large_parts = state.large_parts;
  r.bad_index = state.bad_index;
  DeviceSceneAnswer& a = r.answer;
  a.grid = state.grid;
  a.candidate_count = state.candidates;
  a.pair_count = pairs;
  a.point_count = points;
  a.crossing_count = state.fragments;
  a.health.open_columns = state.open_columns;
  a.health.occupied_columns = state.occupied_columns;
  a.health.inside_out_columns = state.inside_out_columns;
  a.health.skipped_triangles = skipped;
  if (state.grid.columns != 0)
    a.health.untrusted_volume = state.open_columns * state.grid.cell_area() * state.grid.depth();
  if (state.candidates > s.candidate_capacity || state.fragments > f.capacity || state.meetings > f.meeting_capacity ||
      state.large_parts > f.large_capacity || points > s.point_capacity)
    a.status |= kNeedsMemory;
  if (state.bad_index != 0) a.status |= kBadIndex;
  *s.report = r;
  *s.host_report = r;
  state.fragments = state.meetings = state.large_parts = 0;
  state.keys = state.row_blocks = state.sweep_blocks = state.bad_index = state.candidates = 0;
  state.occupied_columns = state.open_columns = state.inside_out_columns = 0;
}

/// By all threads of a block of kSweepColumns.
__device__ inline void finish_scene(const SceneFrame& f) {
  const SceneSearch& s = f.search;
  const std::uint64_t points = place_points(f);
  const bool there = f.state->candidates <= s.candidate_capacity && f.state->grid.columns != 0;
  const std::uint32_t pairs = there ? gather_pairs(f) : 0;
  const std::uint32_t skipped = sum_skipped(f);
  for (std::uint32_t i = threadIdx.x; i < f.object_count; i += kSweepColumns) {
    s.boxes[i] = {};
    s.unusable[i] = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) write_report(f, pairs, points, skipped);
}

}  // namespace lamella::cuda
