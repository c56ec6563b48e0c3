#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/host_device.hpp"
#include "engines/cuda/runtime.hpp"

// What every file with kernels begins with. Kernels are started through launch() alone, use no more of CUDA than the
// emulation of tests/support/cuda_emulation knows, and so run there, on a CPU, as well.

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

// The lowest compute capability that kernels are compiled for, times ten; 0: not known.
#ifndef LAMELLA_CUDA_CAPABILITY
#define LAMELLA_CUDA_CAPABILITY 0
#endif
/// Whether all kernels can wait for what came before: code for older GPUs cannot, on newer ones neither.
inline constexpr bool kOverlap = LAMELLA_CUDA_CAPABILITY >= 90;

/// Starts a kernel. It may begin before the one before it in the stream has ended, and so must call
/// wait_for_previous() before it touches what others write.
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
  config.numAttrs = kOverlap ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Params>(std::forward<Args>(args))...), "start a kernel");
}

/// First thing in every kernel: all that earlier kernels of the stream wrote is there after it.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// From here on the next kernel may take what room this one leaves.
__device__ inline void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Has memory brought into the cache that all share. Any address will do.
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
