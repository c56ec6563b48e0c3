#include <cctype>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/messages.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {
namespace {

/// Faces may name vertices that come later, so the highest index is checked at the end; this remembers where it was.
struct HighestIndex {
  std::uint64_t index = 0;  ///< counted from 1, as in the file
  std::size_t line = 0;
};

[[noreturn]] void fail_corner(const TextCursor& cursor, std::string_view word) {
  cursor.fail_found("a vertex index (\"1\", \"1/2\", \"1//3\" or \"1/2/3\")", excerpt(word));
}

/// Whether this can be the "/vt", "//vn" or "/vt/vn" of a corner, whose numbers do not matter here.
bool is_suffix(std::string_view text) {
  return text.front() == '/' && text.find_first_not_of("-0123456789/") == std::string_view::npos;
}

/// The zero-based vertex of "v", "v/vt", "v//vn" or "v/vt/vn"; negative counts back from the last vertex so far.
std::uint32_t parse_corner(const TextCursor& cursor, std::string_view word, std::size_t vertices,
                           HighestIndex& highest) {
  std::int64_t index = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, index);
  const bool plain = stop == end;
  if (error != std::errc{} || (!plain && !is_suffix({stop, static_cast<std::size_t>(end - stop)})))
    fail_corner(cursor, word);

  if (index < 0) {
    // No overflow: a file has far fewer than 2^63 vertices.
    index += static_cast<std::int64_t>(vertices) + 1;
    if (index < 1) cursor.fail_found(fmt::format("a vertex index not below -{}", vertices), excerpt(word));
  }
  if (index < 1 || static_cast<std::uint64_t>(index) > kMaxVertices) {
    cursor.fail_found("a vertex index from 1", excerpt(word));
  }
  if (const auto positive = static_cast<std::uint64_t>(index); positive > highest.index) {
    highest = {positive, cursor.line()};
  }
  return static_cast<std::uint32_t>(index - 1);
}

void read_face(TextCursor& cursor, MemoryLimit& memory, FileMesh& mesh, HighestIndex& highest) {
  Fan fan(mesh.triangles, memory);
  for (std::string_view word = cursor.word(); !word.empty(); word = cursor.word()) {
    fan.add(parse_corner(cursor, word, mesh.vertex_count(), highest));
  }
  if (fan.corners() < 3) cursor.fail_found("a face of at least 3 vertices", std::to_string(fan.corners()));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// Statement "o" begins an object, outside all groups; "g" names the group of the faces that follow.
void mark_part(const TextCursor& cursor, bool object, MemoryLimit& memory, FileMesh& mesh) {
  PartMark mark = mesh.marks.empty() ? PartMark{} : mesh.marks.back();
  mark.triangle = mesh.triangles.size();
  if (object) {
    mark.object = mesh.marks.empty() ? 1 : mark.object + 1;
    mark.name = trimmed(cursor.rest_of_line());
    mark.group = {};
  } else {
    mark.group = trimmed(cursor.rest_of_line());
  }
  memory.append(mesh.marks, mark);
}

bool starts_like_number(std::string_view word) {
  const char c = word.front();
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.';
}

}  // namespace

FileMesh read_obj(const Source& source) {
  FileMesh mesh;
  HighestIndex highest;
  TextCursor cursor(source, {.comment = '#', .continuation = true});
  for (bool first = true; cursor.next_content(); first = false) {
    const std::string_view statement = cursor.word();
    if (statement == "v") {
      cursor.append_position(mesh);
    } else if (statement == "f") {
      read_face(cursor, source.memory, mesh, highest);
    } else if (source.parts && (statement == "o" || statement == "g")) {
      mark_part(cursor, statement == "o", source.memory, mesh);
    } else if (!first && starts_like_number(statement)) {
      // On the first line alone, bare counts are let pass: some collision libraries write them.
      cursor.fail_found("a statement such as \"v\" or \"f\"", excerpt(statement));
    }
    cursor.next_line();
  }
  if (highest.index > mesh.vertex_count()) {
    fail_at_line(source.name, highest.line,
                 fmt::format("expected a vertex index of at most {} (the file's vertices), found {}",
                             mesh.vertex_count(), highest.index));
  }
  return mesh;
}

}  // namespace lamella::io
