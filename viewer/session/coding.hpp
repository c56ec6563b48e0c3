#pragma once

// Arrays as bytes that compress well, for files (viewer/PROTOCOL.md, "A saved view").

#include <cstdint>
#include <span>
#include <vector>

#include "session/packet.hpp"

namespace lamella::session {

/// An array of numbers in its own memory.
struct Numbers {
  NumberType type = NumberType::u8;
  Bytes bytes;
};

enum class Loss : std::uint8_t {
  none,
  steps,  ///< floats in threes may be rounded to 16-bit steps of their box
};

/// Codes an array, adds it to the packet, and returns what stands for it in the JSON.
[[nodiscard]] Json add_coded(PacketWriter& writer, std::span<const std::byte> bytes, NumberType type,
                             Loss loss = Loss::none);
template <class T>
[[nodiscard]] Json add_coded(PacketWriter& writer, std::span<const T> numbers, Loss loss = Loss::none) {
  return add_coded(writer, std::as_bytes(numbers), NumbersOf<T>::type, loss);
}

/// An array of a packet, coded or not. Takes no more than twice the memory of what is in the packet. Throws Error,
/// which calls it `what`.
[[nodiscard]] Numbers decode(const Packet& packet, const Json& value, std::string_view what);

/// The same as elements. Throws Error when it is of another type, or no whole number of elements.
[[nodiscard]] Bytes decode_as(const Packet& packet, const Json& value, NumberType type, std::size_t element,
                              std::string_view what);
template <class T>
[[nodiscard]] std::vector<T> decode_array(const Packet& packet, const Json& value, std::string_view what) {
  const Bytes bytes = decode_as(packet, value, NumbersOf<T>::type, sizeof(T), what);
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), bytes.data(), bytes.size());
  return out;
}

}  // namespace lamella::session
