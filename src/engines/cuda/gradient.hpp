#pragma once

// The gradient of one pair or body: from the ends of spans of three frames, one along each axis, to the sums of
// query/gradient_sums.hpp.

#include <span>

#include "engines/cuda/frame.hpp"
#include "engines/cuda/runtime.hpp"
#include "query/gradient_sums.hpp"

namespace lamella::cuda {

/// SignedSum in the type that atomics take.
using EndWord = unsigned long long;
inline constexpr std::size_t kEndWords = sizeof(EndSums) / sizeof(EndWord);
static_assert(sizeof(EndSums) == kEndWords * sizeof(EndWord));

/// Blocks that add the ends of so many spans. It depends on nothing else, so that moments are the same on every device.
inline constexpr std::uint32_t kEndThreads = 128, kMostEndBlocks = 256;
[[nodiscard]] constexpr std::uint32_t end_blocks(std::uint64_t spans) {
  const std::uint64_t blocks = (spans + kEndThreads - 1) / kEndThreads;
  return static_cast<std::uint32_t>(blocks < kMostEndBlocks ? blocks : kMostEndBlocks);
}

/// Where the ends of one view are added.
struct ViewTotals {
  EndWord* ends = nullptr;        ///< EndSums of the first mesh, then of the second
  EndWord* vertices[2] = {};      ///< of either mesh, three for each vertex; null: not wanted
  MomentSums* moments = nullptr;  ///< written for each of end_blocks(); null: not wanted
};

/// After a complete frame with ends, and so many spans.
void launch_add_ends(const Frame& frame, std::uint64_t spans, const ViewTotals& totals, CudaStream stream);

/// The area of a cell of each view, by axis.
struct CellAreas {
  double of[3] = {};
};
/// Gradients of `count` vertices from their sums.
void launch_vertices(const EndWord* sums, std::uint32_t count, const CellAreas& areas, Vec3* out, CudaStream stream);

/// Memory and sums of a gradient. Use and destroy it with its device current.
class FrameGradient {
 public:
  /// Begins anew. `vertices`: their gradients are wanted.
  void start(std::span<const DeviceMesh> meshes, bool vertices, cudaStream_t stream);
  /// On the stream of a complete frame with ends. Three times, once for each axis, that of the overlap itself first.
  void add_view(const Frame& frame, const Answer& answer, cudaStream_t stream);
  /// Waits for all of it. `pivot`: the centroid. Returns how many bytes were read back.
  std::size_t sum_up(Vec3d pivot, GradientSums& out, cudaStream_t stream);
  /// After sum_up(): of mesh 0 or 1, as many as it has vertices.
  void read_vertices(unsigned mesh, std::span<Vec3> out, cudaStream_t stream);

 private:
  DeviceArray<EndWord> ends_, vertices_[2];
  DeviceArray<MomentSums> moments_;
  DeviceArray<Vec3> gradients_;
  PinnedArray<EndWord> host_ends_;
  PinnedArray<MomentSums> host_moments_;
  bool with_vertices_ = false;
  unsigned views_ = 0;               ///< so far
  Grid grids_[3];                    ///< of the views
  std::uint32_t moment_blocks_ = 0;  ///< of the first view
};

}  // namespace lamella::cuda
