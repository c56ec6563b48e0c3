#include <fmt/format.h>

#include "io/checks.hpp"
#include "io/formats.hpp"
#include "io/messages.hpp"
#include "io/text_cursor.hpp"

namespace lamella::io {
namespace {

constexpr std::string_view kHeader = "the header \"OFF\" (or COFF, NOFF, CNOFF, STOFF)";

/// "OFF" after any of the prefixes that only add values behind a vertex's three coordinates.
bool is_header(std::string_view word) {
  for (const std::string_view prefix : {"ST", "C", "N"}) {
    if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  }
  return word == "OFF";
}

void read_header(TextCursor& cursor) {
  if (!cursor.next_content()) cursor.fail(kHeader);
  const std::string_view word = cursor.word();
  if (!is_header(word)) cursor.fail_found(kHeader, excerpt(word));
}

struct Counts {
  std::uint64_t vertices = 0;
  std::uint64_t faces = 0;
};

/// The counts may follow the keyword in its line. The number of edges behind them is ignored, and may be missing.
Counts read_counts(TextCursor& cursor) {
  constexpr auto kMax = static_cast<std::int64_t>(kMaxVertices);
  if (!cursor.next_content()) cursor.fail("the number of vertices");
  Counts counts;
  counts.vertices = static_cast<std::uint64_t>(
      cursor.integer(0, kMax, "the number of vertices (ASCII OFF; binary OFF is not supported, convert it)"));
  counts.faces = static_cast<std::uint64_t>(cursor.integer(0, kMax, "the number of faces"));
  // The shortest vertex is "0 0 0\n"; a face takes at least half of its shortest, "3 0 0 0\n", or it is refused below
  // with a better message. The last line may lack its end.
  const std::uint64_t available = cursor.remaining() + 1;
  if (!fits(counts.vertices, 6, available) || !fits(counts.faces, 4, available - counts.vertices * 6)) {
    cursor.fail_found(
        "counts that the rest of the file can hold",
        fmt::format("{} vertices and {} faces in {} bytes", counts.vertices, counts.faces, cursor.remaining()));
  }
  cursor.next_line();
  return counts;
}

void read_face(TextCursor& cursor, std::uint64_t vertices, MemoryLimit& memory, std::vector<Triangle>& triangles) {
  const std::int64_t corners =
      cursor.integer(3, static_cast<std::int64_t>(kMaxVertices), "a face of at least 3 vertices (their number first)");
  const auto highest = static_cast<std::int64_t>(vertices) - 1;
  Fan fan(triangles, memory);
  for (std::int64_t i = 0; i < corners; ++i) {
    // The message is made only when it is needed: this is the inner loop.
    if (cursor.at_line_end()) cursor.fail(fmt::format("{} vertex indices", corners));
    fan.add(static_cast<std::uint32_t>(cursor.integer(0, highest, "a vertex index below the number of vertices")));
  }
}

}  // namespace

FileMesh read_off(const Source& source) {
  TextCursor cursor(source, {.comment = '#'});
  read_header(cursor);
  const Counts counts = read_counts(cursor);

  FileMesh mesh;
  reserve_vertices(source, mesh, counts.vertices);
  source.memory.reserve(mesh.triangles, counts.faces);
  for (std::uint64_t i = 0; i < counts.vertices; ++i) {
    if (!cursor.next_content())
      cursor.fail(fmt::format("{} vertices (this would be number {})", counts.vertices, i + 1));
    cursor.append_position(mesh);
    cursor.next_line();
  }
  for (std::uint64_t i = 0; i < counts.faces; ++i) {
    if (!cursor.next_content()) cursor.fail(fmt::format("{} faces (this would be number {})", counts.faces, i + 1));
    read_face(cursor, counts.vertices, source.memory, mesh.triangles);
    cursor.next_line();
  }
  return mesh;
}

}  // namespace lamella::io
