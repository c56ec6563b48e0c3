#include "io/messages.hpp"

#include <fmt/format.h>

#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::io {
namespace {

constexpr std::size_t kExcerptBytes = 40;

void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += fmt::format("\\x{:02x}", c);
  }
}

}  // namespace

std::string display(const std::filesystem::path& path) { return printable(path.string()); }

void check_path(const std::filesystem::path& path) {
  if (path.native().find('\0') == std::string::npos) return;
  fail(display(path), "the path contains a NUL character, which no file's name can have; remove it");
}

std::string one_line(std::string_view text, std::size_t limit) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::string out;
  for (const char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      append_escaped(out, byte);
    } else {
      out += c;
    }
  }
  if (text.size() > limit) out += "...";
  return out;
}

std::string excerpt(std::string_view text) { return '"' + one_line(text, kExcerptBytes) + '"'; }

void fail(std::string_view name, std::string_view message) { throw Error(fmt::format("{}: {}", name, message)); }

void fail_at_line(std::string_view name, std::size_t line, std::string_view message) {
  throw Error(fmt::format("{}:{}: {}", name, line, message));
}

void fail_at_byte(std::string_view name, std::size_t byte, std::string_view message) {
  throw Error(fmt::format("{}: byte {}: {}", name, byte, message));
}

}  // namespace lamella::io
