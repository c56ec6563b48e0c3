#include <fmt/format.h>

#include "io/formats.hpp"
#include "io/messages.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

/// Whether a line has both blanks between its numbers and a comma inside a word, as "1,5 2,5 3,5" has. The comma may
/// then stand before decimals, or between numbers.
bool is_ambiguous(std::string_view line) {
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) return false;
  bool inside = false, blanks = false;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    inside |= line[i] == ',' && !is_blank(line[i - 1]) && !is_blank(line[i + 1]);
    blanks |= is_blank(line[i]);
  }
  return inside && blanks;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kBlanks), end = line.find_last_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin, end + 1 - begin);
}

}  // namespace

FileMesh read_xyz(const Source& source) {
  FileMesh mesh;
  TextCursor cursor(source, {.comment = '#', .commas = true});
  while (cursor.next_content()) {
    if (const std::string_view line = trimmed(cursor.rest_of_line()); is_ambiguous(line)) {
      cursor.fail_found(
          "coordinates whose commas cannot be mistaken for decimal points (\"1.5 2.5 3.5\", "
          "\"1.5,2.5,3.5\" or \"1.5, 2.5, 3.5\")",
          excerpt(line));
    }
    cursor.append_position(mesh);
    cursor.next_line();
  }
  return mesh;
}

}  // namespace lamella::io
