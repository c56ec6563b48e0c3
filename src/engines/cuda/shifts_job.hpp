#pragma once

// Free shifts along many directions as their kernel sees them, see shifts.cu.

#include "core/positions.hpp"
#include "engines/cuda/batch_job.hpp"
#include "engines/shift_finder.hpp"

namespace lamella::cuda {

/// Passed by value.
struct ShiftJob {
  DeviceMesh mesh[2];
  const Placement* views = nullptr;  ///< of each direction
  FreeShift* answers = nullptr;
  BatchReport* report = nullptr;
  std::uint32_t count = 0;  ///< directions
  std::uint32_t resolution = 0;
  std::uint64_t max_crossings = 0, most_nodes = 0;
  BlockMemory memory;
};

/// Heads are in shared memory where the plan says `near`, codes never.
[[nodiscard]] BatchPlan plan_shifts(const BatchSizes& sizes, std::uint32_t directions, const DeviceFacts& device);
void launch_shifts(const ShiftJob& job, const BatchPlan& plan, const DeviceFacts& device, CudaStream stream);

}  // namespace lamella::cuda
