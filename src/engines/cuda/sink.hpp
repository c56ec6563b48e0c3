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
      if (there[k]) place[k] = atomicAdd((kPass == Pass::scatter ? store.cursors : store.counts) + column[k], 1u);
    if constexpr (kPass != Pass::count) {
#pragma unroll
      for (unsigned k = 0; k < kCount; ++k)
        if (there[k]) write(column[k], place[k], key[k]);
    }
  }

 private:
  __device__ void write(std::uint32_t column, std::uint32_t place, std::uint32_t key) const {
    if constexpr (kPass == Pass::slots) {
      if (place < store.slots) store.keys[slot_place(store, column, place)] = key;
    } else {
      const std::uint64_t at = std::uint64_t{store.counts[column]} + place;
      if (at < store.capacity) store.keys[at] = key;
    }
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
