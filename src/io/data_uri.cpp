#include "io/data_uri.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace lamella::io {
namespace {

constexpr std::string_view kTypes[] = {"application/octet-stream", "application/gltf-buffer", "text/plain", ""};
constexpr std::uint8_t kNoDigit = 64;

consteval std::array<std::uint8_t, 256> digit_values() {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr auto kValues = digit_values();

/// Four digits make three bytes; two or three at the end make one or two.
std::optional<FileBytes> decode_base64(std::string_view text, MemoryLimit& memory) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  const std::size_t size = text.size() / 4 * 3 + (text.size() % 4 == 0 ? 0 : text.size() % 4 - 1);
  memory.take(size);
  FileBytes out(size);
  char* to = out.data();
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(c)];
    if (value == kNoDigit) return std::nullopt;
    bits = bits << 6 | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    *to++ = static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

}  // namespace

std::optional<FileBytes> decode_data_uri(std::string_view uri, MemoryLimit& memory) {
  constexpr std::string_view kScheme = "data:", kEncoding = ";base64,";
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  std::string_view type = uri.substr(kScheme.size(), comma + 1 - kScheme.size());
  if (!type.ends_with(kEncoding)) return std::nullopt;
  type.remove_suffix(kEncoding.size());
  if (std::ranges::find(kTypes, type) == std::end(kTypes)) return std::nullopt;
  return decode_base64(uri.substr(comma + 1), memory);
}

std::string decode_percent(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    std::uint8_t byte = 0;
    const char* digits = uri.data() + i + 1;
    const bool encoded =
        uri[i] == '%' && i + 2 < uri.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    out += encoded ? static_cast<char>(byte) : uri[i];
    if (encoded) i += 2;
  }
  return out;
}

bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
  };
  return std::isalpha(static_cast<unsigned char>(uri[0])) != 0 && std::ranges::all_of(uri.substr(0, colon), allowed);
}

}  // namespace lamella::io
