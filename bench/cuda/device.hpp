#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lamella/cuda.hpp"

// What `lamella bench cuda` needs of CUDA beside the library's own interface, without CUDA's headers. Where the program
// was built without CUDA, making a CudaDevice throws Error (device).

namespace lamella::bench {

/// One GPU with a stream, memory that lives as long as this does, and a clock on the device. All that is said to be on
/// the stream is done in order, after the call has returned.
class CudaDevice {
 public:
  /// The number is CUDA's: that of Options::device where the library can use all GPUs.
  explicit CudaDevice(std::optional<unsigned> number);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  [[nodiscard]] cuda::Stream stream() const;

  [[nodiscard]] void* allocate(std::size_t bytes);
  template <class T>
  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(allocate(count * sizeof(T)));
  }
  /// A copy on the device; waits for it.
  template <class T>
  [[nodiscard]] T* upload(std::span<const T> values) {
    T* there = allocate<T>(values.size());
    write(there, values.data(), values.size_bytes());
    return there;
  }
  void write(void* device, const void* host, std::size_t bytes);  ///< waits for it
  void read(void* host, const void* device, std::size_t bytes);   ///< likewise

  /// On the stream, from the device to the device.
  void copy(void* to, const void* from, std::size_t bytes);
  /// On the stream: replaces what is in the caches.
  void flush_caches();
  void synchronize();

  /// The stream stops here until let_go(): what is put on it in between runs without pauses for the host. Lets go by
  /// itself after some milliseconds, so that who waits in between is late, not stuck.
  void hold();
  /// False when the stream had gone on by itself.
  bool let_go();

  /// On the stream; milliseconds(), which waits, is the time from start() to stop() by the device's clock.
  void start();
  void stop();
  [[nodiscard]] double milliseconds();

  /// Bytes a second that a large copy within the device's memory reads and writes, both counted: the median of some.
  [[nodiscard]] double copy_bandwidth();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lamella::bench
