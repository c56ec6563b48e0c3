#include "cli/html/fill.hpp"

#include <fmt/core.h>

#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::cli {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kTitle = "<title>", kTitleEnd = "</title>", kScriptEnd = "</script>";

[[noreturn]] void fail(std::string_view what) {
  throw Error(fmt::format(
      "the viewer's page does not have {} once: it is of another version; `./run web` makes it anew", what));
}

/// Where `what` is, once.
std::size_t find_once(std::string_view page, std::string_view what) {
  const std::size_t at = page.find(what);
  if (at == std::string_view::npos || page.find(what, at + 1) != std::string_view::npos) fail(what);
  return at;
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    unsigned group = std::to_integer<unsigned>(bytes[i]) << 16;
    if (left > 1) group |= std::to_integer<unsigned>(bytes[i + 1]) << 8;
    if (left > 2) group |= std::to_integer<unsigned>(bytes[i + 2]);
    out += kDigits[group >> 18];
    out += kDigits[group >> 12 & 63];
    out += left > 1 ? kDigits[group >> 6 & 63] : '=';
    out += left > 2 ? kDigits[group & 63] : '=';
  }
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string fill_page(std::string_view page, std::string_view title, std::string_view marker,
                      std::string_view content) {
  if (content.find("</") != std::string_view::npos) throw Error("what goes into a page would end its element");
  const std::size_t at = find_once(page, marker);
  const std::size_t inside = at + marker.size() - kScriptEnd.size();
  const std::size_t title_at = page.find(kTitle);  // the first: scripts further down may have the word
  const std::size_t title_end = page.find(kTitleEnd);
  if (title_at == std::string_view::npos || title_end < title_at || title_end > at) fail("a title before its data");
  std::string out;
  out.reserve(page.size() + title.size() + content.size());
  out += page.substr(0, title_at + kTitle.size());
  out += escape_html(title);
  out += page.substr(title_end, inside - title_end);
  out += content;
  out += page.substr(inside);
  return out;
}

}  // namespace lamella::cli
