#pragma once

#include <cstddef>
#include <cstdint>

#include "engines/cuda/runtime.hpp"
#include "engines/cuda/scene_frame.hpp"

namespace lamella::cuda {

/// The capacities of a frame.
struct SceneRoom {
  std::uint64_t crossings = 0, meetings = 0, large_parts = 16384;

  /// Makes it enough for what a frame needed, with a margin; false when it was enough already.
  /// Throws Error for more than 32-bit numbers can count.
  bool grow(std::uint64_t crossings_asked, std::uint64_t meetings_asked, std::uint64_t parts_asked,
            const SceneFrame& frame);
};

/// Columns, fragments and meetings of a SceneFrame. Memory is kept and only grows.
class SceneMemory {
 public:
  /// Reserves at least this much; new counts of columns are zero. Returns whether anything moved. Throws Error (device)
  /// when there is not enough memory; it can be called again after that.
  bool reserve(std::uint32_t columns, const SceneRoom& room, cudaStream_t stream);
  void fill(SceneFrame& frame) const;
  /// Call after a frame that may be incomplete.
  void forget_counts() { columns_ = 0; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  DeviceArray<std::uint32_t> counts_;
  DeviceArray<ColumnPlace> places_;
  DeviceArray<SweepBlock> blocks_;
  DeviceArray<SceneFragment> fragments_;
  DeviceArray<unsigned long long> keys_;
  DeviceArray<std::uint32_t> objects_, ends_;
  DeviceArray<Meeting> meetings_;
  DeviceArray<SceneLarge> large_;
  std::uint32_t columns_ = 0;  ///< columns whose counts are known to be zero between frames
};

/// The size to reserve when `needed` did not fit: with a margin, so that few frames are repeated.
[[nodiscard]] constexpr std::uint64_t with_room(std::uint64_t needed) { return needed + needed / 4 + 256; }

/// Throws Error for more crossings than are allowed or than 32-bit numbers can count.
void check_crossings(std::uint64_t crossings, std::uint64_t most);

}  // namespace lamella::cuda
