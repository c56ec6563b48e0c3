#include "engines/cuda/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "lamella/error.hpp"

namespace lamella::cuda {
namespace {

constexpr const char* kMemoryRemedy =
    "lower the resolution or max_crossings (on the command line --max-crossings), or use smaller meshes";

[[noreturn]] void fail(const std::string& message) { throw Error(message, Error::Kind::device); }

double mebibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

/// After a fault in a kernel, the process cannot use the device any more.
bool breaks_device(cudaError_t error) {
  return error == cudaErrorIllegalAddress || error == cudaErrorLaunchFailure || error == cudaErrorLaunchTimeout ||
         error == cudaErrorMisalignedAddress;
}

std::string remedy(cudaError_t error) {
  if (error == cudaErrorMemoryAllocation) return fmt::format("; {}", kMemoryRemedy);
  if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction)
    return "; build the library with this GPU's architecture in CMAKE_CUDA_ARCHITECTURES";
  if (error == cudaErrorUnsupportedPtxVersion || error == cudaErrorJitCompilerNotFound)
    return "; NVIDIA's driver cannot compile them for this GPU: install a newer one, or build the library with this "
           "GPU's architecture in CMAKE_CUDA_ARCHITECTURES";
  if (error == cudaErrorJitCompilationDisabled)
    return "; unset CUDA_DISABLE_PTX_JIT, or build the library with this GPU's architecture in "
           "CMAKE_CUDA_ARCHITECTURES";
  if (breaks_device(error)) return "; this process cannot use the GPU any more: restart it";
  return "";
}

}  // namespace

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  fail(fmt::format("CUDA could not {}: {} ({}){}", what, cudaGetErrorString(error), cudaGetErrorName(error),
                   remedy(error)));
}

// ---- scope

DeviceScope::DeviceScope(int device) : device_(device) {
  check(cudaGetDevice(&before_), "find out which GPU is current");
  if (before_ != device_) check(cudaSetDevice(device_), "make a GPU current");
}

DeviceScope::~DeviceScope() {
  if (before_ != device_ && cudaSetDevice(before_) != cudaSuccess) (void)cudaGetLastError();
}

// ---- memory

namespace {

constexpr std::size_t kUnit = 256;  // what cudaMalloc aligns to

std::size_t rounded_up(std::size_t bytes) {
  return bytes > SIZE_MAX - kUnit ? bytes : (bytes + kUnit - 1) / kUnit * kUnit;
}

cudaError_t allocate(Memory::Kind kind, void** data, std::size_t bytes) {
  const cudaError_t error = kind == Memory::Kind::device
                                ? cudaMalloc(data, bytes)
                                : cudaHostAlloc(data, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  if (error != cudaSuccess) {
    (void)cudaGetLastError();
    *data = nullptr;
  }
  return error;
}

/// The message when there is not enough memory.
std::string shortage(Memory::Kind kind, std::size_t bytes, const char* for_what) {
  if (kind == Memory::Kind::host)
    return fmt::format("not enough pinned host memory: {:.1f} MiB for {}; {}", mebibytes(bytes), for_what,
                       kMemoryRemedy);
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) (void)cudaGetLastError();
  return fmt::format("not enough memory on the GPU: {:.1f} MiB for {}, {:.1f} of {:.1f} MiB are free; {}",
                     mebibytes(bytes), for_what, mebibytes(free), mebibytes(total), kMemoryRemedy);
}

}  // namespace

Memory::~Memory() { release(); }

Memory::Memory(Memory&& other) noexcept
    : kind_(other.kind_), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  if (this == &other) return *this;
  release();
  kind_ = other.kind_;
  data_ = std::exchange(other.data_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

bool Memory::reserve(std::size_t bytes, const char* for_what) {
  if (bytes <= bytes_) return false;
  // Grows by more than needed, so that needs that rise slowly from frame to frame cause few allocations.
  const std::size_t ahead = bytes_ + bytes_ / 4, need = rounded_up(bytes);
  release();
  std::size_t taken = std::max(need, rounded_up(ahead));
  cudaError_t error = allocate(kind_, &data_, taken);
  if (error == cudaErrorMemoryAllocation && taken > need) error = allocate(kind_, &data_, taken = need);
  if (error == cudaErrorMemoryAllocation || error == cudaErrorInvalidValue)  // the latter for absurdly large sizes
    fail(shortage(kind_, bytes, for_what));
  check(error, "allocate memory");
  bytes_ = taken;
  return true;
}

/// Freeing waits for kernels that may still use the memory.
void Memory::release() {
  if (data_ != nullptr) {
    const cudaError_t error = kind_ == Kind::device ? cudaFree(data_) : cudaFreeHost(data_);
    if (error != cudaSuccess) (void)cudaGetLastError();  // the device is lost, with all its memory
  }
  data_ = nullptr;
  bytes_ = 0;
}

// ---- streams, events, graphs

OwnStream::OwnStream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream"); }

OwnStream::~OwnStream() {
  if (cudaStreamDestroy(stream_) != cudaSuccess) (void)cudaGetLastError();
}

Event::Event(bool timed) {
  check(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming), "make an event");
}

Event::~Event() {
  if (cudaEventDestroy(event_) != cudaSuccess) (void)cudaGetLastError();
}

void Event::record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "record an event"); }

void Event::wait() { check(cudaEventSynchronize(event_), "finish a frame"); }

float Event::since(const Event& earlier) const {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, earlier.event_, event_), "measure a time");
  return ms;
}

Graph::~Graph() { clear(); }

void Graph::capture(const std::function<void(cudaStream_t)>& work) {
  clear();
  const OwnStream stream;
  cudaGraph_t graph = nullptr;
  // Only for this thread: others may continue to allocate meanwhile.
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "begin the capture of a graph");
  try {
    work(stream.get());
  } catch (...) {
    if (cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess && graph != nullptr) (void)cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    throw;
  }
  check(cudaStreamEndCapture(stream.get(), &graph), "capture a graph");
  const cudaError_t error = cudaGraphInstantiate(&executable_, graph, 0);
  (void)cudaGraphDestroy(graph);
  if (error != cudaSuccess) executable_ = nullptr;
  check(error, "make a graph ready");
}

void Graph::launch(cudaStream_t stream) const {
  if (empty()) fail("there is no graph to start: nothing was captured");
  check(cudaGraphLaunch(executable_, stream), "start a graph");
}

void Graph::clear() {
  if (executable_ != nullptr && cudaGraphExecDestroy(executable_) != cudaSuccess) (void)cudaGetLastError();
  executable_ = nullptr;
}

}  // namespace lamella::cuda
