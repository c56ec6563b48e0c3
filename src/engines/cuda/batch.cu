// Thousands of small pairs in one kernel: a block does a whole pair, from the boxes of the placed meshes to the answer,
// and takes the next pair from one counter. Each answer has a fixed place, so it does not matter which block takes
// which pair. Sums are in the order of columns and threads, so that they have the same bits every time.
//
// Crossings go into lists, one per column and mesh: a single pass over the triangles makes them, while counting first
// would set up every triangle twice. Lists, codes and queues are in shared memory if they fit. Further nodes are in the
// block's scratch in device memory; if that is too small too, the run reports how many there are.
//
// The lower bound by memory traffic is 18 bytes per face and pair: three indices, and half a vertex of 12. Two meshes
// of 5k faces are 180 KB, which an H200 reads in 0.043 us, if all meshes are distinct. Measured there, 10,000 such
// pairs at 64 x 64: 0.67 us per pair, 15.7 times that bound.

#include "core/voi_choice.hpp"
#include "engines/cuda/batch_raster.hpp"
#include "engines/cuda/batch_sums.hpp"
#include "query/verdict.hpp"

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
    for (int k = 0; k < 3; ++k) {
      out.low[m][k] = ~0u;
      out.high[m][k] = 0;
    }
    out.unusable[m] = 0;
  }
}

// ------------------------------------------------------------------------------------------------- vertices, the grid

/// The same order of operations as in the software engine, rounded once.
__device__ __forceinline__ float placed_coordinate(const Vec3d& row, double translation, const Vec3d& p) {
  return static_cast<float>(row.x * p.x + row.y * p.y + row.z * p.z + translation);
}

/// Places a mesh's vertices and finds their box.
__device__ void place_vertices(Order& order, int m, Vec3* placed, std::uint32_t threads) {
  const DeviceMesh& mesh = order.mesh[m];
  const bool identity = order.identity[m];
  const Placement& placement = order.placement[m];
  const Aabb none;
  float low[3] = {none.min.x, none.min.y, none.min.z}, high[3] = {none.max.x, none.max.y, none.max.z};
  std::uint32_t unusable = 0;
  for (std::uint32_t i = threadIdx.x; i < mesh.vertex_count; i += threads) {
    Vec3 p = mesh.positions[i];
    if (!identity) {
      const Vec3d exact{p.x, p.y, p.z};
      p.x = placed_coordinate(placement.rows[0], placement.translation.x, exact);
      p.y = placed_coordinate(placement.rows[1], placement.translation.y, exact);
      p.z = placed_coordinate(placement.rows[2], placement.translation.z, exact);
      placed[i] = p;
    }
    const bool fine = usable(p);
    unusable |= fine ? 0 : 1;
    const float x[3] = {p.x, p.y, p.z};
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      low[k] = fine ? ::fminf(low[k], x[k]) : low[k];
      high[k] = fine ? ::fmaxf(high[k], x[k]) : high[k];
    }
  }
  const bool first = threadIdx.x % kWarp == 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t least = __reduce_min_sync(kAllLanes, order_bits(low[k]));
    const std::uint32_t most = __reduce_max_sync(kAllLanes, order_bits(high[k]));
    if (!first) continue;
    atomicMin(&order.low[m][k], least);
    atomicMax(&order.high[m][k], most);
  }
  unusable = __reduce_or_sync(kAllLanes, unusable);
  if (first && unusable != 0) atomicOr(&order.unusable[m], 1u);
}

__device__ Aabb box_of(const Order& order, int m) {
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    box.min[k] = from_order_bits(order.low[m][k]);
    box.max[k] = from_order_bits(order.high[m][k]);
  }
  return box;
}

/// By one thread, which then prepares the state for this order.
__device__ void begin_order(const BatchJob& job, std::uint32_t turn) {
  BlockState& s = block_state();
  s.turn = turn;
  s.nodes = s.clipped = s.large = s.skipped = s.bad_index[0] = s.bad_index[1] = 0;
  const VoiChoice choice = choose_shared(box_of(s.orders[turn], 0), box_of(s.orders[turn], 1), job.axis);
  s.sampled = choice.exists;
  s.grid = {};
  if (!choice.exists) return;
  s.grid = {choice.voi.box, choice.voi.axis, job.resolution, job.resolution};
  s.target = make_target(s.grid, whole(s.grid));
  s.step_scale = length_scale(s.grid);
}

template <bool kNear>
__device__ void encode_vertices() {
  const Order& order = this_order();
  const Target t = block_state().target;
  std::uint32_t* to = codes<kNear>();
#pragma unroll
  for (int m = 0; m < 2; ++m) {
    const std::uint32_t count = order.mesh[m].vertex_count;
    const Vec3* points = order.points[m];
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) to[i] = cell_code(points[i], t);
    to += count;
  }
}

/// By one thread, with the sums of all threads and their sampling_error().
__device__ void write_answer(const BatchJob& job, const BlockState& s, std::uint32_t pair, const WarpSums& sums,
                             double error) {
  PairOverlap out;
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
  job.answers[pair] = out;
}

__device__ BatchFault fault_of(const BatchJob& job, const BlockState& s, const WarpSums& sums) {
  if (s.bad_index[0] != 0) return BatchFault::bad_index_a;
  if (s.bad_index[1] != 0) return BatchFault::bad_index_b;
  // Without room for all crossings, those of each mesh are not known.
  const bool too_many = s.nodes > s.node_capacity ? s.nodes > job.most_nodes
                                                  : std::max(sums.crossings[0], sums.crossings[1]) > job.max_crossings;
  return too_many ? BatchFault::too_many : BatchFault::none;
}

/// By one thread, likewise.
__device__ void write_report(const BatchJob& job, const BlockState& s, std::uint32_t pair, const WarpSums& sums) {
  using Wide64 = unsigned long long;
  const auto put = [](std::uint64_t& to, Wide64 value) { atomicMax(reinterpret_cast<Wide64*>(&to), value); };
  const BatchFault fault = fault_of(job, s, sums);
  if (fault != BatchFault::none) {
    put(job.report->fault, BatchReport::kFirst - (kBatchFaults * Wide64{pair} + static_cast<std::uint32_t>(fault)));
  } else if (s.nodes > s.node_capacity) {
    put(job.report->undecided, BatchReport::kFirst - Wide64{pair});
    put(job.report->crossings, s.nodes);
  }
}

/// By one warp: the sampling_error(). Not inlined, so that the kernel keeps its registers.
template <bool kNear>
__device__ __noinline__ double error_of_pair() {
  const LineStore all = lines<kNear>();
  const double squares = squared_column_steps(all, threadIdx.x, kWarp) + squared_row_steps(all, threadIdx.x, kWarp);
  return error_of_lines(block_state().grid, class_sum(all, threadIdx.x, kWarp), squares);
}

/// By the first warp: sums of all warps, in their order, the error, the answer and the report.
template <bool kNear>
__device__ void finish(const BatchJob& job, std::uint32_t pair) {
  const BlockState& s = block_state();
  WarpSums sums{};
  if (s.sampled && threadIdx.x < blockDim.x / kWarp) sums = s.sums[threadIdx.x];
  sum_warp(sums);
  const double error = sums.overlap.spans != 0 ? error_of_pair<kNear>() : 0;  // the same branch in all lanes
  if (threadIdx.x != 0) return;
  write_answer(job, s, pair, sums, error);
  write_report(job, s, pair, sums);
}

template <bool kNear>
__device__ void clear_lists() {
  const LineStore sums = lines<kNear>();
  for (std::uint32_t i = threadIdx.x; i < sums.count(); i += blockDim.x) sums.sums[i] = 0;
  std::uint32_t* lists = heads<kNear>();
  const std::uint32_t count = block_state().head_count;
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) lists[i] = kNoNode;
}

template <bool kNear>
__device__ void sample_pair(float min_thickness) {
  BlockState& s = block_state();
  if constexpr (!kNear) clear_lists<kNear>();
  encode_vertices<kNear>();
  __syncthreads();
  rasterize<kNear>();
  __syncthreads();
  rasterize_aside<kNear>();
  __syncthreads();
  // Incomplete lists are not processed.
  if (s.nodes <= s.near_nodes)
    sum_columns<kNear>(NearNodes{}, min_thickness);
  else if (s.nodes <= s.node_capacity)
    sum_columns<kNear>(node_pool<kNear>(), min_thickness);
  else if (threadIdx.x % kWarp == 0)
    s.sums[threadIdx.x / kWarp] = {};
}

template <bool kNear>
__global__ void __launch_bounds__(kMostThreads, 1) batch_kernel(BatchJob job) {
  wait_for_previous();
  BlockState& s = block_state();
  if (threadIdx.x == 0) {
    find_scratch(job, s);
    take_order(job, s.placed, s.orders[0]);
  }
  __syncthreads();
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
    if (threadIdx.x == 0) begin_order(job, turn);
    if constexpr (kNear) clear_lists<kNear>();
    __syncthreads();
    if (s.sampled)
      sample_pair<kNear>(job.min_thickness);
    else
      count_broken();
    __syncthreads();
    if (threadIdx.x < kWarp) finish<kNear>(job, pair);
  }
}

}  // namespace
}  // namespace batch

std::size_t batch_scratch_bytes(const BatchPlan& plan, const BatchSizes& sizes, std::uint32_t far_nodes) {
  const std::size_t lists = plan.near ? 0 : batch::list_bytes(2 * sizes.columns, sizes.vertices, sizes.resolution);
  const std::size_t placed = batch::aligned(std::size_t{sizes.vertices} * sizeof(Vec3));
  return (placed + lists + std::size_t{far_nodes} * sizeof(BatchNode) + 255) / 256 * 256;
}

BatchPlan plan_batch(const BatchSizes& sizes, std::uint32_t pairs, const DeviceFacts& device) {
  const std::size_t work = std::max<std::size_t>(sizes.triangles, sizes.columns);
  const std::size_t lists = batch::list_bytes(2 * sizes.columns, sizes.vertices, sizes.resolution);
  const std::uint32_t preferred = work <= 512 ? 128 : work <= 2048 ? 256 : batch::kPreferredThreads;
  const auto reserved = static_cast<std::uint32_t>(device.shared_reserved);
  BatchPlan plan;
  // At most half of a multiprocessor's threads, so that one block computes while another waits; all of them if only
  // then the lists and some nodes fit. A block's part of the shared memory is that of its threads.
  for (const std::uint32_t threads : {preferred, batch::kMostThreads}) {
    const std::uint32_t each = (static_cast<std::uint32_t>(device.shared_per_block) + reserved) * threads;
    const std::uint32_t room = each / batch::kMostThreads / 16 * 16 - reserved, fixed = batch::fixed_bytes(threads);
    if (room < fixed) continue;
    const std::size_t nodes = threads == preferred ? batch::kWantedNodes * sizes.columns : 1024;
    plan.near = fixed + lists + nodes * sizeof(BatchNode) <= room;
    plan.threads = threads;
    plan.shared_bytes = room;
    plan.near_nodes = static_cast<std::uint32_t>((room - fixed - (plan.near ? lists : 0)) / sizeof(BatchNode));
    if (plan.near) break;
  }
  const auto running = static_cast<std::uint32_t>(device.multiprocessors) * (batch::kMostThreads / plan.threads);
  plan.blocks = std::min(pairs, running);
  return plan;
}

void launch_batch(const BatchJob& job, const BatchPlan& plan, const DeviceFacts& device, CudaStream stream) {
  const auto kernel = plan.near ? batch::batch_kernel<true> : batch::batch_kernel<false>;
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
