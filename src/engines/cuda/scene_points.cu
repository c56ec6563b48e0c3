// From meetings to collision points: one block for every block of the sweep, in the order of columns.

#include "engines/cuda/block.hpp"
#include "engines/cuda/scene_sweep.hpp"

namespace lamella::cuda {
namespace {

/// As in Scene.
__device__ CollisionPoint make_point(const SceneFrame& f, const Grid& grid, const Meeting& m, std::uint32_t object_a,
                                     FaceCrossing a, FaceCrossing b) {
  const auto on = [&](FaceCrossing s) { return sample_position(grid, m.column, static_cast<double>(s.depth())); };
  const std::uint32_t object_b = f.partners[m.candidate];
  return {f.search.pair_of[m.candidate],
          on(a),
          on(b),
          a.crossing().entry(),
          b.crossing().entry(),
          a.face() - f.jobs[object_a].first_face,
          b.face() - f.jobs[object_b].first_face};
}

__global__ void __launch_bounds__(kSweepColumns) scene_points(const SceneFrame f) {
  wait_for_previous();
  let_next_start();
  const SweepBlock block = f.blocks[blockIdx.x];
  if (block.points == 0 || f.search.report->answer.status != kComplete) return;
  const Grid grid = f.state->grid;
  const float threshold = f.state->threshold;
  CollisionPoint* out = f.search.collision_points + block.points_begin;
#pragma unroll 1
  for (std::uint32_t first = 0; first < block.meetings_count; first += kSweepColumns) {
    const std::uint32_t i = first + threadIdx.x;
    Meeting m;
    std::uint32_t count = 0, total = 0;
    if (i < block.meetings_count) {
      m = f.meetings[block.meetings_begin + i];
      for_points(m, threshold, [&](FaceCrossing, FaceCrossing) { ++count; });
    }
    CollisionPoint* mine = out + block_scan<kSweepColumns>(count, total);
    if (count != 0) {
      const std::uint32_t a = f.object_of_block[m.begin_a.face() / kFaceBlock];
      for_points(m, threshold, [&](FaceCrossing x, FaceCrossing y) { *mine++ = make_point(f, grid, m, a, x, y); });
    }
    out += total;
  }
}

}  // namespace

void launch_scene_points(const SceneFrame& frame, CudaStream stream) {
  launch({.stream = stream, .blocks = sweep_blocks(frame.column_count), .threads = kSweepColumns}, scene_points, frame);
}

}  // namespace lamella::cuda
