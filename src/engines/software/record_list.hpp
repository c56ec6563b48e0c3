#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace lamella::software {

/// A growing array that kernels write to: room for several records is made at once, and is not initialised.
template <class Record>
class RecordList {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Record* data() const { return data_.get(); }
  void clear() { size_ = 0; }
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) move_to(capacity);
  }

  /// Where the next records go, with room for `count`. Call added() with how many were written.
  [[nodiscard]] Record* room(std::size_t count) {
    if (size_ + count > capacity_) move_to(std::max(size_ + count, capacity_ + capacity_ / 2));
    return data_.get() + size_;
  }
  void added(std::size_t count) { size_ += count; }
  void add(const Record& record) {
    *room(1) = record;
    added(1);
  }

 private:
  void move_to(std::size_t capacity) {
    auto data = std::make_unique_for_overwrite<Record[]>(capacity);
    std::copy_n(data_.get(), size_, data.get());
    data_ = std::move(data);
    capacity_ = capacity;
  }

  std::unique_ptr<Record[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace lamella::software
