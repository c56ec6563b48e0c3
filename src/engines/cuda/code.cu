// All kernels are compiled for the same list of architectures, so one of them, the smallest, stands for all.

#include "engines/cuda/code.hpp"

#include "engines/cuda/platform.hpp"

namespace lamella::cuda {
namespace {

__global__ void probe() {}

}  // namespace

KernelCode load_code() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, probe), "load the kernels");
  return {attributes.ptxVersion, attributes.binaryVersion};
}

}  // namespace lamella::cuda
