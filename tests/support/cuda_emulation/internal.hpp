#pragma once

// Between the files of the emulation.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "emulation.hpp"
#include "types.hpp"

namespace cuda_emulation {

/// What fresh memory is filled with: of the device, of a block.
inline constexpr int kFreshDevice = 0xAB, kFreshShared = 0xCD;

/// Fills the static shared arrays of all kernels, as far as they can be found.
void fill_static_shared();

/// A number that whoever starts the program gives, or what it is otherwise.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise);

/// Held by every call: the emulation does one thing at a time.
std::recursive_mutex& mutex();
/// Runs all that waits on any stream.
void drain_all();
/// Whether this call is one that was to fail; then `error` is with what.
bool fails(Call call, cudaError_t& error);
/// Remembers an error for cudaGetLastError().
cudaError_t result(cudaError_t error);
/// Whether this thread captures in a mode that forbids calls which are not for streams.
bool capture_forbids();

/// As long as one of these lives, device memory can be touched. Elsewhere a host that does so ends with a fault.
struct DeviceAccess {
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

enum class MemoryKind { unknown, device, host };
/// What kind of memory this is. `room` is how many bytes of the allocation are left from there on.
MemoryKind find_memory(const void* pointer, std::size_t& room);
/// At the end of the stream, or of the graph that it captures.
cudaError_t put_work(cudaStream_t stream, std::function<void()> work);

}  // namespace cuda_emulation
