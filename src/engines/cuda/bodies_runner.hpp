#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engines/cuda/bodies_job.hpp"
#include "engines/cuda/runtime.hpp"

namespace lamella::cuda {

/// Runs bodies.cu on meshes in device memory, for SelfBatch and GradientBatch.
class BodyRunner {
 public:
  /// `pairs`: every unit is two meshes. `sums`: GradientSums are wanted too; for few, large units.
  BodyRunner(const DeviceOptions& options, bool pairs, bool sums);
  /// With sums, and options that come later.
  BodyRunner(const DeviceFacts& device, bool pairs);

  [[nodiscard]] const DeviceFacts& device() const { return device_; }
  /// Before set_meshes(); the device stays the same.
  void set_options(const DeviceOptions& options) { options_ = options; }
  /// Not while a run is in progress. `gradients`: null: memory of its own.
  void set_meshes(std::span<const DeviceMesh> meshes, Vec3* gradients);

  void launch(CudaStream stream);
  std::span<const BodyOverlap> wait();
  [[nodiscard]] const GradientSums& sums(std::size_t unit) const { return host_sums_.data()[unit]; }
  /// Of all units; after wait().
  [[nodiscard]] std::span<const GradientSums> all_sums() const {
    return {host_sums_.data(), failed_ || under_way_ ? 0 : count_};
  }
  [[nodiscard]] const BodyOverlap* device_answers() const { return answers_.data(); }
  [[nodiscard]] const Vec3* device_gradients() const { return gradients_; }
  /// Copies gradients of all units to the host, `first` vertices further on; after wait().
  void read_gradients(std::size_t first, std::span<Vec3> out) const;

 private:
  void start();
  void give_up();
  [[nodiscard]] bool check_report() const;
  [[noreturn]] void fail(std::size_t unit, BatchFault fault) const;

  DeviceOptions options_;
  const DeviceFacts& device_;
  bool pairs_, with_sums_ = true;
  std::unique_ptr<Event> done_;
  std::vector<DeviceMesh> meshes_;
  DeviceArray<DeviceMesh> device_meshes_;
  DeviceArray<std::uint64_t> first_vertex_;
  DeviceArray<BodyOverlap> answers_;
  DeviceArray<GradientSums> sums_;
  DeviceArray<BatchReport> report_;
  DeviceArray<unsigned char> scratch_;
  DeviceArray<Vec3> own_gradients_;
  Vec3* gradients_ = nullptr;
  PinnedArray<BodyOverlap> host_answers_;
  PinnedArray<GradientSums> host_sums_;
  PinnedArray<BatchReport> host_report_;

  std::uint32_t count_ = 0;  ///< units
  bool under_way_ = false, failed_ = true;
  BatchSizes sizes_;
  std::uint32_t nodes_ = 0;  ///< that units have needed so far
  CudaStream stream_ = nullptr;
};

}  // namespace lamella::cuda
