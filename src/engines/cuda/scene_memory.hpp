#pragma once

#include <cstddef>
#include <cstdint>

#include "engines/cuda/runtime.hpp"
#include "engines/cuda/scene_frame.hpp"

namespace lamella::cuda {

/// How much of everything a frame has room for.
struct SceneRoom {
  std::uint64_t crossings = 0, meetings = 0, large_parts = 16384;

  /// Makes it enough for what a frame asked for, with a little to spare; false where it was already.
  /// Throws Error where that is more than can be numbered.
  bool grow(std::uint64_t crossings_asked, std::uint64_t meetings_asked, std::uint64_t parts_asked,
            const SceneFrame& frame);
};

/// Columns, fragments and meetings of a SceneFrame. Memory is kept and only grows.
class SceneMemory {
 public:
  /// Room for at least so much; counts of columns are zero when they are made. Returns whether anything moved. Throws
  /// Error (device) when there is not enough memory; everything can be asked for again then.
  bool reserve(std::uint32_t columns, const SceneRoom& room, cudaStream_t stream);
  void fill(SceneFrame& frame) const;
  /// After a frame that may have been left half done.
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
  std::uint32_t columns_ = 0;  ///< whose counts are known to be zero between frames
};

/// What to ask for next when `needed` was not there: a little more, so that few frames are repeated.
[[nodiscard]] constexpr std::uint64_t with_room(std::uint64_t needed) { return needed + needed / 4 + 256; }

/// Throws the Error for more crossings than are allowed or can be numbered.
void check_crossings(std::uint64_t crossings, std::uint64_t most);

}  // namespace lamella::cuda
