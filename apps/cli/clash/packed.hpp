#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lamella::cli {

/// What goes to other processes of a job, which run the same program: plain values as they are in memory.
class Packer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { add(&value, sizeof value); }
  template <class T>
  void put_all(std::span<const T> values) {
    put(std::uint64_t{values.size()});
    add(values.data(), values.size_bytes());
  }
  void put_text(std::string_view text) { put_all(std::span<const char>(text)); }

  void reserve(std::uint64_t bytes) { bytes_.reserve(bytes); }
  [[nodiscard]] std::vector<char> take() { return std::move(bytes_); }

 private:
  void add(const void* data, std::size_t size) {
    const char* begin = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }

  std::vector<char> bytes_;
};

/// Takes what was put, in the same order.
class Unpacker {
 public:
  explicit Unpacker(std::span<const char> bytes) : left_(bytes) {}

  [[nodiscard]] bool empty() const { return left_.empty(); }
  template <class T>
  [[nodiscard]] T take() {
    T value;
    copy(&value, sizeof value);
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> take_all() {
    std::vector<T> values(take<std::uint64_t>());
    copy(values.data(), values.size() * sizeof(T));
    return values;
  }
  [[nodiscard]] std::string take_text() {
    std::string text(take<std::uint64_t>(), '\0');
    copy(text.data(), text.size());
    return text;
  }

 private:
  void copy(void* to, std::size_t size) {
    if (size == 0) return;
    std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }

  std::span<const char> left_;
};

}  // namespace lamella::cli
