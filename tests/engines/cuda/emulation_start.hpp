#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include "engines/cuda/platform.hpp"
#include "support/cuda.hpp"

// For the tests of the emulation itself.

namespace lamella::test {

/// Starts a kernel without platform.hpp's check, which throws.
template <class... Params, class... Args>
cudaError_t start(dim3 blocks, dim3 threads, std::size_t shared_bytes, cudaStream_t stream, void (*kernel)(Params...),
                  Args... args) {
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, args...);
}

}  // namespace lamella::test
