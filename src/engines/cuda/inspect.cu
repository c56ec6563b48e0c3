// The first stage of a frame: empties columns, finds boxes, chooses the grid, encodes vertices. The boxes take one pass
// over the positions; the last block to finish chooses the grid, so that nothing goes to the host in between.

#include "core/voi_choice.hpp"
#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda {
namespace {

/// A multiple of 3 and of a warp: with steps of a multiple of 3, the component of a float depends only on the thread.
constexpr unsigned kThreads = 384;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr unsigned kBlocksPerMultiprocessor = 4;

/// The maximum of each component, and of each negated component, as ordered bits; 0 when there is none.
struct Extremes {
  std::uint32_t high[3] = {}, low[3] = {};

  /// `component` must be a compile-time constant, so that nothing here branches.
  __device__ __forceinline__ void take(float x, int component) {
    const std::uint32_t bits = order_bits(x);
    high[component] = std::max(high[component], bits);
    low[component] = std::max(low[component], ~bits);
  }
  __device__ __forceinline__ void take_usable(Vec3 p) {
    if (!usable(p)) return;
    take(p.x, 0);
    take(p.y, 1);
    take(p.z, 2);
  }
};

/// Vertices whose floats a block takes in one step, four per thread. A multiple of 3 threads: none is cut.
constexpr unsigned kStepVertices = kThreads * 4 / 3;

/// How many of the first vertices are read four floats at a time.
__device__ std::uint32_t streamed_vertices(const DeviceMesh& mesh) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(mesh.positions) % sizeof(float4) == 0;
  return aligned ? mesh.vertex_count / 4 * 4 : 0;
}

/// Takes every coordinate of this block's streamed vertices. Returns whether this thread had one out of range; the
/// block must then forget all of them, and take_one_by_one().
__device__ bool stream_positions(const DeviceMesh& mesh, Extremes& out) {
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x,
                    threads = std::size_t{gridDim.x} * kThreads;
  const auto* fours = reinterpret_cast<const float4*>(mesh.positions);
  const std::size_t count = std::size_t{streamed_vertices(mesh)} / 4 * 3;
  // Four floats begin with component (4 i) % 3 = i % 3, which is always the same for this thread.
  const int first = static_cast<int>(thread % 3);
  Extremes turned;
  std::uint32_t largest = 0;  // without the sign, the bits of NaN and infinity are larger than those of any number
#pragma unroll 4
  for (std::size_t i = thread; i < count; i += threads) {
    const float4 four = fours[i];
    turned.take(four.x, 0);
    turned.take(four.y, 1);
    turned.take(four.z, 2);
    turned.take(four.w, 0);
    const auto magnitude = [](float x) { return __float_as_uint(x) & 0x7fffffffu; };
    largest = std::max(std::max(largest, std::max(magnitude(four.x), magnitude(four.y))),
                       std::max(magnitude(four.z), magnitude(four.w)));
  }
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const int from = k >= first ? k - first : k - first + 3;
    out.high[k] = from == 0 ? turned.high[0] : from == 1 ? turned.high[1] : turned.high[2];
    out.low[k] = from == 0 ? turned.low[0] : from == 1 ? turned.low[1] : turned.low[2];
  }
  return largest > __float_as_uint(kMaxCoordinate);
}

/// The usable ones of this block's streamed vertices.
__device__ void take_one_by_one(const DeviceMesh& mesh, Extremes& out) {
  const std::uint64_t count = streamed_vertices(mesh), step = std::uint64_t{gridDim.x} * kStepVertices;
#pragma unroll 1
  for (std::uint64_t begin = std::uint64_t{blockIdx.x} * kStepVertices; begin < count; begin += step)
#pragma unroll 1
    for (std::uint64_t i = begin + threadIdx.x; i < begin + kStepVertices && i < count; i += kThreads)
      out.take_usable(mesh.positions[i]);
}

/// A vertex with a coordinate out of range does not count at all. By all threads of the block.
__device__ void take_positions(const DeviceMesh& mesh, Extremes& out) {
  const bool broken = stream_positions(mesh, out);
  if (__syncthreads_or(broken ? 1 : 0) != 0) {
    out = {};
    take_one_by_one(mesh, out);
  }
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
#pragma unroll 1
  for (std::uint64_t i = std::uint64_t{streamed_vertices(mesh)} + std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
       i < mesh.vertex_count; i += threads)
    out.take_usable(mesh.positions[i]);
}

/// Merges a block's extremes into the state.
__device__ void put_extremes(const Extremes& mine, unsigned mesh, FrameState* state) {
  __shared__ std::uint32_t shared[kWarps][6];
  const unsigned warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t high = __reduce_max_sync(kAllLanes, mine.high[k]);
    const std::uint32_t low = __reduce_max_sync(kAllLanes, mine.low[k]);
    if (lane == 0) {
      shared[warp][k] = high;
      shared[warp][3 + k] = low;
    }
  }
  __syncthreads();
  if (threadIdx.x < 6) {
    std::uint32_t most = 0;
    for (unsigned w = 0; w < kWarps; ++w) most = std::max(most, shared[w][threadIdx.x]);
    if (most != 0) atomicMax((threadIdx.x < 3 ? state->high[mesh] : state->low[mesh]) + threadIdx.x % 3, most);
  }
  __syncthreads();
}

__device__ Aabb box_of(const FrameState* state, unsigned mesh) {
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const auto high = *static_cast<const volatile std::uint32_t*>(&state->high[mesh][k]);
    const auto low = *static_cast<const volatile std::uint32_t*>(&state->low[mesh][k]);
    if (high == 0) continue;
    box.max[k] = from_order_bits(high);
    box.min[k] = from_order_bits(~low);
  }
  return box;
}

__device__ void decide(const Frame& frame) {
  FrameState& state = *frame.state;
  Grid grid;
  if (frame.given_grid) {
    grid = frame.grid;
  } else if (frame.kind == Kind::intersect) {
    const VoiChoice choice = choose_shared(box_of(&state, 0), box_of(&state, 1), frame.axis);
    if (choice.exists) grid = {choice.voi.box, choice.voi.axis, frame.resolution, frame.resolution};
  } else {
    const Aabb box = box_of(&state, 0);
    const int axis = shallowest_axis(box);
    if (axis >= 0)
      grid = {box, static_cast<Axis>(frame.axis >= 0 ? frame.axis : axis), frame.resolution, frame.resolution};
  }
  state.grid = grid;
  state.target = grid.columns != 0 ? make_target(grid, whole(grid)) : Target{};
  state.thickness = grid.columns != 0 ? frame.min_thickness * grid.depth() : 0;
  state.step_scale = grid.columns != 0 ? length_scale(grid) : 0;
}

__device__ void zero(std::uint32_t* words, std::size_t count) {
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  auto* fours = reinterpret_cast<uint4*>(words);
  for (std::size_t i = thread; i < count / 4; i += threads) fours[i] = make_uint4(0, 0, 0, 0);
  for (std::size_t i = count / 4 * 4 + thread; i < count; i += threads) words[i] = 0;
}

/// Empties everything that a frame fills.
__device__ void empty(const Frame& frame) {
  for (unsigned m = 0; m < frame.mesh_count; ++m)
    zero(frame.columns[m].counts, std::size_t{frame.column_count} + (frame.columns[m].slots == 0 ? 1 : 0));
}

__global__ void __launch_bounds__(kThreads) inspect(const Frame frame) {
  wait_for_previous();
  let_next_start();
  empty(frame);
  for (unsigned m = 0; m < frame.mesh_count && !frame.given_grid; ++m) {
    Extremes extremes;
    take_positions(frame.mesh[m], extremes);
    put_extremes(extremes, m, frame.state);
  }
  if (threadIdx.x >= 6) return;
  __threadfence();
  __syncwarp(0x3f);
  if (threadIdx.x != 0) return;
  if (atomicAdd(&frame.state->inspect_blocks, 1u) != gridDim.x - 1) return;
  __threadfence();
  decide(frame);
}

constexpr unsigned kEncodeThreads = 256;
/// Vertices per thread: 48 bytes, three loads of 16 if they are aligned.
constexpr unsigned kEncoded = 4;

__device__ std::uint32_t code_of(Vec3 p, const Target& target) {
  return target.columns == 0 ? (usable(p) ? 0 : kBrokenCode) : cell_code(p, target);
}

__device__ void encode_mesh(const DeviceMesh& mesh, const Target& target, std::uint32_t* codes) {
  const std::uint32_t thread = blockIdx.x * kEncodeThreads + threadIdx.x, threads = gridDim.x * kEncodeThreads;
  // If there are enough threads for all, one vertex per thread is faster.
  const bool many = mesh.vertex_count / kEncoded >= threads;
  const bool aligned = reinterpret_cast<std::uintptr_t>(mesh.positions) % sizeof(float4) == 0;
  const std::uint32_t fours = many && aligned ? mesh.vertex_count / kEncoded : 0;
#pragma unroll 1
  for (std::uint32_t behind = thread; behind < fours; behind += threads) {
    // Backwards: the positions that inspect read last are still in the cache.
    const std::uint32_t i = fours - 1 - behind;
    const auto* from = reinterpret_cast<const float4*>(mesh.positions) + std::size_t{i} * 3;
    const float4 a = from[0], b = from[1], c = from[2];
    reinterpret_cast<uint4*>(codes)[i] = make_uint4(code_of({a.x, a.y, a.z}, target), code_of({a.w, b.x, b.y}, target),
                                                    code_of({b.z, b.w, c.x}, target), code_of({c.y, c.z, c.w}, target));
  }
#pragma unroll 1
  for (std::uint64_t i = std::uint64_t{fours} * kEncoded + thread; i < mesh.vertex_count; i += threads)
    codes[i] = code_of(mesh.positions[i], target);
}

__global__ void __launch_bounds__(kEncodeThreads) encode(const Frame frame) {
  wait_for_previous();
  let_next_start();
  const Target target = frame.state->target;
#pragma unroll 1
  for (unsigned m = 0; m < frame.mesh_count; ++m) encode_mesh(frame.mesh[m], target, frame.codes[m]);
}

std::uint64_t vertex_count(const Frame& frame) {
  std::uint64_t count = 0;
  for (unsigned m = 0; m < frame.mesh_count; ++m) count += frame.mesh[m].vertex_count;
  return count;
}

}  // namespace

void launch_inspect(const Frame& frame, CudaStream stream) {
  const std::uint64_t vertices = vertex_count(frame);
  const std::uint64_t work = std::max<std::uint64_t>(vertices * 3 / 4, frame.column_count / 4);
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::uint64_t>(work / (2 * kThreads), 1, frame.multiprocessors * kBlocksPerMultiprocessor));
  launch({.stream = stream, .blocks = blocks, .threads = kThreads}, inspect, frame);
  const auto encoders =
      static_cast<unsigned>(std::clamp<std::uint64_t>(vertices / kEncodeThreads, 1, frame.multiprocessors * 8));
  launch({.stream = stream, .blocks = encoders, .threads = kEncodeThreads}, encode, frame);
}

}  // namespace lamella::cuda
