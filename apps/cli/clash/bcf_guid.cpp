// SHA-1 as in RFC 3174, for names alone: nothing here needs to be safe from forgery.

#include "cli/clash/bcf_guid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace lamella::cli {
namespace {

using Digest = std::array<std::uint32_t, 5>;

std::uint32_t word_at(std::string_view block, std::size_t i) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k) word = word << 8 | static_cast<unsigned char>(block[4 * i + k]);
  return word;
}

void add_block(Digest& digest, std::string_view block) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block, i);
  for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = digest;
  for (std::size_t i = 0; i < 80; ++i) {
    const std::uint32_t f = i < 20   ? (b & c) | (~b & d)
                            : i < 40 ? b ^ c ^ d
                            : i < 60 ? (b & c) | (b & d) | (c & d)
                                     : b ^ c ^ d;
    const std::uint32_t k = i < 20 ? 0x5A827999 : i < 40 ? 0x6ED9EBA1 : i < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  digest = {digest[0] + a, digest[1] + b, digest[2] + c, digest[3] + d, digest[4] + e};
}

Digest sha1(std::string text) {
  const std::uint64_t bits = std::uint64_t{8} * text.size();
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 0xFF);
  Digest digest{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  for (std::size_t i = 0; i < text.size(); i += 64) add_block(digest, std::string_view(text).substr(i, 64));
  return digest;
}

}  // namespace

std::string guid_of(std::string_view name, std::string_view name_space) {
  Digest d = sha1(std::string(name_space) + std::string(name));
  d[1] = (d[1] & 0xFFFF0FFF) | 0x5000;      // version 5
  d[2] = (d[2] & 0x3FFFFFFF) | 0x80000000;  // the variant of RFC 9562
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:04x}{:08x}", d[0], d[1] >> 16, d[1] & 0xFFFF, d[2] >> 16,
                     d[2] & 0xFFFF, d[3]);
}

std::string guid_of(std::string_view name) { return guid_of(name, "lamella clash v1"); }

bool is_ifc_guid(std::string_view name) {
  constexpr std::size_t kLength = 22;  // 128 bits, six in each character but the first
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '$';
  };
  return name.size() == kLength && name[0] >= '0' && name[0] <= '3' && std::all_of(name.begin(), name.end(), allowed);
}

}  // namespace lamella::cli
