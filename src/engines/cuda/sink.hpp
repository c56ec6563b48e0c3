#pragma once

// Where rasterised crossings go; for the kernels of raster.cu and large.cu.

#include <type_traits>

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
                      const std::uint32_t (&key)[kCount], const std::uint32_t (&face)[kCount]) const {
    std::uint32_t place[kCount];
#pragma unroll
    for (unsigned k = 0; k < kCount; ++k)
      if (there[k]) place[k] = take_place(column[k]);
    if constexpr (kPass != Pass::count) {
#pragma unroll
      for (unsigned k = 0; k < kCount; ++k)
        if (there[k]) write(column[k], place[k], key[k], face[k]);
    }
  }

  __device__ std::uint32_t take_place(std::uint32_t column) const {
    return atomicAdd((is_scatter(kPass) ? store.cursors : store.counts) + column, 1u);
  }
  __device__ void write(std::uint32_t column, std::uint32_t place, std::uint32_t key,
                        [[maybe_unused]] std::uint32_t face) const {
    if constexpr (is_slots(kPass)) {
      if (place >= store.slots) return;
      const std::size_t at = slot_place(store, column, place);
      store.keys[at] = key;
      if constexpr (has_faces(kPass)) store.faces[at] = face;
    } else {
      const std::uint64_t at = std::uint64_t{store.counts[column]} + place;
      if (at >= store.capacity) return;
      store.keys[at] = key;
      if constexpr (has_faces(kPass)) {
        store.filed[at] = key;
        store.faces[at] = face;
      }
    }
  }
};

/// Crossings in a warp's queue. Faces take room there only in the passes that write them.
struct WaitingKey {
  std::uint32_t column = 0, key = 0;
};
struct WaitingFace {
  std::uint32_t column = 0, key = 0, face = 0;
};
template <Pass kPass>
using WaitingCrossing = std::conditional_t<has_faces(kPass), WaitingFace, WaitingKey>;
inline constexpr unsigned kCrossingsInFlight = 4;
template <Pass kPass>
using CrossingRoom = WarpQueueRoom<WaitingCrossing<kPass>, kCrossingsInFlight>;

/// A warp's sink for sampled boxes, whose ids are faces.
template <Pass kPass>
struct QueuedSink {
  Sink<kPass> sink;
  WarpQueue<WaitingCrossing<kPass>, kCrossingsInFlight> queue;

  __device__ void put(bool there, std::uint32_t column, std::uint32_t key, [[maybe_unused]] std::uint32_t id,
                      unsigned lane) {
    if constexpr (has_faces(kPass))
      queue.put(there, {column, key, id}, lane);
    else
      queue.put(there, {column, key}, lane);
  }
  __device__ void write_full(unsigned lane) {
    if (queue.is_full()) write(lane);
  }
  __device__ void write(unsigned lane) {
    WaitingCrossing<kPass> crossings[kCrossingsInFlight];
    const std::uint32_t number = queue.take(crossings, lane);
    bool there[kCrossingsInFlight];
    std::uint32_t column[kCrossingsInFlight], key[kCrossingsInFlight], face[kCrossingsInFlight] = {};
#pragma unroll
    for (unsigned k = 0; k < kCrossingsInFlight; ++k) {
      there[k] = k * kWarp + lane < number;
      column[k] = crossings[k].column;
      key[k] = crossings[k].key;
      if constexpr (has_faces(kPass)) face[k] = crossings[k].face;
    }
    sink.put(there, column, key, face);
  }
};

}  // namespace lamella::cuda
