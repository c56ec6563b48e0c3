#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <span>

namespace lamella::test {

/// An array so large that only the pages in use exist.
template <class T>
class Sparse {
 public:
  explicit Sparse(std::size_t count) : bytes_(count * sizeof(T)), count_(count) {
    data_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Sparse() {
    if (exists()) ::munmap(data_, bytes_);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  [[nodiscard]] bool exists() const { return data_ != MAP_FAILED; }
  [[nodiscard]] std::span<T> get() const { return {static_cast<T*>(data_), count_}; }

 private:
  std::size_t bytes_, count_;
  void* data_;
};

}  // namespace lamella::test
