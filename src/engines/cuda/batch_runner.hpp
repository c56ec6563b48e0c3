#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engines/cuda/batch_job.hpp"
#include "engines/cuda/runtime.hpp"

namespace lamella::cuda {

/// Runs batches on meshes in device memory; shared by PairBatch and the Batch on CUDA. Pairs must have been checked.
class BatchRunner {
 public:
  explicit BatchRunner(const DeviceOptions& options);

  [[nodiscard]] const DeviceFacts& device() const { return device_; }
  [[nodiscard]] std::size_t mesh_count() const { return meshes_.size(); }
  /// Not while a run is in progress.
  void set_meshes(std::span<const DeviceMesh> meshes);

  // As those of PairBatch; whether gradients are wanted decides which answers there are.
  void launch(std::span<const BatchPair> pairs, bool gradients, CudaStream stream);
  std::span<const PairOverlap> wait();
  std::span<const PairGradient> wait_gradients();
  [[nodiscard]] const PairOverlap* device_answers() const { return answers_.data(); }
  [[nodiscard]] const PairGradient* device_gradients() const { return gradients_.data(); }

 private:
  void prepare(std::span<const BatchPair> pairs);
  void start();
  void finish();
  void read_answers();
  [[nodiscard]] const PairOverlap& answer(std::size_t pair) const;
  void give_up();
  [[nodiscard]] bool check_report() const;
  void require_healthy(std::size_t count) const;
  [[noreturn]] void fail(std::size_t pair, BatchFault fault) const;

  DeviceOptions options_;
  const DeviceFacts& device_;
  std::unique_ptr<Event> done_;
  std::vector<DeviceMesh> meshes_;
  DeviceArray<DeviceMesh> device_meshes_;
  DeviceArray<BatchPair> pairs_;
  DeviceArray<PairOverlap> answers_;
  DeviceArray<PairGradient> gradients_;
  DeviceArray<BatchReport> report_;
  DeviceArray<unsigned char> scratch_;
  PinnedArray<BatchPair> host_pairs_;
  PinnedArray<PairOverlap> host_answers_;
  PinnedArray<PairGradient> host_gradients_;
  PinnedArray<BatchReport> host_report_;

  std::uint32_t count_ = 0;  ///< pairs of the last launch
  bool with_gradients_ = false;
  bool under_way_ = false;
  BatchSizes sizes_;
  BatchPlan plan_;
  std::uint32_t nodes_ = 0;  ///< that pairs have needed so far
  CudaStream stream_ = nullptr;
};

}  // namespace lamella::cuda
