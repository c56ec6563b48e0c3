#pragma once

// What the tests of the CUDA engine share. They are built twice: for the GPU, where they skip if there is none, and for
// the emulation on the CPU, where they always run.

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lamella/cuda.hpp"

namespace lamella::test {

/// The emulation is a few thousand times slower than a GPU: smaller work there.
#if defined(LAMELLA_CUDA_EMULATION)
inline constexpr bool kEmulated = true;
#else
inline constexpr bool kEmulated = false;
#endif

/// Skips where there is no GPU, and leaves no error or setting behind for the next test.
class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = cuda::unavailable(); !why.empty()) GTEST_SKIP() << "CUDA is not available: " << why;
  }
  void TearDown() override {
#if defined(LAMELLA_CUDA_EMULATION)
    cuda_emulation::reset();
#endif
    (void)cudaGetLastError();
  }
};

/// An array in device memory with the values it was made from.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t count) : count_(count) {
    if (count == 0) return;
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), cudaSuccess);
  }
  explicit OnDevice(std::span<const T> values) : OnDevice(values.size()) { write(values); }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(std::span<const T>(values)) {}
  ~OnDevice() { (void)cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  /// Not more values than there are.
  void write(std::span<const T> values) {
    EXPECT_EQ(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice), cudaSuccess);
  }
  /// Waits for what is on any stream.
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace lamella::test
