#include "io/ply_header.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/messages.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {
namespace {

std::optional<PlyType> parse_type(std::string_view word) {
  struct Name {
    std::string_view word;
    PlyType type;
  };
  static constexpr Name kNames[] = {
      {"char", PlyType::int8},      {"uchar", PlyType::uint8},    {"short", PlyType::int16},
      {"ushort", PlyType::uint16},  {"int", PlyType::int32},      {"uint", PlyType::uint32},
      {"float", PlyType::float32},  {"double", PlyType::float64}, {"int8", PlyType::int8},
      {"uint8", PlyType::uint8},    {"int16", PlyType::int16},    {"uint16", PlyType::uint16},
      {"int32", PlyType::int32},    {"uint32", PlyType::uint32},  {"float32", PlyType::float32},
      {"float64", PlyType::float64}};
  for (const Name& name : kNames) {
    if (name.word == word) return name.type;
  }
  return std::nullopt;
}

PlyType to_type(const TextCursor& cursor, std::string_view word) {
  const auto type = parse_type(word);
  if (!type) cursor.fail_found("a property type (char uchar short ushort int uint float double)", excerpt(word));
  return *type;
}

PlyFormat read_format(TextCursor& cursor) {
  const std::string_view word = cursor.word();
  if (word == "ascii") return PlyFormat::ascii;
  if (word == "binary_little_endian") return PlyFormat::binary_little_endian;
  if (word == "binary_big_endian") return PlyFormat::binary_big_endian;
  cursor.fail_found("format ascii, binary_little_endian or binary_big_endian", excerpt(word));
}

std::string read_name(TextCursor& cursor, std::string_view expected) {
  const std::string_view word = cursor.word();
  if (word.empty()) cursor.fail(expected);
  return std::string(word);
}

PlyElement read_element(TextCursor& cursor) {
  PlyElement element;
  element.name = read_name(cursor, "an element's name");
  element.count = static_cast<std::uint64_t>(
      cursor.integer(0, std::numeric_limits<std::int64_t>::max(), "the number of rows of the element"));
  return element;
}

PlyProperty read_property(TextCursor& cursor) {
  PlyProperty property;
  std::string_view word = cursor.word();
  if (word == "list") {
    property.is_list = true;
    property.count_type = to_type(cursor, cursor.word());
    word = cursor.word();
  }
  property.type = to_type(cursor, word);
  property.name = read_name(cursor, "a property's name");
  return property;
}

PlyRole role_of(const PlyElement& element, const PlyProperty& property) {
  if (element.name == "vertex" && !property.is_list) {
    if (property.name == "x") return PlyRole::x;
    if (property.name == "y") return PlyRole::y;
    if (property.name == "z") return PlyRole::z;
  }
  const bool indices = property.name == "vertex_indices" || property.name == "vertex_index";
  if (element.name == "face" && property.is_list && indices) return PlyRole::corners;
  return PlyRole::ignored;
}

bool has_role(const PlyElement& element, PlyRole role) {
  return std::ranges::any_of(element.properties, [=](const PlyProperty& p) { return p.role == role; });
}

void add_property(TextCursor& cursor, MemoryLimit& memory, PlyHeader& header) {
  if (header.elements.empty()) cursor.fail_found("an \"element\" before its properties", "\"property\"");
  PlyElement& element = header.elements.back();
  PlyProperty property = read_property(cursor);
  property.role = role_of(element, property);
  if (property.role != PlyRole::ignored && has_role(element, property.role)) {
    cursor.fail_found("each property once", fmt::format("{} again", excerpt(property.name)));
  }
  memory.append(element.properties, std::move(property));
}

void add_element(TextCursor& cursor, MemoryLimit& memory, PlyHeader& header) {
  PlyElement element = read_element(cursor);
  // Only names that matter are looked for, each at most twice: a header may have very many elements.
  const bool known = element.name == "vertex" || element.name == "face";
  if (known && std::ranges::find(header.elements, element.name, &PlyElement::name) != header.elements.end()) {
    cursor.fail_found("each element once", fmt::format("{} again", excerpt(element.name)));
  }
  memory.append(header.elements, std::move(element));
}

/// One line behind "ply"; false for "end_header".
bool read_line(TextCursor& cursor, MemoryLimit& memory, PlyHeader& header, bool& has_format) {
  const std::string_view keyword = cursor.word();
  if (keyword == "end_header") return false;
  if (keyword == "format") {
    header.format = read_format(cursor);
    has_format = true;
  } else if (keyword == "element") {
    add_element(cursor, memory, header);
  } else if (keyword == "property") {
    add_property(cursor, memory, header);
  } else if (keyword != "comment" && keyword != "obj_info") {
    cursor.fail_found("a header line (format, element, property, comment or end_header)", excerpt(keyword));
  }
  return true;
}

void check_elements(const Source& source, PlyHeader& header) {
  const PlyElement* vertex = nullptr;
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex") vertex = &element;
    if (element.name == "face" && element.count > 0 && !has_role(element, PlyRole::corners)) {
      fail(source.name, "expected a list property \"vertex_indices\" of element \"face\", found none");
    }
  }
  if (vertex == nullptr) fail(source.name, "expected an element \"vertex\", found none");
  for (const PlyRole role : {PlyRole::x, PlyRole::y, PlyRole::z}) {
    if (!has_role(*vertex, role)) {
      fail(source.name, "expected properties x, y and z of element \"vertex\", found only some of them");
    }
  }
  if (vertex->count > kMaxVertices) {
    fail(source.name,
         fmt::format("expected at most {} vertices, found {}; split the mesh", kMaxVertices, vertex->count));
  }
  header.vertices = vertex->count;
}

}  // namespace

PlyHeader read_ply_header(const Source& source) {
  PlyHeader header;
  TextCursor cursor(source, {});
  if (const std::string_view magic = cursor.word(); magic != "ply") cursor.fail_found("\"ply\"", excerpt(magic));
  cursor.next_line();

  bool has_format = false;
  for (;;) {
    if (!cursor.next_content()) cursor.fail("\"end_header\"");
    if (!read_line(cursor, source.memory, header, has_format)) break;
    cursor.next_line();
  }
  if (!has_format) cursor.fail_found("a \"format\" line before the header's end", "none");
  // Only the end of the line: in a binary file the next byte is data already.
  cursor.next_line();
  header.data_offset = cursor.offset();
  header.data_line = cursor.line();
  check_elements(source, header);
  return header;
}

std::uint64_t min_row_bytes(const PlyElement& element) {
  std::uint64_t bytes = 0;
  for (const PlyProperty& p : element.properties) bytes += size_of(p.is_list ? p.count_type : p.type);
  return bytes;
}

}  // namespace lamella::io
