#include <fmt/format.h>

#include "lamella/file.hpp"

namespace lamella {
namespace {

struct Decoded {
  char32_t character = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8
};

/// The first character of a text that is not empty.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xc2 || first > 0xf4) return {};
  const std::size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  char32_t character = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // fewer bytes would do for what is below
  if (character < kLeast[bytes] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) return {};
  return {character, bytes};
}

/// Control characters, ends of lines and of paragraphs, and marks of direction, which can make a name look like
/// another.
bool steers_a_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

std::string spelt(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.bytes == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (steers_a_terminal(next.character)) {
      out += spelt(next.character);
    } else {
      out += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes == 0 ? 1 : next.bytes);
  }
  return out;
}

}  // namespace lamella
