#pragma once

#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"

// Where rasterised crossings go, and where triangles come from; for the kernels of raster.cu and large.cu.

namespace lamella::cuda {

template <Pass kPass>
struct Sink {
  ColumnStore store;

  /// Several crossings at a time: their places are all asked for before the first is used.
  template <unsigned kCount>
  __device__ void put(const bool (&there)[kCount], const std::uint32_t (&column)[kCount],
                      const std::uint32_t (&key)[kCount]) const {
    std::uint32_t place[kCount];
#pragma unroll
    for (unsigned k = 0; k < kCount; ++k)
      if (there[k]) place[k] = take_place(column[k]);
    if constexpr (kPass != Pass::count) {
#pragma unroll
      for (unsigned k = 0; k < kCount; ++k)
        if (there[k]) write(column[k], place[k], key[k]);
    }
  }

  __device__ std::uint32_t take_place(std::uint32_t column) const {
    return atomicAdd((kPass == Pass::scatter ? store.cursors : store.counts) + column, 1u);
  }
  __device__ void write(std::uint32_t column, std::uint32_t place, std::uint32_t key) const {
    if constexpr (kPass == Pass::slots) {
      if (place < store.slots) store.keys[slot_place(store, column, place)] = key;
    } else {
      const std::uint64_t at = std::uint64_t{store.counts[column]} + place;
      if (at < store.capacity) store.keys[at] = key;
    }
  }
};

/// Crossings that wait until there are enough of them for all lanes of a warp to have several on their way at once:
/// what bounds a kernel that waits for every place before it asks for the next is that wait. In shared memory.
struct CrossingQueue {
  static constexpr std::uint32_t kInFlight = 4, kFull = kInFlight * kWarp;
  uint2 waiting[kFull - 1 + kWarp];  ///< column, key
};

/// A warp's sink; what waits is kept in a queue.
template <Pass kPass>
struct QueuedSink {
  Sink<kPass> sink;
  CrossingQueue& queue;
  std::uint32_t count = 0;  ///< that wait

  // All by the whole warp.

  /// One crossing of every lane that has one.
  __device__ void put(bool there, std::uint32_t column, std::uint32_t key, std::uint32_t /*id*/, unsigned lane) {
    const unsigned all = __ballot_sync(kAllLanes, there);
    if (there) queue.waiting[count + static_cast<unsigned>(__popc(all & ((1u << lane) - 1)))] = make_uint2(column, key);
    count += static_cast<unsigned>(__popc(all));
  }
  /// Due after every put().
  __device__ void write_full(unsigned lane) {
    if (count >= CrossingQueue::kFull) write(lane);
  }
  /// As many as can be on their way at once.
  __device__ void write(unsigned lane) {
    const std::uint32_t number = count < CrossingQueue::kFull ? count : CrossingQueue::kFull;
    count -= number;
    __syncwarp();
    bool there[CrossingQueue::kInFlight];
    std::uint32_t column[CrossingQueue::kInFlight], key[CrossingQueue::kInFlight];
#pragma unroll
    for (unsigned k = 0; k < CrossingQueue::kInFlight; ++k) {
      there[k] = k * kWarp + lane < number;
      const uint2 crossing = queue.waiting[count + (there[k] ? k * kWarp + lane : 0)];
      column[k] = crossing.x;
      key[k] = crossing.y;
    }
    sink.put(there, column, key);
    __syncwarp();
  }
};

struct Corners {
  Vec3 at[3];
};

__device__ inline Corners load_corners(const DeviceMesh& mesh, std::uint32_t triangle) {
  const Triangle t = mesh.triangles[triangle];
  return {{mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]}};
}

}  // namespace lamella::cuda
