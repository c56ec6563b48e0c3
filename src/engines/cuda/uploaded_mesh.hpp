#pragma once

#include <span>

#include "core/mesh_scan.hpp"
#include "core/parallel.hpp"
#include "engines/cuda/runtime.hpp"
#include "lamella/cuda.hpp"
#include "lamella/mesh.hpp"

namespace lamella::cuda {

/// Copies positions into pinned memory, from which the device fetches them. Finds their box and checks them in the same
/// pass.
class Upload {
 public:
  Upload(cudaStream_t stream, Workers& workers) : stream_(stream), workers_(workers) {}

  /// Returns as soon as the copies are on the stream; `positions` may change then.
  PositionFacts put(std::span<const Vec3> positions, const char* for_what);
  [[nodiscard]] const Vec3* on_device() const { return device_.data(); }
  /// The positions uploaded last. Valid until the next upload.
  [[nodiscard]] std::span<const Vec3> on_host() const { return {staged_.data(), count_}; }

 private:
  cudaStream_t stream_;
  Workers& workers_;
  DeviceArray<Vec3> device_;
  PinnedArray<Vec3> staged_;
  Event taken_;  ///< when the device has read `staged_`
  std::size_t count_ = 0;
};

/// A copy on the device of a mesh in main memory. Uploads go to the stream it was made with. The device must be current
/// in all members.
class UploadedMesh {
 public:
  UploadedMesh(cudaStream_t stream, Workers& workers)
      : stream_(stream), workers_(workers), positions_(stream, workers) {}

  /// Throws Error for an index out of range.
  void assign(MeshView mesh);
  /// As many as before.
  void assign_positions(std::span<const Vec3> positions);

  /// Throws Error (device) when the last upload failed.
  [[nodiscard]] DeviceMesh on_device() const;
  [[nodiscard]] const PositionFacts& facts() const { return facts_; }
  [[nodiscard]] std::span<const Vec3> positions() const { return positions_.on_host(); }
  [[nodiscard]] const Vec3* positions_on_device() const { return positions_.on_device(); }

 private:
  cudaStream_t stream_;
  Workers& workers_;
  Upload positions_;
  DeviceArray<Triangle> triangles_;
  std::uint32_t vertex_count_ = 0, triangle_count_ = 0;
  PositionFacts facts_;
  bool uploaded_ = false;
};

}  // namespace lamella::cuda
