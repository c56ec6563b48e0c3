// The stream is held by a function of the host in it: the only work that waits for the host, and needs no kernel.
// Without it the clock of a short frame would also count the time that the host takes to hand the frame over.

#include "bench/cuda/device.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "bench/measure.hpp"
#include "lamella/error.hpp"

namespace lamella::bench {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 30;
constexpr std::size_t kCopies = 11;
constexpr std::size_t kCachesOver = 4;  ///< so many times the cache is copied to replace what is in it
constexpr std::chrono::milliseconds kPatience{20};

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  throw Error(std::string("CUDA could not ") + what + ": " + cudaGetErrorString(error), Error::Kind::device);
}

/// What the held stream looks at.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<bool> gave_up{false};
};

void CUDART_CB wait_at(void* data) {
  Gate& gate = *static_cast<Gate*>(data);
  const auto late = std::chrono::steady_clock::now() + kPatience;
  while (!gate.open.load(std::memory_order_acquire)) {
    if (std::chrono::steady_clock::now() > late) {
      gate.gave_up.store(true, std::memory_order_release);
      return;
    }
  }
}

}  // namespace

struct CudaDevice::State {
  ~State() {
    gate.open.store(true);
    // Memory must not go while something on the stream may still use it; what failed was told before.
    if (stream != nullptr) (void)cudaStreamSynchronize(stream);
    for (void* block : memory) (void)cudaFree(block);
    if (begin != nullptr) (void)cudaEventDestroy(begin);
    if (end != nullptr) (void)cudaEventDestroy(end);
    if (stream != nullptr) (void)cudaStreamDestroy(stream);
    (void)cudaGetLastError();
  }

  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  std::vector<void*> memory;
  Gate gate;
  void *flush_from = nullptr, *flush_to = nullptr;
  std::size_t flush_bytes = 0;
};

CudaDevice::CudaDevice(std::optional<unsigned> number) : state_(std::make_unique<State>()) {
  const int device = static_cast<int>(number.value_or(0));
  int cache_bytes = 0;
  check(cudaSetDevice(device), "use the GPU");
  check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device), "ask for the size of the cache");
  check(cudaStreamCreateWithFlags(&state_->stream, cudaStreamNonBlocking), "make a stream");
  check(cudaEventCreate(&state_->begin), "make an event");
  check(cudaEventCreate(&state_->end), "make an event");
  state_->flush_bytes = kCachesOver * static_cast<std::size_t>(cache_bytes);
}

CudaDevice::~CudaDevice() = default;

cuda::Stream CudaDevice::stream() const { return state_->stream; }

void* CudaDevice::allocate(std::size_t bytes) {
  void* block = nullptr;
  check(cudaMalloc(&block, std::max<std::size_t>(bytes, 1)), "have memory for the benchmark");
  state_->memory.push_back(block);
  return block;
}

void CudaDevice::write(void* device, const void* host, std::size_t bytes) {
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream()), "upload");
  synchronize();
}

void CudaDevice::read(void* host, const void* device, std::size_t bytes) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream()), "read back");
  synchronize();
}

void CudaDevice::copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()), "copy");
}

void CudaDevice::flush_caches() {
  if (state_->flush_from == nullptr) {
    state_->flush_from = allocate(state_->flush_bytes);
    state_->flush_to = allocate(state_->flush_bytes);
  }
  copy(state_->flush_to, state_->flush_from, state_->flush_bytes);
}

void CudaDevice::synchronize() { check(cudaStreamSynchronize(stream()), "finish what is on a stream"); }

void CudaDevice::hold() {
  state_->gate.open.store(false);
  state_->gate.gave_up.store(false);
  check(cudaLaunchHostFunc(stream(), wait_at, &state_->gate), "hold a stream");
}

bool CudaDevice::let_go() {
  state_->gate.open.store(true, std::memory_order_release);
  return !state_->gate.gave_up.load(std::memory_order_acquire);
}

void CudaDevice::start() { check(cudaEventRecord(state_->begin, stream()), "note the time"); }
void CudaDevice::stop() { check(cudaEventRecord(state_->end, stream()), "note the time"); }

double CudaDevice::milliseconds() {
  float ms = 0;
  check(cudaEventSynchronize(state_->end), "wait for an event");
  check(cudaEventElapsedTime(&ms, state_->begin, state_->end), "read its clock");
  return static_cast<double>(ms);
}

double CudaDevice::copy_bandwidth() {
  void *from = allocate(kCopyBytes), *to = allocate(kCopyBytes);
  std::vector<double> ms;
  for (std::size_t i = 0; i < kCopies; ++i) {
    start();
    copy(to, from, kCopyBytes);
    stop();
    ms.push_back(milliseconds());
  }
  return 2 * static_cast<double>(kCopyBytes) / (median(std::move(ms)) * 1e-3);
}

}  // namespace lamella::bench
