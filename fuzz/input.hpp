#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

namespace lamella::fuzz {

/// The bytes that libFuzzer made, as values one after the other. After the end everything is 0.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t n = rest_.size() < sizeof value ? rest_.size() : sizeof value;
    if (n > 0) std::memcpy(&value, rest_.data(), n);
    rest_ = rest_.subspan(n);
    return value;
  }
  /// From 0 to count - 1.
  std::size_t below(std::size_t count) {
    return count <= 256 ? take<std::uint8_t>() % count : take<std::uint16_t>() % count;
  }
  bool flag() { return (take<std::uint8_t>() & 1) != 0; }
  std::span<const std::uint8_t> rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::span<const std::uint8_t> rest_;
};

/// Ends the run when a rule of the library does not hold: libFuzzer keeps the input.
inline void require(bool holds, std::string_view rule) {
  if (holds) return;
  std::fprintf(stderr, "broken rule: %.*s\n", static_cast<int>(rule.size()), rule.data());
  std::abort();
}

}  // namespace lamella::fuzz
