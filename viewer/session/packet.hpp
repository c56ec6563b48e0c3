#pragma once

// Packets: JSON, and arrays of numbers as bytes (viewer/PROTOCOL.md). They come from pages and files, so everything is
// checked against the size of what came.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "answer/json.hpp"
#include "lamella/mesh.hpp"

namespace lamella::session {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::byte>;

/// What the numbers of an array are.
enum class NumberType : std::uint8_t { f32, f64, u32, u16, u8 };
[[nodiscard]] std::string_view name_of(NumberType type);
[[nodiscard]] std::size_t size_of(NumberType type);

/// Of a C++ type: its numbers' type, and how many of them make one.
template <class T>
struct NumbersOf;
template <>
struct NumbersOf<float> {
  static constexpr NumberType type = NumberType::f32;
};
template <>
struct NumbersOf<Vec3> : NumbersOf<float> {};
template <>
struct NumbersOf<double> {
  static constexpr NumberType type = NumberType::f64;
};
template <>
struct NumbersOf<Vec3d> : NumbersOf<double> {};
template <>
struct NumbersOf<std::uint32_t> {
  static constexpr NumberType type = NumberType::u32;
};
template <>
struct NumbersOf<Triangle> : NumbersOf<std::uint32_t> {};
template <>
struct NumbersOf<std::uint8_t> {
  static constexpr NumberType type = NumberType::u8;
};
template <>
struct NumbersOf<std::byte> : NumbersOf<std::uint8_t> {};

/// A packet as it came; the arrays are inside its bytes, at any alignment.
struct Packet {
  Json json;
  std::vector<std::span<const std::byte>> arrays;
};

/// Throws Error for what is no packet, and for JSON that is nested or branched beyond reason.
[[nodiscard]] Packet read_packet(std::span<const std::byte> bytes);

/// Whether JSON means an array: an object with "array".
[[nodiscard]] bool is_array(const Json& value);

/// What JSON says about an array; `bytes` as they are in the packet.
struct ArrayOf {
  NumberType type = NumberType::u8;
  std::size_t count = 0;  ///< of numbers
  std::span<const std::byte> bytes;
};
/// Throws Error, which calls it `what`, when it is none or is not there. Does not compare `count` with the bytes: a
/// coded array has others.
[[nodiscard]] ArrayOf find_array(const Packet& packet, const Json& value, std::string_view what);

/// A copy of an array that is not coded. Throws Error when it has another type, or no whole number of elements.
[[nodiscard]] Bytes copy_array(const Packet& packet, const Json& value, NumberType type, std::size_t element,
                               std::string_view what);
template <class T>
[[nodiscard]] std::vector<T> read_array(const Packet& packet, const Json& value, std::string_view what) {
  static_assert(std::is_trivially_copyable_v<T>);
  const Bytes bytes = copy_array(packet, value, NumbersOf<T>::type, sizeof(T), what);
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), bytes.data(), bytes.size());
  return out;
}

/// The arrays of a packet that is being made.
class PacketWriter {
 public:
  /// Takes the array, and returns what stands for it in the JSON.
  template <class T>
  [[nodiscard]] Json add(std::vector<T> numbers) {
    const auto kept = std::make_shared<std::vector<T>>(std::move(numbers));
    return add_bytes(std::as_bytes(std::span(*kept)), NumbersOf<T>::type, kept);
  }
  /// The same of an array that lives until finish().
  template <class T>
  [[nodiscard]] Json add_view(std::span<const T> numbers) {
    return add_bytes(std::as_bytes(numbers), NumbersOf<T>::type, nullptr);
  }
  [[nodiscard]] Json add_bytes(std::span<const std::byte> bytes, NumberType type, std::shared_ptr<const void> owner);
  /// Bytes that are no plain numbers; `value` gets their place.
  void add_coded(Bytes bytes, Json& value);

  void finish(const Json& json, Bytes& out) const;

 private:
  struct Entry {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };
  std::vector<Entry> arrays_;
};

}  // namespace lamella::session
