// The stream is held by a function of the host in it: the only work that waits for the host, and needs no kernel.
// Without it the clock of a short frame would also count the time that the host takes to hand the frame over.

#include "bench/cuda/device.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "engines/cuda/runtime.hpp"

namespace lamella::cuda {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 30;
constexpr std::size_t kCopies = 11;
constexpr std::size_t kCachesOver = 4;  ///< so many times the cache is copied to replace what is in it
constexpr std::chrono::milliseconds kPatience{20};

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

struct BenchDevice::State {
  explicit State(std::optional<unsigned> number) : facts(choose_device(number)), device(facts.number) {}

  DeviceFacts facts;
  DeviceScope device;
  OwnStream stream;
  Event begin{true}, end{true};
  std::vector<Memory> memory;
  Gate gate;
  Memory flush_from{Memory::Kind::device}, flush_to{Memory::Kind::device};
};

BenchDevice::BenchDevice(std::optional<unsigned> number) : state_(std::make_unique<State>(number)) {}

BenchDevice::~BenchDevice() {
  state_->gate.open.store(true);
  // Memory must not go while something on the stream may still use it; what failed was told before.
  if (cudaStreamSynchronize(state_->stream.get()) != cudaSuccess) (void)cudaGetLastError();
}

Stream BenchDevice::stream() const { return state_->stream.get(); }
std::string BenchDevice::name() const { return state_->facts.name; }

std::size_t BenchDevice::cache_bytes() const {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, state_->facts.number), "ask for the size of the cache");
  return static_cast<std::size_t>(bytes);
}

void* BenchDevice::allocate(std::size_t bytes, const char* for_what) {
  Memory& memory = state_->memory.emplace_back(Memory::Kind::device);
  memory.reserve(std::max<std::size_t>(bytes, 1), for_what);
  return memory.data();
}

void BenchDevice::write(void* device, const void* host, std::size_t bytes) {
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream()), "upload");
  synchronize();
}

void BenchDevice::read(void* host, const void* device, std::size_t bytes) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream()), "read back");
  synchronize();
}

void BenchDevice::copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()), "copy");
}

void BenchDevice::flush_caches() {
  const std::size_t bytes = kCachesOver * cache_bytes();
  state_->flush_from.reserve(bytes, "flushing caches");
  state_->flush_to.reserve(bytes, "flushing caches");
  copy(state_->flush_to.data(), state_->flush_from.data(), bytes);
}

void BenchDevice::synchronize() { check(cudaStreamSynchronize(stream()), "finish what is on a stream"); }

void BenchDevice::hold() {
  state_->gate.open.store(false);
  state_->gate.gave_up.store(false);
  check(cudaLaunchHostFunc(stream(), wait_at, &state_->gate), "hold a stream");
}

bool BenchDevice::let_go() {
  state_->gate.open.store(true, std::memory_order_release);
  return !state_->gate.gave_up.load(std::memory_order_acquire);
}

void BenchDevice::start() { state_->begin.record(stream()); }
void BenchDevice::stop() { state_->end.record(stream()); }

double BenchDevice::milliseconds() {
  state_->end.wait();
  return static_cast<double>(state_->end.since(state_->begin));
}

double BenchDevice::copy_bandwidth() {
  Memory from(Memory::Kind::device), to(Memory::Kind::device);
  from.reserve(kCopyBytes, "a copy to measure the memory's speed");
  to.reserve(kCopyBytes, "a copy to measure the memory's speed");
  std::vector<double> ms;
  for (std::size_t i = 0; i < kCopies; ++i) {
    start();
    copy(to.data(), from.data(), kCopyBytes);
    stop();
    ms.push_back(milliseconds());
  }
  std::nth_element(ms.begin(), ms.begin() + kCopies / 2, ms.end());
  return 2 * static_cast<double>(kCopyBytes) / (ms[kCopies / 2] * 1e-3);
}

}  // namespace lamella::cuda
