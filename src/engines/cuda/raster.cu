// From triangles to columns, by independent warps: a warp searches triangles for those that may cover a sample
// (cull.hpp), and when it has one for each lane it samples them (box_batch.hpp). Triangles that are too large are cut
// into rows for a separate pass (large.cu).
//
// The order in which places are assigned does not affect the result, since columns are sorted by all bits of a
// crossing.

#include "engines/cuda/box_batch.hpp"
#include "engines/cuda/corners.hpp"
#include "engines/cuda/cull.hpp"
#include "engines/cuda/sink.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr std::int32_t kPartSamples = 4096;  ///< about so many samples of a box make a part
constexpr unsigned kBlocksPerMultiprocessor = 6;
constexpr std::uint32_t kOrderedTurns = 4;  ///< of a warp; with so few, a shared counter does not pay

/// How many triangles a warp takes at a time, from an equal `share` per warp: a chunk; fewer if some warps would get
/// none, more if warps would take turns too often.
__device__ std::uint32_t unit_size(std::uint32_t share) {
  constexpr std::uint32_t kFewest = 4, kMostTurns = 8;
  const std::uint32_t turns = share / kChunk;
  if (turns > kMostTurns) return turns / kMostTurns * kChunk;
  return share >= kChunk ? kChunk : share > kFewest ? share : kFewest;
}

/// A warp's shared memory.
template <Pass kPass>
struct WarpRoom {
  SurvivorQueue queue;
  BatchRoom batch;
  CrossingRoom<kPass> crossings;
};

/// Passes triangles on to the pass over large ones; by the whole warp, for lanes with `left`. Triangles with a small
/// box in the window are passed on whole, others in parts by rows.
__device__ void ask_for_parts(bool left, std::uint32_t mesh, std::uint32_t triangle, const SmallTriangle& box,
                              const Frame& frame, unsigned lane) {
#pragma unroll 1
  for (unsigned lanes = __ballot_sync(kAllLanes, left); lanes != 0; lanes &= lanes - 1) {
    const int from = __ffs(static_cast<int>(lanes)) - 1;
    const std::int32_t width = __shfl_sync(kAllLanes, box.width, from);
    const auto rows = static_cast<std::uint32_t>(__shfl_sync(kAllLanes, box.height, from));
    const auto row = static_cast<std::uint32_t>(__shfl_sync(kAllLanes, box.first_row, from));
    const std::uint32_t id = __shfl_sync(kAllLanes, triangle, from);
    const bool small = width <= kMaxSmallExtent && rows <= kMaxSmallExtent;
    const std::uint32_t rows_per_part = small                                      ? rows
                                        : width <= kNarrow || width > kPartSamples ? 1
                                                                                   : kPartSamples / width;
    const std::uint32_t parts = (rows + rows_per_part - 1) / rows_per_part;
    unsigned long long begin = 0;
    if (lane == 0) begin = atomicAdd(&frame.state->large_parts, static_cast<unsigned long long>(parts));
    begin = __shfl_sync(kAllLanes, begin, 0);
#pragma unroll 1
    for (std::uint32_t p = lane; p < parts; p += kWarp)
      if (begin + p < frame.large_capacity)
        frame.large[begin + p] = {static_cast<std::uint16_t>(mesh), static_cast<std::uint16_t>(small), id,
                                  row + p * rows_per_part, std::min(rows_per_part, rows - p * rows_per_part)};
  }
}

/// Up to 32 survivors, one per lane.
template <Pass kPass>
__device__ void rasterize(bool active, const Survivor& survivor, const Frame& frame, unsigned m, const Target& target,
                          BatchRoom& room, QueuedSink<kPass>& sink, unsigned lane) {
  SnappedCorners c;
  SmallTriangle s;
  Method method = Method::none;
  if (active) {
    c = snap_corners(load_corners(frame.mesh[m], survivor.corners).at, target);
    method = set_up_method(c, target, s);
  }
  // The parts that the counting pass requested still exist when crossings are written.
  if (!is_scatter(kPass)) ask_for_parts(method == Method::rows, m, survivor.triangle, s, frame, lane);
  const std::uint32_t face = has_faces(kPass) ? survivor.triangle : 0;
  bool small = method == Method::small;
  if (!__any_sync(kAllLanes, small && s.width * s.height != 1)) {
    // The usual case in a fine mesh.
    OnlySample only{};
    if (small) only = look_at_only_sample(c, s, target);
    if (!__any_sync(kAllLanes, small && only.on_edge)) {
      const auto column =
          static_cast<std::uint32_t>(s.first_row) * target.columns + static_cast<std::uint32_t>(s.first_u);
      sink.put(small && only.covered, column, only.key, face, lane);
      return;
    }
  }
  if (small) small = set_up_edges(c, target, s);
  sample_batch<false>(small, s, face, room, target, sink, lane);
}

/// A mesh's triangles, `unit` of them at a time.
template <Pass kPass>
__device__ void rasterize_mesh(const Frame& frame, unsigned m, std::uint32_t unit, std::uint32_t warp,
                               std::uint32_t warps, const Target& target, WarpRoom<kPass>& room, unsigned lane) {
  const DeviceMesh& mesh = frame.mesh[m];
  const auto units = static_cast<std::uint32_t>((std::uint64_t{mesh.triangle_count} + unit - 1) / unit);
  // A few turns are assigned in order; with more, free warps take the next one: a counter that all warps use at once is
  // slow.
  const bool in_order = units <= kOrderedTurns * warps;
  std::uint32_t* counter = &frame.state->taken[is_scatter(kPass) ? 1 : 0][m];
  // As if the unit before the warp's first had just been done.
  std::uint32_t number = warp - warps, answer = warp - warps;
  QueuedSink<kPass> sink{{frame.columns[m]}, {room.crossings}};
  std::uint32_t waiting = 0;
  std::uint32_t at = 0, end = 0;
  bool more = true;
#pragma unroll 1
  while (more || waiting != 0 || sink.queue.count != 0) {
#pragma unroll 1
    while (more && waiting < kWarp) {
      if (at == end) {
        number = warps + (in_order ? number : __shfl_sync(kAllLanes, answer, 0));
        more = number < units;
        if (!more) break;
        // Requested long before it is needed.
        if (!in_order && lane == 0) answer = atomicAdd(counter, 1u);
        at = number * unit;
        end = unit < mesh.triangle_count - at ? at + unit : mesh.triangle_count;
      }
      const LaneTriangles loaded = load_chunk(mesh, at, end, lane);
      fetch_chunk(mesh, at + kChunk, end, lane);
      waiting = queue_survivors<!is_scatter(kPass)>(frame, m, loaded, at, end, room.queue, waiting, lane);
      at = kChunk < end - at ? at + kChunk : end;
    }
    const std::uint32_t batch = waiting < kWarp ? waiting : kWarp;
    if (batch != 0) {
      waiting -= batch;
      Survivor mine{};
      if (lane < batch) mine = room.queue.waiting[waiting + lane];
      __syncwarp();
      rasterize<kPass>(lane < batch, mine, frame, m, target, room.batch, sink, lane);
    }
    if (batch == 0 || sink.queue.is_full()) sink.write(lane);
  }
}

template <Pass kPass>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor) raster(const Frame frame) {
  __shared__ __align__(16) unsigned char memory[kWarps * sizeof(WarpRoom<kPass>)];
  __shared__ __align__(16) unsigned char shared_target[sizeof(Target)];
  wait_for_previous();
  let_next_start();
  if (threadIdx.x < sizeof(Target) / 4)
    reinterpret_cast<std::uint32_t*>(shared_target)[threadIdx.x] =
        reinterpret_cast<const std::uint32_t*>(&frame.state->target)[threadIdx.x];
  __syncthreads();
  const Target& target = *reinterpret_cast<const Target*>(shared_target);
  const unsigned lane = threadIdx.x % kWarp;
  WarpRoom<kPass>& room = reinterpret_cast<WarpRoom<kPass>*>(memory)[threadIdx.x / kWarp];
  const std::uint32_t warps = gridDim.x * kWarps, warp = blockIdx.x * kWarps + threadIdx.x / kWarp;
  const std::uint64_t all = std::uint64_t{frame.mesh[0].triangle_count} + frame.mesh[1].triangle_count;
  const std::uint32_t unit = unit_size(static_cast<std::uint32_t>((all + warps - 1) / warps));
#pragma unroll 1
  for (unsigned m = 0; m < frame.mesh_count; ++m)
    // The warps that got the fewest triangles of mesh 0 begin with mesh 1.
    rasterize_mesh<kPass>(frame, m, unit, m == 0 ? warp : warps - 1 - warp, warps, target, room, lane);
}

template <Pass kPass>
void launch_pass(const Frame& frame, CudaStream stream) {
  launch({.stream = stream, .blocks = frame.multiprocessors * kBlocksPerMultiprocessor, .threads = kThreads},
         raster<kPass>, frame);
  if (frame.large_pass) launch_large(frame, kPass, stream);
}

}  // namespace

void launch_raster(const Frame& frame, Pass pass, CudaStream stream) {
  switch (pass) {
    case Pass::slots:
      launch_pass<Pass::slots>(frame, stream);
      break;
    case Pass::count:
      launch_pass<Pass::count>(frame, stream);
      break;
    case Pass::scatter:
      launch_pass<Pass::scatter>(frame, stream);
      break;
    case Pass::slots_with_faces:
      launch_pass<Pass::slots_with_faces>(frame, stream);
      break;
    case Pass::scatter_with_faces:
      launch_pass<Pass::scatter_with_faces>(frame, stream);
      break;
  }
}

}  // namespace lamella::cuda
