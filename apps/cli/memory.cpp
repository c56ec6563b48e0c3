#include "cli/memory.hpp"

#include <fmt/core.h>

#include <charconv>
#include <limits>

#include "lamella/error.hpp"

namespace lamella::cli {
namespace {

/// One for the program: files are read in many places, and the limit is the same in all.
std::optional<std::uint64_t> g_limit;

int shift_of(char suffix) {
  switch (suffix) {
    case 'K':
    case 'k':
      return 10;
    case 'M':
    case 'm':
      return 20;
    case 'G':
    case 'g':
      return 30;
    default:
      return 0;
  }
}

}  // namespace

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
  const int shift = text.empty() ? 0 : shift_of(text.back());
  const std::string_view digits = text.substr(0, text.size() - (shift == 0 ? 0 : 1));
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = failure == std::errc() && end == digits.data() + digits.size();
  if (!whole || value == 0 || value > std::numeric_limits<std::uint64_t>::max() >> shift) {
    throw Error(fmt::format("{}: '{}' is not a size; type a number from 1 of bytes, or with K, M or G behind it: 8G",
                            option, text));
  }
  return value << shift;
}

void add_memory_option(const Command& command) {
  command.add_text(
      "--max-memory", "SIZE", [](const std::string& text) { g_limit = parse_bytes("--max-memory", text); },
      "most memory that reading one file may take, such as 8G");
}

std::optional<std::uint64_t> memory_limit() { return g_limit; }

}  // namespace lamella::cli
