// Triangles that are too large for a batch, or extend beyond the image. The small ones are still rasterised in batches,
// the others by rows, in the parts that raster.cu requested. A row of a narrow triangle is filled by one lane, the rows
// of a wide one by the whole warp, so that the device does not wait for a triangle that fills the image, or for the
// thousands that the image's border cuts.

#include "engines/cuda/box_batch.hpp"
#include "engines/cuda/corners.hpp"
#include "engines/cuda/sink.hpp"
#include "engines/cuda/warp_rows.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr unsigned kRowInFlight = 8;              ///< places that a lane requests before it uses the first
constexpr unsigned kBlocksPerMultiprocessor = 2;  ///< there are not enough registers for more

/// A warp's shared memory.
template <Pass kPass>
struct WarpRoom {
  BatchRoom batch;
  CrossingRoom<kPass> crossings;
};

/// One row by one lane.
template <Pass kPass>
__device__ void fill_row(const RowSpan& span, const TriangleDepth& depth, std::uint32_t triangle, const Target& target,
                         const Sink<kPass>& sink) {
#pragma unroll 1
  for (std::uint32_t first = 0; first < span.count; first += kRowInFlight) {
    bool there[kRowInFlight];
    std::uint32_t column[kRowInFlight], key[kRowInFlight], face[kRowInFlight];
#pragma unroll
    for (unsigned k = 0; k < kRowInFlight; ++k) {
      there[k] = first + k < span.count;
      column[k] = span.first_column + first + k;
      key[k] = key_at(span, first + k, depth, target.depth);
      face[k] = triangle;
    }
    sink.put(there, column, key, face);
  }
}

/// Rows of one part, 32 at a time: every lane finds the samples of a row, then all fill the rows one after another.
template <Pass kPass, class Int>
__device__ void fill_rows(const LatticeVertex corners[3], const LargePart& part, const Target& target,
                          const Sink<kPass>& sink, unsigned lane) {
  RowTriangle<Int> triangle;
  if (!set_up_rows(corners, target.window, triangle)) return;
#pragma unroll 1
  for (std::uint32_t first = 0; first < part.row_count; first += kWarp) {
    RowSpan mine{};
    const std::uint32_t row = part.first_row + first + lane;
    const bool any = first + lane < part.row_count && row >= triangle.first_row && row < triangle.last_row &&
                     triangle.row(row, target.columns, mine);
#pragma unroll 1
    for (unsigned left = __ballot_sync(kAllLanes, any); left != 0; left &= left - 1) {
      const int from = __ffs(static_cast<int>(left)) - 1;
      const RowSpan span = span_of_lane(mine, from);
#pragma unroll 1
      for (std::uint32_t i = lane; i < span.count; i += 2 * kWarp) {
        const bool there[2] = {true, i + kWarp < span.count};
        const std::uint32_t column[2] = {span.first_column + i, span.first_column + i + kWarp};
        const std::uint32_t key[2] = {key_at(span, i, triangle.depth, target.depth),
                                      key_at(span, i + kWarp, triangle.depth, target.depth)};
        const std::uint32_t face[2] = {part.triangle, part.triangle};
        sink.put(there, column, key, face);
      }
    }
  }
}

/// Not inlined: otherwise the registers for 128 bits would be reserved in all cases.
template <Pass kPass>
__device__ __noinline__ void fill_far_rows(const LatticeVertex corners[3], const LargePart& part, const Target& target,
                                           const Sink<kPass>& sink, unsigned lane) {
  fill_rows<kPass, Wide>(corners, part, target, sink, lane);
}

/// A narrow part: its only row, by one lane.
template <Pass kPass>
__device__ bool try_narrow_row(const LatticeVertex placed[3], const LargePart& part, const Target& target,
                               const Sink<kPass>& sink) {
  RowTriangle<std::int64_t> triangle;
  if (part.row_count != 1 || !is_near(placed)) return false;
  if (!set_up_rows(placed, target.window, triangle)) return true;
  if (triangle.last_u - triangle.first_u > kNarrow) return false;
  RowSpan span;
  if (part.first_row >= triangle.first_row && part.first_row < triangle.last_row &&
      triangle.row(part.first_row, target.columns, span))
    fill_row(span, triangle.depth, part.triangle, target, sink);
  return true;
}

/// Small triangles that the window cuts, one per lane.
template <Pass kPass>
__device__ void sample_cut(bool there, const LargePart& part, const Frame& frame, const Target& target,
                           WarpRoom<kPass>& room, unsigned lane) {
#pragma unroll 1
  for (unsigned m = 0; m < frame.mesh_count; ++m) {
    const bool here = there && part.mesh == m;
    if (!__any_sync(kAllLanes, here)) continue;
    SmallTriangle s;
    bool covers = false;
    if (here) covers = set_up_cut(load_corners(frame.mesh[m], part.triangle).at, target, s);
    QueuedSink<kPass> sink{{frame.columns[m]}, {room.crossings}};
    sample_batch<true>(covers, s, has_faces(kPass) ? part.triangle : 0, room.batch, target, sink, lane);
    sink.write(lane);
  }
}

/// A warp takes 32 parts, one per lane: each lane does its own narrow part, all lanes do the others together.
template <Pass kPass>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor) raster_large(const Frame frame) {
  __shared__ __align__(16) unsigned char memory[kWarps * sizeof(WarpRoom<kPass>)];
  wait_for_previous();
  let_next_start();
  const unsigned lane = threadIdx.x % kWarp;
  WarpRoom<kPass>& room = reinterpret_cast<WarpRoom<kPass>*>(memory)[threadIdx.x / kWarp];
  const Target target = frame.state->target;
  const auto parts =
      static_cast<std::uint32_t>(std::min<unsigned long long>(frame.state->large_parts, frame.large_capacity));
  const std::uint32_t warps = gridDim.x * kWarps;
  // Warp w takes parts w, w + warps, w + 2 warps, ...: this distributes the parts of a large triangle, which are
  // adjacent.
#pragma unroll 1
  for (std::uint64_t base = 0; base < parts; base += std::uint64_t{warps} * kWarp) {
    const std::uint64_t mine = base + std::uint64_t{lane} * warps + blockIdx.x * kWarps + threadIdx.x / kWarp;
    bool wide = false, cut = false;
    LargePart part;
    if (mine < parts) {
      part = frame.large[mine];
      cut = part.whole != 0 && is_cut_small(load_corners(frame.mesh[part.mesh], part.triangle).at, target);
    }
    if (__any_sync(kAllLanes, cut)) sample_cut<kPass>(cut, part, frame, target, room, lane);
    if (mine < parts && !cut) {
      LatticeVertex placed[3];
      if (place_corners(load_corners(frame.mesh[part.mesh], part.triangle).at, target, placed)) {
        wide = !try_narrow_row(placed, part, target, Sink<kPass>{frame.columns[part.mesh]});
      } else if (!is_scatter(kPass)) {
        // Only the first part counts the triangle.
        const LargePart before = mine != 0 ? frame.large[mine - 1] : LargePart{0xffff};
        if (before.triangle != part.triangle || before.mesh != part.mesh)
          atomicAdd(&frame.state->skipped[part.mesh], 1u);
      }
    }
#pragma unroll 1
    for (unsigned left = __ballot_sync(kAllLanes, wide); left != 0; left &= left - 1) {
      const int from = __ffs(static_cast<int>(left)) - 1;
      const LargePart shared{static_cast<std::uint16_t>(__shfl_sync(kAllLanes, unsigned{part.mesh}, from)), 0,
                             __shfl_sync(kAllLanes, part.triangle, from), __shfl_sync(kAllLanes, part.first_row, from),
                             __shfl_sync(kAllLanes, part.row_count, from)};
      const Sink<kPass> sink{frame.columns[shared.mesh]};
      LatticeVertex placed[3];
      (void)place_corners(load_corners(frame.mesh[shared.mesh], shared.triangle).at, target, placed);
      if (is_near(placed))
        fill_rows<kPass, std::int64_t>(placed, shared, target, sink, lane);
      else
        fill_far_rows(placed, shared, target, sink, lane);
    }
  }
}

}  // namespace

void launch_large(const Frame& frame, Pass pass, CudaStream stream) {
  const Launch how{.stream = stream, .blocks = frame.multiprocessors * kBlocksPerMultiprocessor, .threads = kThreads};
  switch (pass) {
    case Pass::slots:
      launch(how, raster_large<Pass::slots>, frame);
      break;
    case Pass::count:
      launch(how, raster_large<Pass::count>, frame);
      break;
    case Pass::scatter:
      launch(how, raster_large<Pass::scatter>, frame);
      break;
    case Pass::slots_with_faces:
      launch(how, raster_large<Pass::slots_with_faces>, frame);
      break;
    case Pass::scatter_with_faces:
      launch(how, raster_large<Pass::scatter_with_faces>, frame);
      break;
  }
}

}  // namespace lamella::cuda
