#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

// EBML (RFC 8794), the encoding of Matroska and WebM: elements of a number, a size and content, nested.

namespace lamella::picture {

using Bytes = std::vector<std::uint8_t>;

inline void put_big_endian(Bytes& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

/// The element's number as the specification writes it, with its marker.
inline void put_id(Bytes& out, std::uint32_t id) {
  put_big_endian(out, id, id > 0xFFFFFF ? 4 : id > 0xFFFF ? 3 : id > 0xFF ? 2 : 1);
}

/// A size in eight bytes, which can be replaced later whatever it is then.
inline void put_size(Bytes& out, std::uint64_t size) { put_big_endian(out, size | std::uint64_t{1} << 56, 8); }

inline void put_element(Bytes& out, std::uint32_t id, const Bytes& content) {
  put_id(out, id);
  put_size(out, content.size());
  out.insert(out.end(), content.begin(), content.end());
}

inline void put_number(Bytes& out, std::uint32_t id, std::uint64_t value) {
  Bytes content;
  put_big_endian(content, value, 8);
  put_element(out, id, content);
}

inline void put_float(Bytes& out, std::uint32_t id, double value) {
  put_number(out, id, std::bit_cast<std::uint64_t>(value));
}

inline void put_text(Bytes& out, std::uint32_t id, std::string_view text) {
  put_element(out, id, Bytes(text.begin(), text.end()));
}

}  // namespace lamella::picture
