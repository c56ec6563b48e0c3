#include <fmt/format.h>

#include "io/formats.hpp"
#include "io/messages.hpp"
#include "io/ply_header.hpp"
#include "io/ply_rows.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {
namespace {

/// One row per line, so that a wrong number of values is found in the line that has it.
class TextRows {
 public:
  TextRows(const Source& source, const PlyHeader& header)
      : wide_(source.wide), cursor_(source, {}, header.data_offset, header.data_line) {}

  [[nodiscard]] std::size_t remaining() const { return cursor_.remaining(); }
  void check_count(const PlyElement& element) {
    // A value takes two bytes with its separator, which only the file's last may lack; a list may be empty.
    if (fits(element.count, 2 * element.properties.size(), cursor_.remaining() + 1)) return;
    cursor_.fail_found(fmt::format("{} rows of element {}", element.count, excerpt(element.name)),
                       fmt::format("{} bytes", cursor_.remaining()));
  }

  void begin_row(const PlyElement& element, std::uint64_t row) {
    if (cursor_.next_content()) return;
    cursor_.fail(
        fmt::format("{} rows of element {} (this would be number {})", element.count, excerpt(element.name), row + 1));
  }
  void end_row() {
    if (!cursor_.at_line_end()) cursor_.fail("the end of the line: the header declares no more values");
    cursor_.next_line();
  }
  double coordinate(PlyType) { return wide_ ? cursor_.wide_coordinate() : double{cursor_.coordinate()}; }
  std::uint64_t list_count(const PlyProperty&) {
    const auto most = static_cast<std::int64_t>(cursor_.remaining() / 2);
    return static_cast<std::uint64_t>(cursor_.integer(0, most, "the number of values of a list"));
  }
  std::uint32_t index(PlyType, std::uint64_t vertices) {
    return static_cast<std::uint32_t>(
        cursor_.integer(0, static_cast<std::int64_t>(vertices) - 1, "a vertex index below the number of vertices"));
  }
  void skip(PlyType, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (cursor_.word().empty()) cursor_.fail("a value for every property");
    }
  }
  [[noreturn]] void fail_polygon(std::uint64_t count) {
    cursor_.fail_found("a face of at least 3 vertices", std::to_string(count));
  }

 private:
  bool wide_;
  TextCursor cursor_;
};

FileMesh read_ply_ascii(const Source& source, const PlyHeader& header) {
  FileMesh mesh;
  TextRows rows(source, header);
  for (const PlyElement& element : header.elements) {
    rows.check_count(element);
    reserve(source, element, rows.remaining(), mesh);
    read_rows(rows, source, element, 0, element.count, header.vertices, mesh);
  }
  return mesh;
}

bool has_floats(const PlyHeader& header) {
  for (const PlyElement& element : header.elements)
    for (const PlyProperty& property : element.properties)
      if (property.role == PlyRole::x) return property.type == PlyType::float32;
  return false;
}

}  // namespace

FileMesh read_ply(const Source& source) {
  const PlyHeader header = read_ply_header(source);
  FileMesh mesh = header.format == PlyFormat::ascii ? read_ply_ascii(source, header) : read_ply_binary(source, header);
  mesh.floats = has_floats(header);
  return mesh;
}

}  // namespace lamella::io
