// The beginning of a DeviceScene's frame: boxes of all objects, pairs of boxes that share a volume, and one grid over
// all shared volumes.
//
// Every object is compared with every other, one warp per object: for a few thousand boxes that is less work than
// keeping them sorted, and each warp finds all that its object shares. The candidates of an object are adjacent and
// ascend; the order of the objects may vary. The last block chooses the grid; sums and minima are taken in a fixed
// order, so that the choice is the same in every run.

#include "core/voi_choice.hpp"
#include "engines/cuda/block.hpp"
#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"
#include "engines/cuda/scene_frame.hpp"
#include "engines/cuda/scene_window.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarp;

__global__ void __launch_bounds__(kThreads) scene_boxes(const SceneFrame f) {
  wait_for_previous();
  let_next_start();
  const SceneChunk chunk = f.search.vertex_chunks[blockIdx.x];
  const Vec3* positions = f.jobs[chunk.job].mesh.positions;
  std::uint32_t high[3] = {}, low[3] = {};
  bool unusable = false;
#pragma unroll 1
  for (std::uint64_t i = std::uint64_t{chunk.begin} + threadIdx.x; i < chunk.end; i += kThreads) {
    const Vec3 p = positions[i];
    if (!usable(p)) {
      unusable = true;
      continue;
    }
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      high[k] = std::max(high[k], order_bits(p[k]));
      low[k] = std::max(low[k], ~order_bits(p[k]));
    }
  }
  OrderedBox& box = f.search.boxes[chunk.job];
  const bool first = threadIdx.x % kWarp == 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t highest = __reduce_max_sync(kAllLanes, high[k]);
    const std::uint32_t lowest = __reduce_max_sync(kAllLanes, low[k]);
    if (first && highest != 0) atomicMax(&box.high[k], highest);
    if (first && lowest != 0) atomicMax(&box.low[k], lowest);
  }
  if (__any_sync(kAllLanes, unusable ? 1 : 0) != 0 && first) atomicOr(f.search.unusable + chunk.job, 1u);
}

__device__ Aabb box_of(const SceneFrame& f, std::uint32_t object) {
  const OrderedBox bits = f.search.boxes[object];
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    if (bits.high[k] == 0) continue;
    box.max[k] = from_order_bits(bits.high[k]);
    box.min[k] = from_order_bits(~bits.low[k]);
  }
  return box;
}

__device__ bool share_volume(const Aabb& a, const Aabb& b, Aabb& shared) {
  for (int k = 0; k < 3; ++k) {
    shared.min[k] = fmaxf(a.min[k], b.min[k]);
    shared.max[k] = fminf(a.max[k], b.max[k]);
  }
  return encloses_volume(shared);
}

/// Sum or box of all lanes, in a fixed order; all lanes get it.
__device__ double warp_sum(double x) {
#pragma unroll
  for (int d = 1; d < static_cast<int>(kWarp); d *= 2) x += __shfl_xor_sync(kAllLanes, x, d);
  return x;
}
__device__ Aabb warp_unite(Aabb box) {
#pragma unroll
  for (int d = 1; d < static_cast<int>(kWarp); d *= 2)
    for (int k = 0; k < 3; ++k) {
      box.min[k] = fminf(box.min[k], __shfl_xor_sync(kAllLanes, box.min[k], d));
      box.max[k] = fmaxf(box.max[k], __shfl_xor_sync(kAllLanes, box.max[k], d));
    }
  return box;
}

/// Finds all that an object shares with others, and its candidates; by a warp.
__device__ void find_partners(const SceneFrame& f, std::uint32_t a) {
  const SceneSearch& s = f.search;
  const unsigned lane = threadIdx.x % kWarp;
  const Aabb own = box_of(f, a);
  const auto near = [&](std::uint32_t b, Aabb& other, Aabb& shared) {
    if (b >= f.object_count || b == a) return false;
    other = box_of(f, b);
    return share_volume(own, other, shared);
  };
  Aabb all;
  Vec3d depth;
  std::uint32_t count = 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < f.object_count; first += kWarp) {
    Aabb other, shared;
    const std::uint32_t b = first + lane;
    const bool is_near = near(b, other, shared);
    if (is_near) all = unite(all, shared);
    if (is_near && b > a)
      for (int k = 0; k < 3; ++k) depth[k] += fminf(other.max[k] - own.min[k], own.max[k] - other.min[k]);
    count += static_cast<std::uint32_t>(__popc(__ballot_sync(kAllLanes, is_near && b > a ? 1 : 0)));
  }
  all = warp_unite(all);
  for (int k = 0; k < 3; ++k) depth[k] = warp_sum(depth[k]);
  std::uint32_t begin = 0;
  if (lane == 0 && count != 0) begin = atomicAdd(&f.state->candidates, count);
  begin = __shfl_sync(kAllLanes, begin, 0);
  const bool room = begin <= s.candidate_capacity && count <= s.candidate_capacity - begin;
  if (lane == 0) {
    s.shared[a] = all;
    s.depths[a] = depth;
    s.rows[a] = {begin, room ? begin + count : begin};
  }
  if (!room || count == 0) return;
  std::uint32_t at = begin;
#pragma unroll 1
  for (std::uint32_t first = a / kWarp * kWarp; first < f.object_count; first += kWarp) {
    Aabb other, shared;
    const std::uint32_t b = first + lane;
    const bool found = near(b, other, shared) && b > a;
    const unsigned lanes = __ballot_sync(kAllLanes, found ? 1 : 0);
    const std::uint32_t mine = at + static_cast<std::uint32_t>(__popc(lanes & before_lane(lane)));
    if (found) {
      s.partners[mine] = b;
      s.sums[mine] = {};
    }
    at += static_cast<std::uint32_t>(__popc(lanes));
  }
}

/// Combined values of all objects that share a volume.
struct Together {
  Aabb shared, whole;
  Vec3d depth;
};

/// Thread 0 of the block gets the result; all threads must call it.
__device__ Together put_together(const SceneFrame& f) {
  __shared__ float boxes[kWarps][12];
  __shared__ double depths[kWarps][3];
  Together mine;
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < f.object_count; i += kThreads) {
    const Aabb shared = f.search.shared[i];
    if (shared.empty()) continue;
    mine.shared = unite(mine.shared, shared);
    mine.whole = unite(mine.whole, box_of(f, i));
    mine.depth = mine.depth + f.search.depths[i];
  }
  mine.shared = warp_unite(mine.shared);
  mine.whole = warp_unite(mine.whole);
  for (int k = 0; k < 3; ++k) mine.depth[k] = warp_sum(mine.depth[k]);
  const unsigned warp = threadIdx.x / kWarp;
  if (threadIdx.x % kWarp == 0)
    for (int k = 0; k < 3; ++k) {
      boxes[warp][k] = mine.shared.min[k];
      boxes[warp][3 + k] = mine.shared.max[k];
      boxes[warp][6 + k] = mine.whole.min[k];
      boxes[warp][9 + k] = mine.whole.max[k];
      depths[warp][k] = mine.depth[k];
    }
  __syncthreads();
  Together all;
  if (threadIdx.x != 0) return all;
  for (unsigned w = 0; w < kWarps; ++w) {
    const float* b = boxes[w];
    all.shared = unite(all.shared, {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}});
    all.whole = unite(all.whole, {{b[6], b[7], b[8]}, {b[9], b[10], b[11]}});
    all.depth = all.depth + Vec3d{depths[w][0], depths[w][1], depths[w][2]};
  }
  return all;
}

/// Lengths of spans are summed in units so small that a sum over all columns just fits 63 bits: a power of two, 2^-34
/// of the box's depth or less, so that lengths add up without rounding.
__device__ double length_unit(const Grid& grid) {
  std::uint64_t bits = 62;
#pragma unroll 1
  for (std::uint64_t c = grid.column_count() - 1; c != 0; c >>= 1) --bits;
  constexpr std::uint64_t kExponent = 0x7ff0000000000000u;
  const auto power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(static_cast<double>(grid.depth())) & kExponent);
  return power * std::bit_cast<double>((1023 - bits) << 52);
}

__device__ void decide(const SceneFrame& f, const Together& all) {
  const SceneSearch& s = f.search;
  SceneState& state = *f.state;
  Grid grid;
  if (state.candidates != 0 && state.candidates <= s.candidate_capacity) {
    const Vec3d d = all.depth;
    const int shallowest = d.x <= d.y && d.x <= d.z ? 0 : d.y <= d.z ? 1 : 2;
    const int axis = s.axis >= 0 ? s.axis : shallowest;
    grid = {all.shared, static_cast<Axis>(axis), s.resolution, s.resolution};
    // Along the rays, the box contains whole objects with a margin at both ends: no surface lies on the box's faces.
    const float room = 0x1p-10f * (all.whole.max[axis] - all.whole.min[axis]);
    grid.box.min[axis] = all.whole.min[axis] - room;
    grid.box.max[axis] = all.whole.max[axis] + room;
  }
  state.grid = grid;
  state.target = grid.columns != 0 ? make_target(grid, whole(grid)) : Target{};
  state.thickness = grid.columns != 0 ? s.min_thickness * grid.depth() : 0;
  const double cell = grid.columns != 0 ? fmax(grid.cell_u(), grid.cell_v()) : 0;
  state.threshold = s.threshold * static_cast<float>(cell);
  state.length_unit = grid.columns != 0 ? length_unit(grid) : 0;
}

__global__ void __launch_bounds__(kThreads) scene_candidates(const SceneFrame f) {
  wait_for_previous();
  let_next_start();
  const std::uint32_t a = blockIdx.x * kWarps + threadIdx.x / kWarp;
  if (a < f.object_count) find_partners(f, a);
  if (!is_last_block(&f.state->row_blocks, gridDim.x)) return;
  const Together all = put_together(f);
  if (threadIdx.x == 0) decide(f, all);
  __syncthreads();
  const Grid grid = f.state->grid;
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < f.object_count; i += kThreads) {
    const Aabb shared = f.search.shared[i];
    f.search.windows[i] = grid.columns == 0 || shared.empty() ? Window{} : touched_window(shared, grid);
  }
}

}  // namespace

void launch_scene_candidates(const SceneFrame& frame, CudaStream stream) {
  launch({.stream = stream, .blocks = frame.search.vertex_chunk_count, .threads = kThreads}, scene_boxes, frame);
  launch({.stream = stream, .blocks = std::max(1u, (frame.object_count + kWarps - 1) / kWarps), .threads = kThreads},
         scene_candidates, frame);
}

}  // namespace lamella::cuda
