#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lamella::mpi {

using Bytes = std::vector<char>;

// What goes from one process to another, in the order in which it was written. All processes run the same program, so
// that plain structs travel as they are in memory.

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

template <Plain T>
void put(Bytes& to, const T& value) {
  const char* begin = reinterpret_cast<const char*>(&value);
  to.insert(to.end(), begin, begin + sizeof value);
}

template <Plain T>
void put_all(Bytes& to, std::span<const T> values) {
  put(to, std::uint64_t{values.size()});
  const char* begin = reinterpret_cast<const char*>(values.data());
  to.insert(to.end(), begin, begin + values.size_bytes());
}

inline void put(Bytes& to, std::string_view text) { put_all(to, std::span<const char>(text)); }

/// Takes what was put, in the same order.
class Taker {
 public:
  explicit Taker(std::span<const char> bytes) : left_(bytes) {}

  [[nodiscard]] bool empty() const { return left_.empty(); }

  template <Plain T>
  void take(T& value) {
    std::memcpy(&value, left_.data(), sizeof value);
    left_ = left_.subspan(sizeof value);
  }
  template <Plain T>
  [[nodiscard]] T take() {
    T value;
    take(value);
    return value;
  }
  template <Plain T>
  void take_all(std::vector<T>& values) {
    values.resize(take<std::uint64_t>());
    if (values.empty()) return;
    std::memcpy(values.data(), left_.data(), values.size() * sizeof(T));
    left_ = left_.subspan(values.size() * sizeof(T));
  }
  [[nodiscard]] std::string take_text() {
    const auto size = take<std::uint64_t>();
    std::string text(left_.data(), size);
    left_ = left_.subspan(size);
    return text;
  }

 private:
  std::span<const char> left_;
};

}  // namespace lamella::mpi
