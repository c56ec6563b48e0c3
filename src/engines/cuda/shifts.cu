// Free shifts along directions (engines/shift_finder.hpp): a block takes a direction, turns both meshes into its view,
// samples the rectangle that their images share, in lists as batch.cu does, and finds the ends of the gap around 0 of
// what its columns forbid. An end moves to the far end of an interval that contains it, as long as there is one: every
// pass over the columns takes the largest, so that a few passes are enough, in any order of threads.
//
// Lists are short, and each pass walks along them again: keeping the intervals would need room for all of them.
//
// Measured on an H200: 1,000 directions for two meshes of 50,000 faces at 64 x 64 in 2.8 ms, by the host's clock, with
// the upload of both.

#include "core/voi_choice.hpp"
#include "engines/cuda/batch_finish.hpp"
#include "engines/cuda/batch_place.hpp"
#include "engines/cuda/batch_raster.hpp"
#include "engines/cuda/shifts_job.hpp"

namespace lamella::cuda {
namespace batch {
namespace {

/// Both ends of the gap, as bits of floats that are never negative: a block's, in shared memory.
struct Gap {
  std::uint32_t ahead, back;            ///< the least free t of either sign
  std::uint32_t room_ahead, room_back;  ///< where the next interval beyond begins
  std::uint32_t open;
};

/// By one thread.
__device__ void take_direction(const ShiftJob& job, Order& out, Vec3* placed) {
  out.pair = atomicAdd(&job.report->next, 1u);
  if (out.pair >= job.count) return;
  for (int m = 0; m < 2; ++m) {
    out.mesh[m] = job.mesh[m];
    out.identity[m] = false;
    out.placement[m] = job.views[out.pair];
    out.points[m] = placed + (m == 0 ? 0 : job.mesh[0].vertex_count);
    begin_box(out, m);
  }
}

/// By one thread: the rectangle that both images share, as deep as both meshes together.
__device__ void begin_direction(const ShiftJob& job, Gap& gap) {
  BlockState& s = block_state();
  const Aabb a = box_of(s.orders[0], 0), b = box_of(s.orders[0], 1);
  s.turn = s.main = 0;
  s.skipped = s.bad_index[0] = s.bad_index[1] = 0;
  s.counts[0] = {};
  gap = {0, 0, 0x7f800000u, 0x7f800000u, 0};
  s.grid = {};
  s.sampled = false;
  if (a.empty() || b.empty()) return;
  Aabb box = shared_box(a, b);
  box.min.z = min_of(a.min.z, b.min.z);
  box.max.z = max_of(a.max.z, b.max.z);
  const Vec3 size = extent(box);
  s.sampled = size.x > 0 && size.y > 0 && size.z > 0;
  if (!s.sampled) return;
  s.grid = {box, Axis::z, job.resolution, job.resolution};
  s.targets[0] = make_target(s.grid, whole(s.grid));
}

/// What one pass looks for.
struct Forward {
  float ahead, back;            ///< the ends so far
  float next_ahead, next_back;  ///< where they move to
  float room_ahead, room_back;

  /// Forbids from < t < to.
  __device__ __forceinline__ void forbid(float from, float to) {
    if (from < ahead && to > ahead) next_ahead = max_of(next_ahead, to);
    if (-to < back && -from > back) next_back = max_of(next_back, -from);
    if (from >= ahead) room_ahead = min_of(room_ahead, from - ahead + 0.0f);  // not -0
    if (-to >= back) room_back = min_of(room_back, -to - back + 0.0f);
  }
};

/// Calls visit(begin, end) for each stretch inside the solid of a sorted list.
template <class Nodes, class Visit>
__device__ __forceinline__ void for_stretches(const Nodes& nodes, std::uint32_t head, const Visit& visit) {
  sweep_inside(ListCursor(nodes, head), WholeColumn{}, 0.0f, visit);
}

/// A column that is not one stretch of either mesh.
template <class Nodes>
__device__ __noinline__ Forward forbid_lists(Nodes nodes, std::uint32_t a, std::uint32_t b, Forward forward) {
  for_stretches(nodes, a, [&](float begin_a, float end_a) {
    for_stretches(nodes, b, [&](float begin_b, float end_b) { forward.forbid(begin_b - end_a, end_b - begin_a); });
  });
  return forward;
}

/// Sorts the lists of all columns. Columns that do not close, or that only one mesh has, become empty.
template <Near kNear, class Nodes>
__device__ __noinline__ void sort_columns(Nodes nodes, std::uint32_t& open) {
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  std::uint32_t* lists = heads<kNear>();
  const std::uint32_t count = block_state().head_count / 2;
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    const std::uint32_t a = lists[i], b = lists[count + i];
    if (a == kNoNode && b == kNoNode) continue;
    const ListFacts of_a = walk(nodes, a), of_b = walk(nodes, b);
    const bool closed = of_a.balance() == 0 && of_b.balance() == 0;
    if (!closed) open = 1;
    const bool wanted = closed && a != kNoNode && b != kNoNode;
    lists[i] = wanted ? sort_list(nodes, a, of_a.count) : kNoNode;
    lists[count + i] = wanted ? sort_list(nodes, b, of_b.count) : kNoNode;
  }
}

/// One pass over all columns.
template <Near kNear, class Nodes>
__device__ __noinline__ void pass_over(Nodes nodes, Gap& gap) {
  if constexpr (std::is_same_v<Nodes, NearNodes>) nodes.near = node_pool<kNear>().near;  // known to be in shared memory
  const std::uint32_t* lists = heads<kNear>();
  const std::uint32_t count = block_state().head_count / 2;
  const float ahead = __uint_as_float(gap.ahead), back = __uint_as_float(gap.back);
  __syncthreads();  // all have read the ends
  const float none = __uint_as_float(0x7f800000u);
  Forward forward{ahead, back, ahead, back, none, none};
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    const std::uint32_t a = lists[i], b = lists[count + i];
    if (a == kNoNode) continue;
    std::uint32_t in_a = 0, out_a = 0, in_b = 0, out_b = 0;
    if (is_plain(nodes, a, in_a, out_a) && is_plain(nodes, b, in_b, out_b)) {
      const float begin_a = Crossing{in_a}.depth(), end_a = Crossing{out_a}.depth();
      const float begin_b = Crossing{in_b}.depth(), end_b = Crossing{out_b}.depth();
      if (end_a > begin_a && end_b > begin_b) forward.forbid(begin_b - end_a, end_b - begin_a);
    } else {
      forward = forbid_lists(nodes, a, b, forward);
    }
  }
  const auto most = [](float x) { return __reduce_max_sync(kAllLanes, __float_as_uint(x)); };
  const auto least = [](float x) { return __reduce_min_sync(kAllLanes, __float_as_uint(x)); };
  const std::uint32_t next_ahead = most(forward.next_ahead), next_back = most(forward.next_back);
  const std::uint32_t room_ahead = least(forward.room_ahead), room_back = least(forward.room_back);
  if (threadIdx.x % kWarp != 0) return;
  atomicMax(&gap.ahead, next_ahead);
  atomicMax(&gap.back, next_back);
  atomicMin(&gap.room_ahead, room_ahead);
  atomicMin(&gap.room_back, room_back);
}

/// By all threads.
template <Near kNear, class Nodes>
__device__ void find_gap(const Nodes& nodes, Gap& gap) {
  sort_columns<kNear>(nodes, gap.open);
  __syncthreads();
#pragma unroll 1
  while (true) {
    const std::uint32_t ahead = gap.ahead, back = gap.back;
    pass_over<kNear>(nodes, gap);
    __syncthreads();
    const bool moved = gap.ahead != ahead || gap.back != back;
    __syncthreads();
    if (!moved) return;
    if (threadIdx.x == 0) gap.room_ahead = gap.room_back = 0x7f800000u;
  }
}

template <Near kNear>
__device__ void sample_direction(Gap& gap) {
  BlockState& s = block_state();
  clear_lists<kNear>();
  encode_vertices<kNear>(0);
  __syncthreads();
  rasterize<kNear, Tag::none>(0);
  __syncthreads();
  rasterize_aside<kNear, Tag::none>(0);
  __syncthreads();
  const std::uint32_t nodes = s.counts[0].nodes;
  if (nodes <= s.near_nodes)
    find_gap<kNear>(NearNodes{}, gap);
  else if (nodes <= s.node_capacity)
    find_gap<kNear>(node_pool<kNear>(), gap);
}

/// By one thread.
__device__ void write_shift(const ShiftJob& job, const BlockState& s, std::uint32_t number, const Gap& gap) {
  FreeShift out;
  if (s.sampled) {
    const double u = s.grid.cell_u(), v = s.grid.cell_v();
    out.forward = __uint_as_float(gap.ahead);
    out.backward = __uint_as_float(gap.back);
    out.room_forward = __uint_as_float(gap.room_ahead);
    out.room_backward = __uint_as_float(gap.room_back);
    out.open = gap.open != 0;
    out.cell = static_cast<float>(u < v ? v : u);
  }
  job.answers[number] = out;
  WarpSums none{};
  write_report(job, s, number, s.counts[0].nodes, none);
}

template <Near kNear>
__global__ void __launch_bounds__(kMostThreads, 1) shifts_kernel(ShiftJob job) {
  wait_for_previous();
  BlockState& s = block_state();
  Gap& gap = *reinterpret_cast<Gap*>(s.end_sums);
  if (threadIdx.x == 0) find_scratch(job.memory, s);
  __syncthreads();
  Order& order = s.orders[0];
  while (true) {
    if (threadIdx.x == 0) take_direction(job, order, s.placed);
    __syncthreads();
    const std::uint32_t number = order.pair;
    if (number >= job.count) return;
    place_vertices(order, 0, s.placed, blockDim.x);
    place_vertices(order, 1, s.placed + order.mesh[0].vertex_count, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) begin_direction(job, gap);
    __syncthreads();
    if (s.sampled) sample_direction<kNear>(gap);
    __syncthreads();
    if (threadIdx.x == 0) write_shift(job, s, number, gap);
    __syncthreads();
  }
}

}  // namespace
}  // namespace batch

BatchPlan plan_shifts(const BatchSizes& sizes, std::uint32_t directions, const DeviceFacts& device) {
  constexpr std::uint32_t kThreads = batch::kMostThreads / 2;
  const auto reserved = static_cast<std::uint32_t>(device.shared_reserved);
  const std::uint32_t each = (static_cast<std::uint32_t>(device.shared_per_block) + reserved) * kThreads;
  const std::uint32_t room = each / batch::kMostThreads / 16 * 16 - reserved, fixed = batch::fixed_bytes(kThreads);
  const std::size_t heads =
      batch::near_bytes(batch::Near::heads, sizes.lists * sizes.columns, sizes.vertices, sizes.resolution);
  BatchPlan plan;
  plan.threads = kThreads;
  plan.near = fixed + heads + sizes.columns * sizeof(BatchNode) <= room;
  plan.shared_bytes = room;
  plan.near_nodes = static_cast<std::uint32_t>((room - fixed - (plan.near ? heads : 0)) / sizeof(BatchNode));
  plan.blocks =
      std::min(directions, static_cast<std::uint32_t>(device.multiprocessors) * (batch::kMostThreads / kThreads));
  return plan;
}

void launch_shifts(const ShiftJob& job, const BatchPlan& plan, const DeviceFacts& device, CudaStream stream) {
  using batch::Near;
  const auto kernel = plan.near ? batch::shifts_kernel<Near::heads> : batch::shifts_kernel<Near::nothing>;
  // The limit belongs to the kernel, not to the launch, see batch.cu.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(device.shared_per_block)),
        "give a kernel its shared memory");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100),
        "give a kernel its shared memory");
  launch({stream, plan.blocks, plan.threads, plan.shared_bytes}, kernel, job);
}

}  // namespace lamella::cuda
