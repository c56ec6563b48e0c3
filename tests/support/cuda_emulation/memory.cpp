// Device memory and pinned memory: pages of their own, so that what is behind an allocation
// cannot be touched, nor what is on the device by the host.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "host.hpp"
#include "internal.hpp"

namespace cuda_emulation {
namespace {

constexpr std::size_t kAlignment = 256;  // as CUDA promises

struct Allocation {
  std::size_t bytes = 0;
  void* pages = nullptr;
  std::size_t page_bytes = 0;
  MemoryKind kind = MemoryKind::unknown;
};
std::map<std::uintptr_t, Allocation> allocations;
std::size_t limit = kDeviceMemory, in_use = 0;
unsigned accesses = 0;  // DeviceAccess alive

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// All of the allocation but the page behind it.
void protect(const Allocation& allocation, int protection) {
  if (allocation.kind != MemoryKind::device) return;
  if (mprotect(allocation.pages, allocation.page_bytes - page(), protection) != 0) std::abort();
}

/// The end of the memory lies as close to a forbidden page as its alignment allows.
void* make(std::size_t bytes, MemoryKind kind) {
  const std::size_t room = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t pages = (room + page() - 1) / page() * page();
  void* base = mmap(nullptr, pages + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  if (mprotect(static_cast<char*>(base) + pages, page(), PROT_NONE) != 0) return nullptr;
  char* memory = static_cast<char*>(base) + (pages - room);
  std::memset(memory, kFreshDevice, room);
  const Allocation made{bytes, base, pages + page(), kind};
  allocations[reinterpret_cast<std::uintptr_t>(memory)] = made;
  if (accesses == 0) protect(made, PROT_NONE);
  return memory;
}

cudaError_t allocate(void** memory, std::size_t bytes, MemoryKind kind, Call call) {
  const std::lock_guard lock(mutex());
  if (capture_forbids()) return result(cudaErrorStreamCaptureUnsupported);
  if (memory == nullptr) return result(cudaErrorInvalidValue);
  *memory = nullptr;
  cudaError_t error{};
  if (fails(call, error)) return result(error);
  if (bytes == 0) return cudaSuccess;
  const bool device = kind == MemoryKind::device;
  if (device && (in_use > limit || bytes > limit - in_use)) return result(cudaErrorMemoryAllocation);
  *memory = make(bytes, kind);
  if (*memory == nullptr) return result(cudaErrorMemoryAllocation);
  if (device) in_use += bytes;
  return cudaSuccess;
}

/// Waits for everything first, as CUDA does.
cudaError_t release(void* memory, MemoryKind kind) {
  const std::lock_guard lock(mutex());
  if (memory == nullptr) return cudaSuccess;
  if (capture_forbids()) return result(cudaErrorStreamCaptureUnsupported);
  drain_all();
  const auto found = allocations.find(reinterpret_cast<std::uintptr_t>(memory));
  if (found == allocations.end() || found->second.kind != kind) return result(cudaErrorInvalidValue);
  if (kind == MemoryKind::device) in_use -= found->second.bytes;
  munmap(found->second.pages, found->second.page_bytes);
  allocations.erase(found);
  return cudaSuccess;
}

}  // namespace

DeviceAccess::DeviceAccess() {
  if (accesses++ != 0) return;
  for (const auto& [address, allocation] : allocations) protect(allocation, PROT_READ | PROT_WRITE);
}
DeviceAccess::~DeviceAccess() {
  if (--accesses != 0) return;
  for (const auto& [address, allocation] : allocations) protect(allocation, PROT_NONE);
}

MemoryKind find_memory(const void* pointer, std::size_t& room) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  auto found = allocations.upper_bound(address);
  if (found == allocations.begin()) return MemoryKind::unknown;
  --found;
  if (address >= found->first + found->second.bytes) return MemoryKind::unknown;
  room = found->first + found->second.bytes - address;
  return found->second.kind;
}

void set_memory_limit(std::size_t bytes) {
  const std::lock_guard lock(mutex());
  limit = bytes;
}

std::size_t memory_in_use() {
  const std::lock_guard lock(mutex());
  return in_use;
}

}  // namespace cuda_emulation

using namespace cuda_emulation;

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return allocate(memory, bytes, MemoryKind::device, Call::allocation);
}
cudaError_t cudaFree(void* memory) { return release(memory, MemoryKind::device); }
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return allocate(memory, bytes, MemoryKind::host, Call::host_allocation);
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc(memory, bytes, flags);
}
cudaError_t cudaFreeHost(void* memory) { return release(memory, MemoryKind::host); }

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const std::lock_guard lock(mutex());
  *free = in_use < limit ? limit - in_use : 0;
  *total = limit;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const std::lock_guard lock(mutex());
  std::size_t room = 0;
  const MemoryKind kind = find_memory(pointer, room);
  void* same = const_cast<void*>(pointer);
  *attributes = {};
  attributes->device = kind == MemoryKind::unknown ? -2 : 0;
  if (kind == MemoryKind::unknown) return cudaSuccess;
  attributes->type = kind == MemoryKind::device ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
  attributes->devicePointer = same;
  attributes->hostPointer = kind == MemoryKind::host ? same : nullptr;
  return cudaSuccess;
}
