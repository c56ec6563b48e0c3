// Which triangles can cover a sample at all: those whose corners' codes differ along both image axes. Most of a fine
// mesh does not, and is done with after three indices and three codes. What is left is listed without gaps, so that
// rasterising finds its lanes full however few there are.
//
// Bytes: 12 per triangle once, and 4 per vertex, which fit the cache up to some ten million vertices.

#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr unsigned kEach = 4;  ///< triangles of a thread, whose loads are under way together
constexpr unsigned kBlock = kThreads * kEach;
constexpr unsigned kBlocksPerMultiprocessor = 8;

/// Chunks of kBlock triangles: first those of mesh 0, then those of mesh 1.
struct Chunks {
  std::uint32_t end_of_first = 0, count = 0;
};

/// What a thread saw and has not told yet.
struct Left {
  std::uint32_t broken = 0, bad = 0;
};

/// Which of a thread's triangles survive, a bit each.
__device__ unsigned survivors_of(const DeviceMesh& mesh, const std::uint32_t* codes, std::uint64_t first, Left& left) {
  Triangle t[kEach];
  bool there[kEach];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const std::uint64_t i = first + k * kThreads + threadIdx.x;
    there[k] = i < mesh.triangle_count;
    t[k] = there[k] ? mesh.triangles[i] : Triangle{};
  }
  std::uint32_t code[kEach][3];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const bool known = std::max(std::max(t[k].a, t[k].b), t[k].c) < mesh.vertex_count;
    if (there[k] && !known) ++left.bad;
    there[k] = there[k] && known;
    code[k][0] = there[k] ? codes[t[k].a] : 0;
    code[k][1] = there[k] ? codes[t[k].b] : 0;
    code[k][2] = there[k] ? codes[t[k].c] : 0;
  }
  unsigned survivors = 0;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const bool broken = is_broken(code[k][0], code[k][1], code[k][2]);
    if (broken) ++left.broken;
    if (!broken && may_cover(code[k][0], code[k][1], code[k][2])) survivors |= 1u << k;
  }
  return survivors;
}

/// Appends the block's survivors to the list with one atomic addition.
__device__ void list_survivors(unsigned survivors, std::uint64_t first, std::uint32_t* list, std::uint32_t* count) {
  __shared__ std::uint32_t of_warp[kWarps], begin;
  const unsigned warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  unsigned votes[kEach];
  std::uint32_t mine = 0;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    votes[k] = __ballot_sync(kAllLanes, (survivors >> k & 1) != 0);
    mine += static_cast<std::uint32_t>(__popc(votes[k]));
  }
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t sum = 0;
    for (unsigned w = 0; w < kWarps; ++w) {
      const std::uint32_t here = of_warp[w];
      of_warp[w] = sum;
      sum += here;
    }
    begin = sum != 0 ? atomicAdd(count, sum) : 0;
  }
  __syncthreads();
  std::uint32_t at = begin + of_warp[warp];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    if ((survivors >> k & 1) != 0)
      list[at + static_cast<std::uint32_t>(__popc(votes[k] & ((1u << lane) - 1)))] =
          static_cast<std::uint32_t>(first) + k * kThreads + threadIdx.x;
    at += static_cast<std::uint32_t>(__popc(votes[k]));
  }
  __syncthreads();
}

__device__ void tell(const Left& left, unsigned m, FrameState* state) {
  const std::uint32_t broken = __reduce_add_sync(kAllLanes, left.broken);
  const std::uint32_t bad = __reduce_add_sync(kAllLanes, left.bad);
  if (threadIdx.x % kWarp != 0) return;
  if (broken != 0) atomicAdd(&state->skipped[m], broken);
  if (bad != 0) atomicAdd(&state->bad_index, bad);
}

__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor) cull(const Frame frame, const Chunks chunks) {
  wait_for_previous();
  let_next_start();
  for (std::uint32_t chunk = blockIdx.x; chunk < chunks.count; chunk += gridDim.x) {
    const unsigned m = chunk < chunks.end_of_first ? 0 : 1;
    const std::uint64_t first = std::uint64_t{chunk - (m == 0 ? 0 : chunks.end_of_first)} * kBlock;
    Left left;
    const unsigned survivors = survivors_of(frame.mesh[m], frame.codes[m], first, left);
    list_survivors(survivors, first, frame.survivors[m], &frame.state->survivors[m]);
    tell(left, m, frame.state);
  }
}

std::uint32_t chunks_of(const DeviceMesh& mesh) {
  return static_cast<std::uint32_t>((std::uint64_t{mesh.triangle_count} + kBlock - 1) / kBlock);
}

}  // namespace

void launch_cull(const Frame& frame, CudaStream stream) {
  const std::uint32_t first = chunks_of(frame.mesh[0]);
  const Chunks chunks{first, first + (frame.mesh_count > 1 ? chunks_of(frame.mesh[1]) : 0)};
  const unsigned most = frame.multiprocessors * kBlocksPerMultiprocessor;
  const Launch how{.stream = stream, .blocks = std::clamp(chunks.count, 1u, most), .threads = kThreads};
  launch(how, cull, frame, chunks);
}

}  // namespace lamella::cuda
