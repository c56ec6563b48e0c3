#pragma once

// Finds the triangles that can cover a sample: those whose corners' codes differ along both image axes. In a fine mesh
// most do not, and need only three indices and three codes. A warp puts the survivors into its own queue and takes them
// out as many at a time as it has lanes, so that rasterising keeps all lanes busy even if few survive.

#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"

namespace lamella::cuda {

inline constexpr unsigned kEach = 2;  ///< triangles of a lane whose loads are in flight together
inline constexpr unsigned kChunk = kEach * kWarp;

/// A triangle that may cover a sample.
struct alignas(16) Survivor {
  Triangle corners;
  std::uint32_t triangle;
};

/// Queue of a warp, in shared memory: room for less than a batch plus one chunk.
struct SurvivorQueue {
  Survivor waiting[kWarp - 1 + kChunk];
};

/// A lane's triangles of a chunk; undefined where there are none.
struct LaneTriangles {
  Triangle at[kEach];
};

/// Triangle k of a lane is `first + k * kWarp + lane`.
__device__ inline LaneTriangles load_chunk(const DeviceMesh& mesh, std::uint32_t first, std::uint32_t end,
                                           unsigned lane) {
  LaneTriangles out;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const std::uint32_t i = k * kWarp + lane;
    out.at[k] = Triangle{};
    if (i < end - first) out.at[k] = mesh.triangles[first + i];
  }
  return out;
}

/// Prefetches the chunk that will be loaded next, if there is one.
__device__ inline void fetch_chunk(const DeviceMesh& mesh, std::uint32_t first, std::uint32_t end, unsigned lane) {
  constexpr unsigned kLine = 128;
  if (first >= end) return;
  const std::uint32_t count = end - first < kChunk ? end - first : kChunk;
  if (lane * kLine < count * sizeof(Triangle))
    prefetch(reinterpret_cast<const unsigned char*>(mesh.triangles + first) + lane * kLine);
}

/// Appends a chunk's survivors to the `count` waiting ones; returns the new count. kTell: counts broken triangles.
template <bool kTell>
__device__ std::uint32_t queue_survivors(const Frame& frame, unsigned m, const LaneTriangles& loaded,
                                         std::uint32_t first, std::uint32_t end, SurvivorQueue& queue,
                                         std::uint32_t count, unsigned lane) {
  const std::uint32_t* codes = frame.codes[m];
  std::uint32_t code[kEach][3];
  std::uint32_t bad = 0, broken = 0;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const Triangle& t = loaded.at[k];
    const bool there = k * kWarp + lane < end - first;
    const bool known = there && std::max(std::max(t.a, t.b), t.c) < frame.mesh[m].vertex_count;
    if (there && !known) ++bad;
    code[k][0] = known ? codes[t.a] : 0;
    code[k][1] = known ? codes[t.b] : 0;
    code[k][2] = known ? codes[t.c] : 0;
  }
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const bool is_bad = is_broken(code[k][0], code[k][1], code[k][2]);
    if (is_bad) ++broken;
    const bool survives = !is_bad && may_cover(code[k][0], code[k][1], code[k][2]);
    const unsigned all = __ballot_sync(kAllLanes, survives);
    if (survives)
      queue.waiting[count + static_cast<unsigned>(__popc(all & before_lane(lane)))] = {loaded.at[k],
                                                                                       first + k * kWarp + lane};
    count += static_cast<unsigned>(__popc(all));
  }
  if (kTell && __any_sync(kAllLanes, (bad | broken) != 0)) {
    bad = __reduce_add_sync(kAllLanes, bad);
    broken = __reduce_add_sync(kAllLanes, broken);
    if (lane == 0 && bad != 0) atomicAdd(&frame.state->bad_index, bad);
    if (lane == 0 && broken != 0) atomicAdd(&frame.state->skipped[m], broken);
  }
  __syncwarp();
  return count;
}

}  // namespace lamella::cuda
