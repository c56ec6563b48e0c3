// The device, errors, and what a launch checks.

#include "emulation.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

#include "host.hpp"
#include "internal.hpp"

namespace cuda_emulation {
namespace {

constexpr std::size_t kSharedByDefault = std::size_t{48} << 10, kSharedReserved = 1024;
constexpr unsigned kThreadsOfBlock = 1024;
constexpr int kMultiprocessors = 4, kBlocksOfMultiprocessor = 2, kVersion = 13000;

/// What differs between devices.
struct Model {
  int capability, code;  // times ten
  std::size_t shared_at_most;
  int threads_of_multiprocessor;
};
constexpr Model kModels[] = {{90, 90, std::size_t{227} << 10, 2048},
                             {80, 80, std::size_t{163} << 10, 2048},
                             {86, 80, std::size_t{99} << 10, 1536},
                             {89, 80, std::size_t{99} << 10, 1536}};

const Model& model() {
  static const Model& found = []() -> const Model& {
    const std::uint64_t wanted = from_environment("CUDA_EMULATION_DEVICE", 90);
    for (const Model& m : kModels)
      if (static_cast<std::uint64_t>(m.capability) == wanted) return m;
    std::fprintf(stderr, "CUDA_EMULATION_DEVICE: there is no device %llu, only 80, 86, 89 and 90\n",
                 static_cast<unsigned long long>(wanted));
    std::abort();
  }();
  return found;
}

struct Failure {
  unsigned skip = 0, count = 0;
  cudaError_t error = cudaErrorUnknown;
};
std::array<Failure, 9> failures;  // by Call
std::uint64_t launch_count = 0, overlapping_count = 0;
std::map<const void*, std::size_t> shared_limits;  // of kernels that raised it
thread_local cudaError_t last_error = cudaSuccess;
thread_local int current_device = 0;

std::size_t shared_limit(const void* kernel) {
  const auto found = shared_limits.find(kernel);
  return found == shared_limits.end() ? kSharedByDefault : found->second;
}

bool can_launch(const cudaLaunchConfig_t& config) {
  const dim3 g = config.gridDim, b = config.blockDim;
  if (g.x == 0 || g.y == 0 || g.z == 0 || b.x == 0 || b.y == 0 || b.z == 0) return false;
  if (g.x > 0x7fffffffu || g.y > 0xffffu || g.z > 0xffffu || b.z > 64) return false;
  return b.x <= kThreadsOfBlock && b.y <= kThreadsOfBlock && std::size_t{b.x} * b.y * b.z <= kThreadsOfBlock;
}

bool may_overlap(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization &&
        config.attrs[i].val.programmaticStreamSerializationAllowed != 0)
      return true;
  return false;
}

}  // namespace

int capability() { return model().capability; }

void fail(Call call, unsigned skip, unsigned count, cudaError_t error) {
  const std::lock_guard lock(mutex());
  failures[static_cast<std::size_t>(call)] = {skip, count, error};
}

void fail_next_allocations(unsigned n) { fail(Call::allocation, 0, n, cudaErrorMemoryAllocation); }

bool fails(Call call, cudaError_t& error) {
  Failure& failure = failures[static_cast<std::size_t>(call)];
  if (failure.count == 0) return false;
  if (failure.skip != 0) {
    --failure.skip;
    return false;
  }
  --failure.count;
  error = failure.error;
  return true;
}

cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::uint64_t launches() {
  const std::lock_guard lock(mutex());
  return launch_count;
}

std::uint64_t overlapping_launches() {
  const std::lock_guard lock(mutex());
  return overlapping_count;
}

void reset() {
  const std::lock_guard lock(mutex());
  failures = {};
  set_schedule(from_environment("CUDA_EMULATION_SCHEDULE", 1));
  set_memory_limit(kDeviceMemory);
  set_deferred(from_environment("CUDA_EMULATION_DEFERRED", 0) != 0);
}

cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> thread) {
  const std::lock_guard lock(mutex());
  cudaError_t error{};
  if (fails(Call::launch, error)) return result(error);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (!can_launch(config)) return result(cudaErrorInvalidConfiguration);
  if (config.dynamicSmemBytes > shared_limit(kernel)) return result(cudaErrorInvalidValue);
  if (may_overlap(config)) {
    if (model().code < 90) return result(cudaErrorNotSupported);
    ++overlapping_count;
  }
  return put_work(config.stream, [grid = config.gridDim, block = config.blockDim, shared = config.dynamicSmemBytes,
                                  thread = std::move(thread)] {
    ++launch_count;
    run_grid(grid, block, shared, thread);
  });
}

}  // namespace cuda_emulation

using namespace cuda_emulation;

cudaError_t cudaGetDeviceCount(int* count) {
  cudaError_t error{};
  if (fails(Call::device, error)) return result(error);
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device != 0) return result(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  cudaError_t error{};
  if (fails(Call::device, error)) return result(error);
  if (device != 0) return result(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "emulated");
  properties->totalGlobalMem = kDeviceMemory;
  properties->sharedMemPerBlock = kSharedByDefault;
  properties->sharedMemPerBlockOptin = model().shared_at_most;
  properties->sharedMemPerMultiprocessor = model().shared_at_most + kSharedReserved;
  properties->reservedSharedMemPerBlock = kSharedReserved;
  properties->major = model().capability / 10;
  properties->minor = model().capability % 10;
  properties->multiProcessorCount = kMultiprocessors;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = kThreadsOfBlock;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 0x7fffffff;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 0xffff;
  properties->maxThreadsPerMultiProcessor = model().threads_of_multiprocessor;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
  properties->l2CacheSize = 1 << 20;
  properties->memoryBusWidth = 64;
  properties->unifiedAddressing = properties->canMapHostMemory = properties->concurrentKernels = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device); error != cudaSuccess) return error;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = properties.maxThreadsPerBlock;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(properties.sharedMemPerBlock);
      break;
    case cudaDevAttrWarpSize:
      *value = properties.warpSize;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = properties.multiProcessorCount;
      break;
    case cudaDevAttrL2CacheSize:
      *value = properties.l2CacheSize;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = properties.maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = properties.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = properties.minor;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(properties.sharedMemPerMultiprocessor);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(properties.sharedMemPerBlockOptin);
      break;
    default:
      return result(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }

namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};
constexpr ErrorText kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched", "operation cannot be performed on the stream"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const ErrorText* find(cudaError_t error) {
  for (const ErrorText& e : kErrors)
    if (e.error == error) return &e;
  return nullptr;
}

}  // namespace

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* found = find(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}
const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* found = find(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  const std::lock_guard lock(mutex());
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > model().shared_at_most) return result(cudaErrorInvalidValue);
  shared_limits[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  const std::lock_guard lock(mutex());
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->maxThreadsPerBlock = kThreadsOfBlock;
  attributes->numRegs = 32;
  attributes->ptxVersion = model().code;
  attributes->binaryVersion = model().capability;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(shared_limit(kernel));
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          std::size_t shared_bytes) {
  const std::lock_guard lock(mutex());
  if (threads <= 0) return result(cudaErrorInvalidValue);
  const bool fits = static_cast<unsigned>(threads) <= kThreadsOfBlock && shared_bytes <= shared_limit(kernel);
  *blocks = fits ? kBlocksOfMultiprocessor : 0;
  return cudaSuccess;
}
