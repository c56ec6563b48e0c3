#pragma once

// What tests ask of the emulation beyond CUDA's own functions. All of it is for the whole process and takes effect with
// the next call.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "types.hpp"

namespace cuda_emulation {

/// Orders of blocks, warps and lanes follow from this number alone. Until set 1, or CUDA_EMULATION_SCHEDULE of the
/// environment, so that a whole program can be run in other orders.
void set_schedule(std::uint64_t seed);

/// Device memory there is, in bytes, for all allocations together. kDeviceMemory until set.
inline constexpr std::size_t kDeviceMemory = std::size_t{8} << 30;
void set_memory_limit(std::size_t bytes);
/// Device memory that is allocated now, in bytes.
std::size_t memory_in_use();

/// Kinds of calls that can be made to fail.
enum class Call {
  allocation,
  host_allocation,
  launch,
  copy,
  instantiate,
  graph_launch,
  synchronize,
  create,
  device,  ///< how many devices there are, and what one of them is
};
/// After `skip` more calls of this kind, `count` of them fail with `error` and do nothing.
void fail(Call call, unsigned skip, unsigned count = 1, cudaError_t error = cudaErrorUnknown);
/// The next n calls of cudaMalloc find no memory.
void fail_next_allocations(unsigned n);

/// Work on streams waits until somebody waits for it (synchronising, querying an event, freeing memory), so that a
/// forgotten wait shows. Off until set, unless CUDA_EMULATION_DEFERRED of the environment is 1; when off
/// everything is done when the call returns.
void set_deferred(bool deferred);

/// The compute capability of the device, times ten: 90 with code of its own, or CUDA_EMULATION_DEVICE of the
/// environment when the program began: 80, 86 or 89, with code that a driver would have made from PTX for 8.0. Kernels
/// with that code do not wait for previous ones: it is an error to start one that may overlap.
int capability();

/// Kernels that ran so far, in graphs as well.
std::uint64_t launches();
/// Kernels started so far that might overlap with the previous one on a GPU; those of graphs when they are captured.
std::uint64_t overlapping_launches();

/// All of the above as in a new process, except the counts of launches.
void reset();

/// The running block's.
void* dynamic_shared();

// What is behind cudaLaunchKernelEx().
cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> thread);
void run_grid(dim3 grid, dim3 block, std::size_t shared_bytes, const std::function<void()>& thread);

}  // namespace cuda_emulation
