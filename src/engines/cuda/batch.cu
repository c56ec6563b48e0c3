// Thousands of small pairs in one kernel: a block does a whole pair, from the boxes of the placed meshes to the answer,
// and takes the next pair from one counter. Each answer has a fixed place, so it does not matter which block takes
// which pair. Sums are in the order of columns and threads, so that they have the same bits every time.
//
// Crossings go into slots, with lists for those that find theirs taken (batch_slots.hpp), or, where slots do not fit
// into shared memory, into lists, one per column and mesh: a single pass over the triangles makes them, while counting
// first would set up every triangle twice. Lists, codes and queues are in shared memory if they fit. Further nodes are
// in the block's scratch in device memory; if that is too small too, the run reports how many there are.
//
// The lower bound by memory traffic is 18 bytes per face and pair: three indices, and half a vertex of 12. Two meshes
// of 5k faces are 180 KB, which an H200 reads in 0.043 us, if all meshes are distinct. Measured there, 10,000 such
// pairs at 64 x 64: 0.57 us per pair, 13.4 times that bound; with lists alone 0.68.
//
// With gradients a block samples its pair along all three axes, one after another. Vertices are placed once; the box,
// the lists and the queues are the same memory each time. Crossings then have tags in scratch, which are written for
// all and read only where a span ends. Measured as above: 2.2 us per pair, with lists alone 2.4. What bounds it is
// latency: 24 warps of a multiprocessor issue in about 40 % of its slots, two thirds of it rasterising.

#include "core/voi_choice.hpp"
#include "engines/cuda/batch_ends.hpp"
#include "engines/cuda/batch_finish.hpp"
#include "engines/cuda/batch_place.hpp"
#include "engines/cuda/batch_slots.hpp"

namespace lamella::cuda {
namespace batch {
namespace {

/// Takes the next pair and reads what it asks for; by one thread.
__device__ void take_order(const BatchJob& job, Vec3* placed, Order& out) {
  out.pair = atomicAdd(&job.report->next, 1u);
  if (out.pair >= job.pair_count) return;
  const BatchPair& pair = job.pairs[out.pair];
  for (int m = 0; m < 2; ++m) {
    const Transform& pose = m == 0 ? pair.pose_a : pair.pose_b;
    out.mesh[m] = job.meshes[(m == 0 ? pair.a : pair.b).number];
    out.identity[m] = is_identity(pose);
    out.placement[m] = placement_of(pose);
    out.points[m] = out.identity[m] ? out.mesh[m].positions : placed;
    placed += out.mesh[m].vertex_count;
    begin_box(out, m);
  }
}

/// By one thread, which then prepares the state for this order.
template <bool kGradient>
__device__ void begin_order(const BatchJob& job, std::uint32_t turn) {
  BlockState& s = block_state();
  s.turn = turn;
  s.skipped = s.bad_index[0] = s.bad_index[1] = 0;
  const VoiChoice choice = choose_shared(box_of(s.orders[turn], 0), box_of(s.orders[turn], 1), job.axis);
  s.sampled = choice.exists;
  s.grid = {};
  s.main = 0;
  s.overlaps = 0;
  for (std::uint32_t view = 0; view < (kGradient ? kViews : 1); ++view) {
    s.counts[view] = {};
    s.ends[view] = {};
  }
  if (!choice.exists) return;
  s.grid = {choice.voi.box, choice.voi.axis, job.resolution, job.resolution};
  s.step_scale = length_scale(s.grid);
  if constexpr (kGradient) {
    s.main = static_cast<std::uint32_t>(s.grid.w());
    Grid grid = s.grid;
    for (std::uint32_t view = 0; view < kViews; ++view) {
      grid.axis = static_cast<Axis>(view);
      s.targets[view] = make_target(grid, whole(grid));
    }
  } else {
    s.targets[0] = make_target(s.grid, whole(s.grid));
  }
}

/// Likewise, after write_answer(), where there are spans.
__device__ void write_gradient(const BlockState& s, const SpanTotals& t, const SquareSums& squares, PairGradient& out) {
  const auto pivot = out.centroid;
  Grid grid = s.grid;
  for (std::uint32_t view = 0; view < kViews; ++view) {
    const ViewEnds& ends = s.ends[view];
    grid.axis = static_cast<Axis>(view);
    EndSums sums{ends.count, ends.twice_u, ends.twice_v, ends.area[0], {}};
    add_view(grid, sums, pivot, out.sums.a, out.sums.inner_a);
    sums = {0 - sums.count, 0 - sums.twice_u, 0 - sums.twice_v, ends.area[1], {}};
    add_view(grid, sums, pivot, out.sums.b, out.sums.inner_b);
  }
  // The normals' integrals are the forces: their images have the signs of the ends.
  out.sums.inner_a.normal = out.sums.a.translation;
  out.sums.inner_b.normal = out.sums.b.translation;
  finish_inner(out.sums.inner_a);
  finish_inner(out.sums.inner_b);
  const double half = 0.5 * s.grid.columns;
  sum_up_moments(s.grid,
                 {t.length, t.moment_u - half * t.length, t.moment_v - half * t.length, t.moment_w, squares.uu,
                  squares.uv, squares.vv, squares.uw, squares.vw, squares.ww},
                 out.sums);
}

/// By the first warp: sums of all warps, in their order, the error, the answer and the report.
template <Near kNear, bool kGradient>
__device__ void finish(const BatchJob& job, std::uint32_t pair) {
  const BlockState& s = block_state();
  WarpSums sums{};
  SquareSums squares;
  if (s.sampled && threadIdx.x < blockDim.x / kWarp) {
    sums = s.sums[threadIdx.x];
    if constexpr (kGradient) squares = s.squares[threadIdx.x];
  }
  sum_warp(sums);
  if constexpr (kGradient) sum_warp(squares);
  const double error = sums.overlap.spans != 0 ? error_of_pair<kNear>() : 0;  // the same branch in all lanes
  if (threadIdx.x != 0) return;
  if constexpr (kGradient) {
    PairGradient out;
    write_answer(s, sums, error, out);
    if (out.span_count != 0) write_gradient(s, sums.overlap, squares, out);
    job.gradients[pair] = out;
  } else {
    PairOverlap out;
    write_answer(s, sums, error, out);
    job.answers[pair] = out;
  }
  write_report(job, s, pair, nodes_asked_for<kGradient>(s), sums);
}

template <Near kNear>
__device__ void sample_pair(float min_thickness) {
  BlockState& s = block_state();
  if constexpr (kNear == Near::nothing) clear_lists<kNear>();
  encode_vertices<kNear>(0);
  __syncthreads();
  rasterize<kNear, Tag::none>(0);
  __syncthreads();
  rasterize_aside<kNear, Tag::none>(0);
  __syncthreads();
  // Incomplete lists are not processed.
  const std::uint32_t nodes = s.counts[0].nodes;
  if (nodes > s.node_capacity) {
    if (threadIdx.x % kWarp == 0) s.sums[threadIdx.x / kWarp] = {};
  } else if constexpr (kNear == Near::slots) {
    sum_slots<kNear, false>(0, min_thickness);
  } else if (nodes <= s.near_nodes) {
    sum_columns<kNear, false>(NearNodes{}, 0, min_thickness);
  } else {
    sum_columns<kNear, false>(node_pool<kNear>(), 0, min_thickness);
  }
}

/// A view without room for all its crossings: its lists are emptied.
template <Near kNear>
__device__ void give_up_view(std::uint32_t view) {
  BlockState& s = block_state();
  std::uint32_t* lists = heads<kNear>();
  for (std::uint32_t i = threadIdx.x; i < s.head_count; i += blockDim.x) lists[i] = kNoNode;
  if (view != s.main || threadIdx.x % kWarp != 0) return;
  s.overlaps = 1;  // not known
  s.sums[threadIdx.x / kWarp] = {};
  s.squares[threadIdx.x / kWarp] = {};
}

/// The slots of a view.
template <Near kNear>
__device__ __forceinline__ void sum_view_slots(std::uint32_t view, float min_thickness) {
  if (view == block_state().main) sum_slots<kNear, true>(view, min_thickness);
  slot_ends<kNear>(view, min_thickness);
}

/// The lists of a view, with nodes in shared memory or in all places. Several passes, so that each has registers for
/// what it sums up.
template <Near kNear, class Nodes>
__device__ __forceinline__ void sum_view(const Nodes& nodes, std::uint32_t view, float min_thickness) {
  if (view == block_state().main) {
    sum_columns<kNear, true>(nodes, view, min_thickness);
    sum_ends<kNear, true>(nodes, view, min_thickness);
  } else {
    sum_ends<kNear, false>(nodes, view, min_thickness);
  }
}

/// The view of the answer and, where something overlaps, the other two. Lists are empty before and after.
template <Near kNear>
__device__ void sample_views(float min_thickness) {
  BlockState& s = block_state();
  const LineStore line_sums = lines<kNear>();
  for (std::uint32_t i = threadIdx.x; i < line_sums.count(); i += blockDim.x) line_sums.sums[i] = 0;
  const std::uint32_t main = s.main;
  encode_vertices<kNear>(main);
  __syncthreads();
#pragma unroll 1
  for (std::uint32_t i = 0; i < kViews; ++i) {
    const std::uint32_t view = (main + i) % kViews;
    rasterize<kNear, Tag::normal>(view);
    __syncthreads();
    rasterize_aside<kNear, Tag::normal>(view);
    __syncthreads();
    const std::uint32_t nodes = s.counts[view].nodes;
    if (nodes > s.node_capacity)
      give_up_view<kNear>(view);
    else if constexpr (kNear == Near::slots)
      sum_view_slots<kNear>(view, min_thickness);
    else if (nodes <= s.near_nodes)
      sum_view<kNear>(NearNodes{}, view, min_thickness);
    else
      sum_view<kNear>(node_pool<kNear>(), view, min_thickness);
    if (i + 1 < kViews) encode_vertices<kNear>((view + 1) % kViews);
    __syncthreads();
    if (s.overlaps == 0) return;
  }
}

template <Near kNear, bool kGradient>
__global__ void __launch_bounds__(most_threads(kGradient), 1) batch_kernel(BatchJob job) {
  wait_for_previous();
  BlockState& s = block_state();
  if (threadIdx.x == 0) {
    find_scratch(job.memory, s);
    take_order(job, s.placed, s.orders[0]);
  }
  __syncthreads();
  if constexpr (kGradient) clear_lists<kNear>();
  const std::uint32_t placing = blockDim.x - kWarp;
  for (std::uint32_t turn = 0;; turn ^= 1) {
    Order& order = s.orders[turn];
    const std::uint32_t pair = order.pair;
    if (pair >= job.pair_count) return;
    // Meanwhile the last warp fetches the next pair, which takes some thousand cycles; the first warp joins later,
    // since it writes the answer first. Neither changes data that the others use here: their data is in the next order.
    if (threadIdx.x < placing) {
      place_vertices(order, 0, s.placed, placing);
      place_vertices(order, 1, s.placed + order.mesh[0].vertex_count, placing);
    } else if (threadIdx.x == placing) {
      take_order(job, s.placed, s.orders[turn ^ 1]);
    }
    __syncthreads();
    if (threadIdx.x == 0) begin_order<kGradient>(job, turn);
    if constexpr (has_codes(kNear) && !kGradient) clear_lists<kNear>();
    __syncthreads();
    if (!s.sampled)
      count_broken();
    else if constexpr (kGradient)
      sample_views<kNear>(job.min_thickness);
    else
      sample_pair<kNear>(job.min_thickness);
    __syncthreads();
    if (threadIdx.x < kWarp) finish<kNear, kGradient>(job, pair);
  }
}

}  // namespace
}  // namespace batch

std::size_t batch_scratch_bytes(const BatchPlan& plan, const BatchSizes& sizes, std::uint32_t far_nodes) {
  const std::size_t heads = sizes.lists * sizes.columns;
  const std::size_t lists = plan.near ? 0 : batch::list_bytes(heads, sizes.vertices, sizes.resolution);
  const std::size_t placed = batch::aligned(std::size_t{sizes.vertices} * sizeof(Vec3));
  const std::size_t tagged =
      std::size_t{plan.near_nodes} + far_nodes + (plan.slots ? batch::kSlots * sizes.columns : 0);
  const std::size_t tags = sizes.tags ? tagged * sizeof(batch::NodeTag) : 0;
  return (placed + lists + std::size_t{far_nodes} * sizeof(BatchNode) + tags + 255) / 256 * 256;
}

BatchPlan plan_batch(const BatchSizes& sizes, std::uint32_t pairs, const DeviceFacts& device) {
  const std::size_t work = std::max<std::size_t>(sizes.triangles, sizes.columns);
  const std::size_t lists = batch::list_bytes(sizes.lists * sizes.columns, sizes.vertices, sizes.resolution);
  const std::size_t slots = batch::list_bytes(batch::kSlots * sizes.columns, sizes.vertices, sizes.resolution);
  const std::uint32_t most = batch::most_threads(sizes.tags);
  const std::uint32_t preferred = work <= 512 ? 128 : work <= 2048 ? 256 : most / 2;
  const auto reserved = static_cast<std::uint32_t>(device.shared_reserved);
  BatchPlan plan;
  // At most half of a multiprocessor's threads, so that one block computes while another waits; all of them if only
  // then the lists and some nodes fit. A block's part of the shared memory is that of its threads.
  for (const std::uint32_t threads : {preferred, most}) {
    const std::uint32_t each = (static_cast<std::uint32_t>(device.shared_per_block) + reserved) / most * threads;
    const std::uint32_t room = each / 16 * 16 - reserved, fixed = batch::fixed_bytes(threads);
    if (room < fixed) continue;
    plan.threads = threads;
    plan.shared_bytes = room;
    if (sizes.slots && fixed + slots + batch::wanted_slot_nodes(sizes.columns) * sizeof(BatchNode) <= room) {
      plan.near = plan.slots = true;
      plan.near_nodes = static_cast<std::uint32_t>((room - fixed - slots) / sizeof(BatchNode));
      break;
    }
    const std::size_t nodes = threads == preferred ? batch::kWantedNodes * sizes.columns : 1024;
    plan.near = fixed + lists + nodes * sizeof(BatchNode) <= room;
    plan.near_nodes = static_cast<std::uint32_t>((room - fixed - (plan.near ? lists : 0)) / sizeof(BatchNode));
    if (plan.near) break;
  }
  const auto running = static_cast<std::uint32_t>(device.multiprocessors) * (most / plan.threads);
  plan.blocks = std::min(pairs, running);
  return plan;
}

void launch_batch(const BatchJob& job, const BatchPlan& plan, const DeviceFacts& device, CudaStream stream) {
  using batch::Near;
  const bool gradient = job.gradients != nullptr;
  const auto kernel =
      plan.slots  ? (gradient ? batch::batch_kernel<Near::slots, true> : batch::batch_kernel<Near::slots, false>)
      : plan.near ? (gradient ? batch::batch_kernel<Near::all, true> : batch::batch_kernel<Near::all, false>)
                  : (gradient ? batch::batch_kernel<Near::nothing, true> : batch::batch_kernel<Near::nothing, false>);
  // The limit belongs to the kernel, not to the launch: if it were set for this plan, it could be too low for another
  // thread's batch.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(device.shared_per_block)),
        "give a kernel its shared memory");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100),
        "give a kernel its shared memory");
  launch({stream, plan.blocks, plan.threads, plan.shared_bytes}, kernel, job);
}

}  // namespace lamella::cuda
