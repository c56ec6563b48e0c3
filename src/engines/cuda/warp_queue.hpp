#pragma once

#include "engines/cuda/platform.hpp"

// What lanes make one at a time waits until there is enough for all lanes of the warp to have several in hand at once:
// a warp that waits for every atomic addition before it asks for the next does little else.

namespace lamella::cuda {

/// Room for what waits, in shared memory.
template <class Entry, unsigned kInFlight>
struct WarpQueueRoom {
  Entry waiting[(kInFlight + 1) * kWarp - 1];
};

/// All by the whole warp.
template <class Entry, unsigned kInFlight>
struct WarpQueue {
  static constexpr std::uint32_t kFull = kInFlight * kWarp;
  WarpQueueRoom<Entry, kInFlight>& room;
  std::uint32_t count = 0;  ///< that wait

  /// One of every lane that has one. Whoever puts one takes them out when is_full().
  __device__ void put(bool there, const Entry& entry, unsigned lane) {
    const unsigned all = __ballot_sync(kAllLanes, there);
    if (there) room.waiting[count + static_cast<unsigned>(__popc(all & before_lane(lane)))] = entry;
    count += static_cast<unsigned>(__popc(all));
  }
  [[nodiscard]] __device__ bool is_full() const { return count >= kFull; }

  /// Takes as many as a warp has in hand at once; returns how many. Lane l has numbers l, l + 32, ... of them.
  __device__ std::uint32_t take(Entry (&out)[kInFlight], unsigned lane) {
    const std::uint32_t number = count < kFull ? count : kFull;
    count -= number;
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k)
      out[k] = room.waiting[count + (k * kWarp + lane < number ? k * kWarp + lane : 0)];
    __syncwarp();
    return number;
  }
};

}  // namespace lamella::cuda
