#pragma once

// Where rasterised crossings go; for the kernels of raster.cu and large.cu.

#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"
#include "engines/cuda/warp_queue.hpp"

namespace lamella::cuda {

template <Pass kPass>
struct Sink {
  ColumnStore store;

  /// Several crossings at a time: all their places are requested before the first is used.
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

struct WaitingCrossing {
  std::uint32_t column = 0, key = 0;
};
inline constexpr unsigned kCrossingsInFlight = 4;
using CrossingRoom = WarpQueueRoom<WaitingCrossing, kCrossingsInFlight>;

/// A warp's sink for sampled boxes.
template <Pass kPass>
struct QueuedSink {
  Sink<kPass> sink;
  WarpQueue<WaitingCrossing, kCrossingsInFlight> queue;

  __device__ void put(bool there, std::uint32_t column, std::uint32_t key, std::uint32_t /*id*/, unsigned lane) {
    queue.put(there, {column, key}, lane);
  }
  __device__ void write_full(unsigned lane) {
    if (queue.is_full()) write(lane);
  }
  __device__ void write(unsigned lane) {
    WaitingCrossing crossings[kCrossingsInFlight];
    const std::uint32_t number = queue.take(crossings, lane);
    bool there[kCrossingsInFlight];
    std::uint32_t column[kCrossingsInFlight], key[kCrossingsInFlight];
#pragma unroll
    for (unsigned k = 0; k < kCrossingsInFlight; ++k) {
      there[k] = k * kWarp + lane < number;
      column[k] = crossings[k].column;
      key[k] = crossings[k].key;
    }
    sink.put(there, column, key);
  }
};

}  // namespace lamella::cuda
