#pragma once

// Lanes make entries one at a time. They wait here until every lane of the warp can have several in flight at once: a
// warp that waited for each atomic addition before requesting the next would do little else.

#include "engines/cuda/platform.hpp"

namespace lamella::cuda {

/// Storage of the waiting entries, in shared memory.
template <class Entry, unsigned kInFlight>
struct WarpQueueRoom {
  Entry waiting[(kInFlight + 1) * kWarp - 1];
};

/// All members must be called by the whole warp.
template <class Entry, unsigned kInFlight>
struct WarpQueue {
  static constexpr std::uint32_t kFull = kInFlight * kWarp;
  WarpQueueRoom<Entry, kInFlight>& room;
  std::uint32_t count = 0;  ///< waiting entries

  /// Adds an entry of every lane that has one. After put(), the caller must take entries out when is_full().
  __device__ void put(bool there, const Entry& entry, unsigned lane) {
    const unsigned all = __ballot_sync(kAllLanes, there);
    if (there) room.waiting[count + static_cast<unsigned>(__popc(all & before_lane(lane)))] = entry;
    count += static_cast<unsigned>(__popc(all));
  }
  [[nodiscard]] __device__ bool is_full() const { return count >= kFull; }

  /// Takes as many as a warp can have in flight; returns how many. Lane l gets numbers l, l + 32, ... of them.
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
