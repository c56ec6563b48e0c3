// From the triangles of many objects to one list of fragments. A block has triangles of one object; a table gives the
// object and its window, so that one large object and many small ones keep the device equally busy. A warp samples its
// small triangles in a batch (box_batch.hpp), and those that the window cuts in another. Larger triangles are cut into
// parts by rows for a separate pass, where a lane does parts with few samples and a warp those with many.
//
// Places in the list are assigned to one warp at a time. Their order may vary from run to run and does not affect the
// result: columns are sorted, and no two keys of a column are equal.

#include "engines/cuda/block.hpp"
#include "engines/cuda/box_batch.hpp"
#include "engines/cuda/corners.hpp"
#include "engines/cuda/platform.hpp"
#include "engines/cuda/scene_frame.hpp"
#include "engines/cuda/warp_queue.hpp"
#include "engines/cuda/warp_rows.hpp"

namespace lamella::cuda {
namespace {

constexpr std::int32_t kLanePartSamples = 32;  ///< most samples of a part for one lane
constexpr std::int32_t kPartSamples = 1024;    ///< about so many samples of a box make a part
constexpr unsigned kLargeThreads = 128;

__device__ void put(const SceneFrame& f, unsigned long long at, std::uint32_t column, std::uint32_t key,
                    std::uint32_t face) {
  if (at >= f.capacity) return;
  SceneFragment fragment;
  fragment.key = static_cast<unsigned long long>(key) << 32 | face;
  fragment.column = column;
  fragment.rank = atomicAdd(f.counts + column, 1u);
  f.fragments[at] = fragment;
}

/// Takes places for all lanes' fragments; returns the first place of this lane.
__device__ unsigned long long take_places(const SceneFrame& f, std::uint32_t count) {
  std::uint32_t total = 0;
  const std::uint32_t before = warp_scan(count, total);
  if (total == 0) return 0;
  unsigned long long begin = 0;
  if (threadIdx.x % kWarp == 0) begin = atomicAdd(&f.state->fragments, static_cast<unsigned long long>(total));
  return __shfl_sync(kAllLanes, begin, 0) + before;
}

struct WaitingFragment {
  std::uint32_t column = 0, key = 0, face = 0;
};
constexpr unsigned kFragmentsInFlight = 2;

/// A warp's sink of sampled boxes.
struct FragmentSink {
  const SceneFrame& f;
  WarpQueue<WaitingFragment, kFragmentsInFlight> queue;

  __device__ void put(bool there, std::uint32_t column, std::uint32_t key, std::uint32_t face, unsigned lane) {
    queue.put(there, {column, key, face}, lane);
  }
  __device__ void write_full(unsigned lane) {
    if (queue.is_full()) write(lane);
  }
  __device__ void write(unsigned lane) {
    WaitingFragment waiting[kFragmentsInFlight];
    const std::uint32_t number = queue.take(waiting, lane);
    if (number == 0) return;
    unsigned long long begin = 0;
    if (lane == 0) begin = atomicAdd(&f.state->fragments, static_cast<unsigned long long>(number));
    SceneFragment fragments[kFragmentsInFlight];
#pragma unroll
    for (unsigned k = 0; k < kFragmentsInFlight; ++k) {
      if (k * kWarp + lane >= number) continue;
      fragments[k].key = static_cast<unsigned long long>(waiting[k].key) << 32 | waiting[k].face;
      fragments[k].column = waiting[k].column;
      fragments[k].rank = atomicAdd(f.counts + waiting[k].column, 1u);
    }
    begin = __shfl_sync(kAllLanes, begin, 0);
#pragma unroll
    for (unsigned k = 0; k < kFragmentsInFlight; ++k) {
      const unsigned long long at = begin + k * kWarp + lane;
      if (k * kWarp + lane < number && at < f.capacity) f.fragments[at] = fragments[k];
    }
  }
};

/// A warp's shared memory.
struct WarpRoom {
  BatchRoom batch;
  WarpQueueRoom<WaitingFragment, kFragmentsInFlight> fragments;
};

/// Rows [begin, end) of a triangle, by the warp: every lane finds the samples of a row, then all lanes fill one row
/// after another.
template <class Int>
__device__ void fill_rows(const SceneFrame& f, const RowTriangle<Int>& rows, std::int64_t begin, std::int64_t end,
                          const Target& t, std::uint32_t face) {
  const unsigned lane = threadIdx.x % kWarp;
#pragma unroll 1
  for (std::int64_t first = begin; first < end; first += kWarp) {
    RowSpan mine{};
    if (first + lane >= end || !rows.row(first + lane, t.columns, mine)) mine.count = 0;
    const unsigned long long mine_at = take_places(f, mine.count);
#pragma unroll 1
    for (unsigned left = __ballot_sync(kAllLanes, mine.count != 0 ? 1 : 0); left != 0; left &= left - 1) {
      const int from = __ffs(static_cast<int>(left)) - 1;
      const RowSpan span = span_of_lane(mine, from);
      const unsigned long long at = __shfl_sync(kAllLanes, mine_at, from);
#pragma unroll 1
      for (std::uint32_t i = lane; i < span.count; i += kWarp)
        put(f, at + i, span.first_column + i, key_at(span, i, rows.depth, t.depth), face);
    }
  }
}

/// Calls work(rows) with the triangle set up in as many bits as it needs.
template <class Work>
__device__ void with_rows(const LatticeVertex placed[3], const Target& t, const Work& work) {
  if (is_near(placed)) {
    RowTriangle<std::int64_t> rows;
    if (set_up_rows(placed, t.window, rows)) work(rows);
  } else {
    RowTriangle<Wide> rows;
    if (set_up_rows(placed, t.window, rows)) work(rows);
  }
}

/// Passes a triangle on to the pass by rows, in parts of about kPartSamples. By one lane; parts without room are still
/// counted.
__device__ void ask_for_parts(const SceneFrame& f, std::uint32_t job, std::uint32_t triangle,
                              const SmallTriangle& box) {
  const auto rows = static_cast<std::uint32_t>(box.height), first = static_cast<std::uint32_t>(box.first_row);
  const auto per_part = static_cast<std::uint32_t>(std::max(1, kPartSamples / box.width));
  const std::uint32_t parts = (rows + per_part - 1) / per_part;
  const unsigned long long begin = atomicAdd(&f.state->large_parts, static_cast<unsigned long long>(parts));
#pragma unroll 1
  for (std::uint32_t p = 0; p < parts; ++p)
    if (begin + p < f.large_capacity)
      f.large[begin + p] = {job, triangle, first + p * per_part, std::min(per_part, rows - p * per_part)};
}

/// What to do with a lane's triangle.
struct Task {
  Method method = Method::none;
  bool skipped = false;
  bool cut = false;  ///< a small triangle that the window cuts
  SmallTriangle small;
};

__device__ Task look_at(const SceneJob& job, const Target& t, std::uint32_t triangle, std::uint32_t* bad_index) {
  Task task;
  const Triangle named = job.mesh.triangles[triangle];
  if (std::max(std::max(named.a, named.b), named.c) >= job.mesh.vertex_count) {
    atomicAdd(bad_index, 1u);
    return task;
  }
  const Corners corners = load_corners(job.mesh, named);
  const Vec3(&corner)[3] = corners.at;
  if (!usable(corner[0]) || !usable(corner[1]) || !usable(corner[2]))
    task.skipped = true;
  else if (!t.window.empty())
    task.method = set_up(corner, t, task.small);
  if (task.method == Method::rows && is_cut_small(corner, t)) {
    task.cut = set_up_cut(corner, t, task.small);
    task.method = Method::none;
  }
  return task;
}

__global__ void __launch_bounds__(kTriangleChunk) scene_raster(const SceneFrame f) {
  __shared__ __align__(16) unsigned char memory[kTriangleChunk / kWarp * sizeof(WarpRoom)];
  wait_for_previous();
  let_next_start();
  const SceneChunk chunk = f.chunks[blockIdx.x];
  const Target t = in_window(f.state->target, f.state->target.columns != 0 ? f.windows[chunk.job] : Window{});
  // Objects that can meet no other are only searched for broken triangles.
  if (t.window.empty() && (f.search.unusable == nullptr || f.search.unusable[chunk.job] == 0)) return;
  const SceneJob job = f.jobs[chunk.job];
  const std::uint32_t triangle = chunk.begin + threadIdx.x;
  const unsigned lane = threadIdx.x % kWarp;
  Task task;
  if (triangle < chunk.end) task = look_at(job, t, triangle, &f.state->bad_index);
  const unsigned skipped = __ballot_sync(kAllLanes, task.skipped ? 1 : 0);
  if (skipped != 0 && lane == 0) atomicAdd(f.skipped + chunk.job, static_cast<unsigned>(__popc(skipped)));
  if (task.method == Method::rows) ask_for_parts(f, chunk.job, triangle, task.small);
  WarpRoom& room = reinterpret_cast<WarpRoom*>(memory)[threadIdx.x / kWarp];
  FragmentSink sink{f, {room.fragments}};
  const bool small = task.method == Method::small;
  if (__any_sync(kAllLanes, small))
    sample_batch<false>(small, task.small, job.first_face + triangle, room.batch, t, sink, lane);
  if (__any_sync(kAllLanes, task.cut))
    sample_batch<true>(task.cut, task.small, job.first_face + triangle, room.batch, t, sink, lane);
  sink.write(lane);
}

/// A part while it is processed.
struct RowsTask {
  SceneJob job;
  Target target;
  SceneLarge part;
  LatticeVertex placed[3];
  bool placeable = false;
};

__device__ RowsTask take_part(const SceneFrame& f, std::uint32_t p) {
  RowsTask task;
  task.part = f.large[p];
  task.job = f.jobs[task.part.job];
  task.target = in_window(f.state->target, f.windows[task.part.job]);
  task.placeable = place_corners(load_corners(task.job.mesh, task.part.triangle).at, task.target, task.placed);
  return task;
}

/// The rows of a part that lie in its triangle.
template <class Int>
__device__ void clip_rows(const RowTriangle<Int>& rows, const SceneLarge& part, std::int64_t& begin,
                          std::int64_t& end) {
  begin = std::max<std::int64_t>(part.first_row, rows.first_row);
  end = std::min<std::int64_t>(std::int64_t{part.first_row} + part.row_count, rows.last_row);
}

/// Samples a part with few samples by its lane, in 64 bits; more bits are rarely needed, and the warp does those parts.
/// Returns whether the part is left to the warp. All lanes must call it.
__device__ bool sample_part_by_lane(const SceneFrame& f, const RowsTask& task) {
  const Target& t = task.target;
  RowTriangle<std::int64_t> rows;
  std::int64_t begin = 0, end = 0;
  bool left = task.placeable && !is_near(task.placed);
  if (task.placeable && !left && set_up_rows(task.placed, t.window, rows)) {
    clip_rows(rows, task.part, begin, end);
    if ((end - begin) * (rows.last_u - rows.first_u) > kLanePartSamples) {
      left = true;
      end = begin;
    }
  }
  RowSpan span;
  std::uint32_t count = 0;
#pragma unroll 1
  for (std::int64_t r = begin; r < end; ++r)
    if (rows.row(r, t.columns, span)) count += span.count;
  unsigned long long at = take_places(f, count);
  const std::uint32_t face = task.job.first_face + task.part.triangle;
#pragma unroll 1
  for (std::int64_t r = begin; count != 0 && r < end; ++r) {
    if (!rows.row(r, t.columns, span)) continue;
#pragma unroll 1
    for (std::uint32_t i = 0; i < span.count; ++i)
      put(f, at++, span.first_column + i, key_at(span, i, rows.depth, t.depth), face);
  }
  return left;
}

/// Counts triangles that cannot be placed on the lattice; only the first part of a triangle counts it.
__device__ void count_skipped(const SceneFrame& f, const RowsTask& task, std::uint32_t p) {
  if (task.placeable) return;
  if (p != 0 && f.large[p - 1].triangle == task.part.triangle && f.large[p - 1].job == task.part.job) return;
  atomicAdd(f.skipped + task.part.job, 1u);
}

/// Parts are distributed over all warps; if a warp has several, they are first tried one per lane.
__global__ void __launch_bounds__(kLargeThreads, 3) scene_large(const SceneFrame f) {
  wait_for_previous();
  let_next_start();
  const auto parts = static_cast<std::uint32_t>(std::min<unsigned long long>(f.state->large_parts, f.large_capacity));
  const std::uint32_t warp = (blockIdx.x * kLargeThreads + threadIdx.x) / kWarp, lane = threadIdx.x % kWarp;
  const std::uint32_t warps = gridDim.x * (kLargeThreads / kWarp);
  const std::uint32_t each = (parts + warps - 1) / warps, share = each < kWarp ? each : kWarp;
#pragma unroll 1
  for (std::uint64_t first = std::uint64_t{warp} * share; first < parts; first += std::uint64_t{warps} * share) {
    const auto begin = static_cast<std::uint32_t>(first);
    RowsTask mine;
    if (lane < share && first + lane < parts) {
      mine = take_part(f, begin + lane);
      count_skipped(f, mine, begin + lane);
    }
    const bool left = sample_part_by_lane(f, mine);
#pragma unroll 1
    for (unsigned lanes = __ballot_sync(kAllLanes, left ? 1 : 0); lanes != 0; lanes &= lanes - 1) {
      const RowsTask task = take_part(f, begin + static_cast<std::uint32_t>(__ffs(static_cast<int>(lanes)) - 1));
      with_rows(task.placed, task.target, [&](const auto& rows) {
        std::int64_t first_row = 0, end_row = 0;
        clip_rows(rows, task.part, first_row, end_row);
        fill_rows(f, rows, first_row, end_row, task.target, task.job.first_face + task.part.triangle);
      });
    }
  }
}

}  // namespace

void launch_scene_raster(const SceneFrame& frame, CudaStream stream) {
  launch({.stream = stream, .blocks = frame.chunk_count, .threads = kTriangleChunk}, scene_raster, frame);
  launch({.stream = stream, .blocks = frame.large_blocks, .threads = kLargeThreads}, scene_large, frame);
}

}  // namespace lamella::cuda
