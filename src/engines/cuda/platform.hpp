#pragma once

// Included by every file with kernels. Kernels are started only through launch(), and use only the parts of CUDA that
// the emulation in tests/support/cuda_emulation supports, so that they also run there, on a CPU.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/host_device.hpp"
#include "engines/cuda/code.hpp"
#include "engines/cuda/runtime.hpp"

namespace lamella::cuda {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

/// Bits of the lanes before one, for votes.
__device__ inline unsigned before_lane(unsigned lane) { return (1u << lane) - 1; }

/// How a kernel is started.
struct Launch {
  cudaStream_t stream = nullptr;
  unsigned blocks = 1;
  unsigned threads = 256;  ///< of a block; a multiple of kWarp
  std::size_t shared_bytes = 0;
};

/// Starts a kernel. Where its code can wait, it may begin before the previous kernel in the stream has ended, so it
/// must call wait_for_previous() before it accesses memory that others write.
template <class... Params, class... Args>
void launch(const Launch& how, void (*kernel)(Params...), Args&&... args) {
  if (how.blocks == 0) return;
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(how.blocks);
  config.blockDim = dim3(how.threads);
  config.dynamicSmemBytes = how.shared_bytes;
  config.stream = how.stream;
  config.attrs = &overlap;
  config.numAttrs = code_here().can_overlap() ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Params>(std::forward<Args>(args))...), "start a kernel");
}

// KernelCode::can_overlap() tells the host whether the two below do something in the code that runs.

/// Call first in every kernel: after it, everything that earlier kernels of the stream wrote is visible.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// From here on the next kernel may use the resources that this one leaves free.
__device__ inline void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Prefetches memory into the L2 cache, which all multiprocessors share. Any address is valid.
__device__ inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

/// The block's dynamic shared memory.
template <class T>
__device__ T* dynamic_shared() {
#if defined(LAMELLA_CUDA_EMULATION)
  return static_cast<T*>(cuda_emulation::dynamic_shared());
#else
  extern __shared__ __align__(16) unsigned char lamella_shared[];
  return reinterpret_cast<T*>(lamella_shared);
#endif
}

}  // namespace lamella::cuda
