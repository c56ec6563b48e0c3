#include <algorithm>
#include <cctype>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/messages.hpp"
#include "io/text_cursor.hpp"
#include "io/weld.hpp"

namespace lamella::io {
namespace {

// Binary: 80 bytes of anything, the number of triangles, and for each its normal, three corners and two spare bytes.
constexpr std::size_t kHeaderBytes = 84;
constexpr std::size_t kNormalBytes = 12;
constexpr std::size_t kFacetBytes = 50;

bool equals_ignoring_case(std::string_view word, std::string_view lower) {
  return std::ranges::equal(word, lower, [](unsigned char a, char b) { return std::tolower(a) == b; });
}

std::uint32_t declared_facets(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kHeaderBytes - sizeof count, sizeof count);
  return count;
}

/// Bytes of a binary file by its count of facets; 0 when it is too short to have one.
std::uint64_t declared_size(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return 0;
  return kHeaderBytes + kFacetBytes * std::uint64_t{declared_facets(bytes)};
}

/// Binary files may begin with "solid" too, so the size decides; a wrong size is then told from text by a zero byte.
bool is_ascii(std::string_view bytes) {
  if (declared_size(bytes) == bytes.size()) return false;
  std::string_view opening = bytes.substr(0, 1024);
  if (opening.starts_with(kByteOrderMark)) opening.remove_prefix(kByteOrderMark.size());
  const std::size_t start = opening.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && equals_ignoring_case(opening.substr(start, 5), "solid") &&
         opening.find('\0') == std::string_view::npos;
}

template <class Point>
void add_corner(const Source& source, Welder<Point>& welder, std::uint32_t& corner, Point p) {
  if (welder.size() >= kMaxVertices) fail(source.name, "more vertices than 32-bit indices can name; split it");
  corner = welder.add(p);
}

template <class Point>
Point read_corner(const Source& source, std::size_t offset) {
  Vec3 p;
  std::memcpy(&p, source.bytes.data() + offset, sizeof p);
  for (int axis = 0; source.finite && axis < 3; ++axis) {
    if (!std::isfinite(p[axis])) {
      fail_at_byte(source.name, offset + static_cast<std::size_t>(axis) * sizeof(float),
                   fmt::format("expected a finite coordinate, found {}", p[axis]));
    }
  }
  return {p.x, p.y, p.z};
}

template <class Point>
FileMesh read_binary(const Source& source, std::vector<Point> FileMesh::*positions) {
  if (declared_size(source.bytes) != source.bytes.size()) check_encoding(source.bytes, source.name);
  if (source.bytes.size() < kHeaderBytes) {
    fail_at_byte(source.name, source.bytes.size(),
                 "expected \"solid\" (ASCII STL) or a binary header of 84 bytes, found the end of the file");
  }
  const std::uint32_t facets = declared_facets(source.bytes);
  if (!fits(facets, kFacetBytes, source.bytes.size() - kHeaderBytes)) {
    fail_at_byte(source.name, kHeaderBytes - sizeof facets,
                 fmt::format("expected {} triangles ({} bytes), found a file of {} bytes; it is cut off, or not STL",
                             facets, declared_size(source.bytes), source.bytes.size()));
  }
  FileMesh mesh;
  mesh.floats = true;
  source.memory.reserve(mesh.triangles, facets);
  mesh.triangles.resize(facets);
  Welder<Point> welder(mesh.*positions, source.memory, facets / 2);
  std::size_t offset = kHeaderBytes;
  for (Triangle& t : mesh.triangles) {
    const std::size_t corners = offset + kNormalBytes;
    add_corner(source, welder, t.a, read_corner<Point>(source, corners));
    add_corner(source, welder, t.b, read_corner<Point>(source, corners + sizeof(Vec3)));
    add_corner(source, welder, t.c, read_corner<Point>(source, corners + 2 * sizeof(Vec3)));
    offset += kFacetBytes;
    source.progress.at(offset);
  }
  return mesh;
}

void expect(TextCursor& cursor, std::string_view keyword) {
  if (!cursor.next_content()) cursor.fail(excerpt(keyword));
  const std::string_view word = cursor.word();
  if (!equals_ignoring_case(word, keyword)) cursor.fail_found(excerpt(keyword), excerpt(word));
}

/// From behind "facet" to behind "endfacet". The normal is not read: it follows from the corners, and is often NaN.
template <class Point>
Triangle read_facet(const Source& source, TextCursor& cursor, Welder<Point>& welder) {
  cursor.next_line();
  expect(cursor, "outer");
  expect(cursor, "loop");
  Triangle t;
  for (std::uint32_t* corner : {&t.a, &t.b, &t.c}) {
    expect(cursor, "vertex");
    if constexpr (std::is_same_v<Point, Vec3>) {
      add_corner(source, welder, *corner, cursor.position());
    } else {
      add_corner(source, welder, *corner, cursor.wide_position());
    }
  }
  expect(cursor, "endloop");
  expect(cursor, "endfacet");
  return t;
}

template <class Point>
FileMesh read_ascii(const Source& source, std::vector<Point> FileMesh::*positions) {
  FileMesh mesh;
  Welder<Point> welder(mesh.*positions, source.memory, source.bytes.size() / 512);
  TextCursor cursor(source, {});
  while (cursor.next_content()) {
    expect(cursor, "solid");
    cursor.next_line();
    for (;;) {
      if (!cursor.next_content()) cursor.fail("\"facet\" or \"endsolid\"");
      const std::string_view word = cursor.word();
      if (equals_ignoring_case(word, "endsolid")) break;
      if (!equals_ignoring_case(word, "facet")) cursor.fail_found("\"facet\" or \"endsolid\"", excerpt(word));
      source.memory.append(mesh.triangles, read_facet(source, cursor, welder));
    }
    cursor.next_line();
  }
  return mesh;
}

}  // namespace

FileMesh read_stl(const Source& source) {
  const bool ascii = is_ascii(source.bytes);
  if (source.wide) return ascii ? read_ascii(source, &FileMesh::wide) : read_binary(source, &FileMesh::wide);
  return ascii ? read_ascii(source, &FileMesh::positions) : read_binary(source, &FileMesh::positions);
}

}  // namespace lamella::io
