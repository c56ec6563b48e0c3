#include <algorithm>
#include <cctype>
#include <cstring>

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

void add_corner(const Source& source, Welder& welder, Mesh& mesh, std::uint32_t& corner, Vec3 p) {
  if (mesh.positions.size() >= kMaxVertices) fail(source.name, "more vertices than 32-bit indices can name; split it");
  corner = welder.add(p);
}

Vec3 read_corner(const Source& source, std::size_t offset) {
  Vec3 p;
  std::memcpy(&p, source.bytes.data() + offset, sizeof p);
  for (int axis = 0; source.finite && axis < 3; ++axis) {
    if (!std::isfinite(p[axis])) {
      fail_at_byte(source.name, offset + static_cast<std::size_t>(axis) * sizeof(float),
                   fmt::format("expected a finite coordinate, found {}", p[axis]));
    }
  }
  return p;
}

Mesh read_binary(const Source& source) {
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
  Mesh mesh;
  source.memory.reserve(mesh.triangles, facets);
  mesh.triangles.resize(facets);
  Welder welder(mesh.positions, source.memory, facets / 2);
  std::size_t offset = kHeaderBytes;
  for (Triangle& t : mesh.triangles) {
    const std::size_t corners = offset + kNormalBytes;
    add_corner(source, welder, mesh, t.a, read_corner(source, corners));
    add_corner(source, welder, mesh, t.b, read_corner(source, corners + sizeof(Vec3)));
    add_corner(source, welder, mesh, t.c, read_corner(source, corners + 2 * sizeof(Vec3)));
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
Triangle read_facet(const Source& source, TextCursor& cursor, Welder& welder, Mesh& mesh) {
  cursor.next_line();
  expect(cursor, "outer");
  expect(cursor, "loop");
  Triangle t;
  for (std::uint32_t* corner : {&t.a, &t.b, &t.c}) {
    expect(cursor, "vertex");
    const Vec3 p = cursor.position();
    add_corner(source, welder, mesh, *corner, p);
  }
  expect(cursor, "endloop");
  expect(cursor, "endfacet");
  return t;
}

Mesh read_ascii(const Source& source) {
  Mesh mesh;
  Welder welder(mesh.positions, source.memory, source.bytes.size() / 512);
  TextCursor cursor(source, {});
  while (cursor.next_content()) {
    expect(cursor, "solid");
    cursor.next_line();
    for (;;) {
      if (!cursor.next_content()) cursor.fail("\"facet\" or \"endsolid\"");
      const std::string_view word = cursor.word();
      if (equals_ignoring_case(word, "endsolid")) break;
      if (!equals_ignoring_case(word, "facet")) cursor.fail_found("\"facet\" or \"endsolid\"", excerpt(word));
      source.memory.append(mesh.triangles, read_facet(source, cursor, welder, mesh));
    }
    cursor.next_line();
  }
  return mesh;
}

}  // namespace

Mesh read_stl(const Source& source) { return is_ascii(source.bytes) ? read_ascii(source) : read_binary(source); }

}  // namespace lamella::io
