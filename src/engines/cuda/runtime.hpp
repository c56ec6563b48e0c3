#pragma once

// Wrappers of CUDA's runtime: errors, memory, graphs, devices.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lamella::cuda {

/// Throws Error (device) when a call failed. The message has `what` it should do, CUDA's text, and for memory the
/// remedy. Clears CUDA's error state for the next call.
void check(cudaError_t error, const char* what);

/// Properties of a GPU.
struct DeviceFacts {
  int number = 0;  ///< CUDA's
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::size_t memory = 0;    ///< bytes
  int multiprocessors = 0;
  std::size_t shared_per_block = 0;  ///< the most that a block can use
  std::size_t shared_reserved = 0;   ///< beyond that, by CUDA itself, in every block
};

/// The GPUs that this library's kernels run on, or why there is none.
struct Devices {
  std::vector<DeviceFacts> facts;
  std::string why;
};
[[nodiscard]] Devices find_devices();
/// Found once per process.
const Devices& devices();

/// A text why CUDA finds no GPU, from the error of cudaGetDeviceCount and the CUDA versions of the driver (0: there is
/// none) and of this library, in CUDA's numbering.
std::string no_device_text(cudaError_t error, int driver, int runtime);
/// Why kernels for compute capability `needed` (times ten) and newer do not run on a GPU; empty when they do.
std::string too_old_text(const DeviceFacts& facts, int needed);

/// The lowest compute capability, times ten, that this library's kernels were compiled for; 0 when it is not known.
int lowest_capability();

/// The device of this number in devices(), the first when not given. Throws Error (device) when it does not exist or
/// cannot run the kernels, which are loaded now: not while a graph is captured.
const DeviceFacts& choose_device(std::optional<unsigned> number);

/// Makes a device current in this thread for the scope's lifetime, then restores the previous one.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0, device_ = 0;
};

/// Bytes of device memory, or of pinned host memory that the device can write to. It never shrinks.
class Memory {
 public:
  enum class Kind { device, host };
  explicit Memory(Kind kind) : kind_(kind) {}
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;

  /// Makes it at least `bytes`; the contents are lost when it grows. Returns whether it moved. Throws Error (device)
  /// when there is not enough, and then holds no memory.
  bool reserve(std::size_t bytes, const char* for_what);
  void release();
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  Kind kind_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Bytes of `count` values; on overflow the largest number, so that reserving them fails.
template <class T>
[[nodiscard]] constexpr std::size_t bytes_of(std::size_t count) {
  return count > SIZE_MAX / sizeof(T) ? SIZE_MAX : count * sizeof(T);
}

/// An array in such memory.
template <class T, Memory::Kind kKind>
class ArrayIn {
 public:
  bool reserve(std::size_t count, const char* for_what) { return memory_.reserve(bytes_of<T>(count), for_what); }
  void release() { memory_.release(); }
  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.data()); }
  [[nodiscard]] std::size_t capacity() const { return memory_.bytes() / sizeof(T); }

 private:
  Memory memory_{kKind};
};
template <class T>
using DeviceArray = ArrayIn<T, Memory::Kind::device>;
/// The device reads and writes it at the same address.
template <class T>
using PinnedArray = ArrayIn<T, Memory::Kind::host>;

/// A stream of its own, which does not wait for the default stream.
class OwnStream {
 public:
  OwnStream();
  ~OwnStream();
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A moment in a stream.
class Event {
 public:
  explicit Event(bool timed = false);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream);
  void wait();
  /// Milliseconds between two timed events that have both completed.
  [[nodiscard]] float since(const Event& earlier) const;

 private:
  cudaEvent_t event_ = nullptr;
};

/// Work that is captured once and replayed.
class Graph {
 public:
  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Captures what `work` puts on the given stream, replacing the old graph. If `work` throws, the graph is empty.
  void capture(const std::function<void(cudaStream_t)>& work);
  void launch(cudaStream_t stream) const;
  void clear();
  [[nodiscard]] bool empty() const { return executable_ == nullptr; }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace lamella::cuda
