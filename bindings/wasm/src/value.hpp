#pragma once

// What JavaScript and the module say to each other: values as in JSON, in bytes, with arrays of numbers by reference.
//
//   0 null   1 false   2 true
//   3 number        f64
//   4 text          u32 bytes, UTF-8
//   5 list          u32 count, values
//   6 record        u32 count, each: text (without its tag), value
//   7 array         u8 kind (Kind), u32 address, u32 count: numbers in the module's memory
//
// Little-endian, not aligned. Numbers in doubles, so that every bit of an answer arrives.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lamella/error.hpp"

namespace lamella::wasm {

enum class Kind : std::uint8_t { u8, u16, u32, f32, f64 };

template <class T>
inline constexpr Kind kKindOf = sizeof(T) == 8                ? Kind::f64
                                : std::is_floating_point_v<T> ? Kind::f32
                                : sizeof(T) == 4              ? Kind::u32
                                : sizeof(T) == 2              ? Kind::u16
                                                              : Kind::u8;

struct Array {
  Kind kind = Kind::u8;
  std::uint32_t address = 0;
  std::uint32_t count = 0;

  /// Its numbers as `T`s of several of them. Throws Error when they are of another kind, or the last `T` is not whole.
  template <class T, class Number>
  [[nodiscard]] std::span<T> of(const char* name) const {
    check(name, kKindOf<Number>, sizeof(T) / sizeof(Number));
    return {reinterpret_cast<T*>(address), count * sizeof(Number) / sizeof(T)};
  }
  void check(const char* name, Kind expected, std::size_t numbers) const;  ///< `numbers` of an item: 1 or 3
};

class Value {
 public:
  using List = std::vector<Value>;
  using Record = std::vector<std::pair<std::string_view, Value>>;

  Value() = default;
  template <class T>
  explicit Value(T x) : is_(std::move(x)) {}

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(is_); }
  template <class T>
  [[nodiscard]] const T* get() const {
    return std::get_if<T>(&is_);
  }
  /// A member of a record; null when it is not there.
  [[nodiscard]] const Value& operator[](std::string_view name) const;

 private:
  std::variant<std::monostate, bool, double, std::string_view, List, Record, Array> is_;
};

/// Texts stay where the bytes are.
[[nodiscard]] Value decode(std::span<const std::byte> bytes);

class Writer {
 public:
  void null() { tag(0); }
  void boolean(bool x) { tag(x ? 2 : 1); }
  void number(double x);
  void text(std::string_view x);
  void array(Kind kind, const void* data, std::size_t count);
  void list(std::size_t count);
  /// Returns where its count goes: end_record().
  std::size_t begin_record();
  void end_record(std::size_t at, std::uint32_t count) { std::memcpy(&bytes_[at], &count, sizeof count); }
  void name(std::string_view x);

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void tag(std::uint8_t x) { append(&x, sizeof x); }
  void count(std::size_t x);
  void append(const void* data, std::size_t size);

  std::vector<std::byte> bytes_;
};

}  // namespace lamella::wasm
