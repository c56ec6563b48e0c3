#include "stream/ply_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "io/checks.hpp"
#include "io/messages.hpp"
#include "io/ply_header.hpp"
#include "lamella/mesh_io.hpp"

namespace lamella::stream {
namespace {

using io::PlyElement;
using io::PlyProperty;
using io::PlyRole;
using io::PlyType;

constexpr std::size_t kCorners = 3;
constexpr std::string_view kRemedy =
    "; write it as a binary PLY of triangles (`lamella repair IN.ply -o OUT.ply`, where there is memory for all of "
    "it), "
    "or leave out the limit of memory";

}  // namespace

void refuse_parts(const std::string& name, std::string_view why) {
  throw NotInParts(fmt::format("{}: {}: the file cannot be read in parts{}", name, why, kRemedy));
}

namespace {

void check_stride(const Rows& rows, const std::string& name, std::string_view what) {
  if (rows.stride > kMostRowBytes)
    refuse_parts(name,
                 fmt::format("its element {} has rows of {} bytes, more than {}", what, rows.stride, kMostRowBytes));
}

VertexRows vertex_rows(const PlyElement& element, const std::string& name) {
  VertexRows rows;
  std::optional<PlyType> type;
  for (const PlyProperty& p : element.properties) {
    if (p.is_list) refuse_parts(name, "its vertices have lists");
    if (p.role != PlyRole::ignored) {
      const bool fits = (p.type == PlyType::float32 || p.type == PlyType::float64) && type.value_or(p.type) == p.type;
      if (!fits) refuse_parts(name, "its coordinates are not all float, or all double");
      type = p.type;
      rows.at[static_cast<std::size_t>(p.role) - static_cast<std::size_t>(PlyRole::x)] = rows.stride;
    }
    rows.stride += size_of(p.type);
  }
  rows.wide = type == PlyType::float64;
  check_stride(rows, name, "vertex");
  return rows;
}

TriangleRows triangle_rows(const PlyElement& element, const std::string& name) {
  TriangleRows rows;
  for (const PlyProperty& p : element.properties) {
    if (p.role == PlyRole::corners) {
      const bool common = size_of(p.count_type) == 1 && (p.type == PlyType::int32 || p.type == PlyType::uint32);
      if (!common) refuse_parts(name, "its faces are not lists with a byte for their length and indices of 32 bits");
      rows.at = rows.stride;
      rows.stride += 1 + kCorners * sizeof(std::uint32_t);
    } else if (p.is_list) {
      refuse_parts(name, "its faces have further lists");
    } else {
      rows.stride += size_of(p.type);
    }
  }
  check_stride(rows, name, "face");
  return rows;
}

/// Gives the rows their place, behind those before them.
void put(Rows& rows, std::uint64_t count, std::uint64_t& offset, std::uint64_t file_bytes, const std::string& name,
         std::string_view what) {
  rows.offset = offset;
  rows.count = count;
  if (!io::fits(count, rows.stride, file_bytes - offset))
    io::fail(name, fmt::format("expected {} rows of element {} of {} bytes each, found {} bytes; the file is cut off{}",
                               count, what, rows.stride, file_bytes - offset,
                               what == "face" ? ", or has faces of fewer than 3 corners" : ""));
  offset += count * rows.stride;
}

/// `faces`: whether they are wanted; else what comes behind the vertices does not matter.
PlyLayout layout_of(const io::PlyHeader& header, std::uint64_t file_bytes, const std::string& name, bool faces) {
  if (header.format == io::PlyFormat::ascii) refuse_parts(name, "its numbers are text");
  if (header.format == io::PlyFormat::binary_big_endian) refuse_parts(name, "its numbers are big-endian");
  PlyLayout layout;
  std::uint64_t offset = header.data_offset;
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex") {
      layout.vertices = vertex_rows(element, name);
      put(layout.vertices, element.count, offset, file_bytes, name, "vertex");
      if (!faces) return layout;
    } else if (element.name == "face") {
      layout.triangles = triangle_rows(element, name);
      put(layout.triangles, element.count, offset, file_bytes, name, "face");
    } else if (layout.vertices.stride == 0 || layout.triangles.stride == 0) {  // what comes after both does not matter
      Rows other;
      for (const PlyProperty& p : element.properties) {
        if (p.is_list) refuse_parts(name, "there are lists before its vertices or faces");
        other.stride += size_of(p.type);
      }
      put(other, element.count, offset, file_bytes, name, io::excerpt(element.name));
    }
  }
  if (faces && layout.triangles.count == 0) io::fail(name, "the mesh has no faces");
  if (layout.triangles.count > std::numeric_limits<std::uint32_t>::max())
    io::fail(name, "a mesh may have at most 2^32 - 1 triangles; split it");
  return layout;
}

/// The header, from as many bytes of the file as it takes.
io::PlyHeader header_of(const io::InputFile& file, const std::string& name) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
  constexpr std::string_view kEnd = "end_header";
  std::string bytes;
  for (std::uint64_t size = 4096;; size *= 4) {
    const std::uint64_t some = std::min({size, file.size(), kMost});
    bytes.resize(some);
    file.read_at(0, bytes.data(), some);
    const std::size_t end = bytes.find(kEnd);
    const bool whole = end != std::string::npos && bytes.find('\n', end) != std::string::npos;
    if (whole || some == file.size() || some == kMost) break;
  }
  const ReadOptions silent;
  io::Progress progress(silent, 0);
  io::MemoryLimit memory(name, 64 * kMost, 0, 0);
  return io::read_ply_header(
      {.bytes = bytes, .name = name, .folder = std::nullopt, .progress = progress, .memory = memory});
}

}  // namespace

PlyLayout read_ply_layout(const io::InputFile& file, const std::string& name) {
  return layout_of(header_of(file, name), file.size(), name, true);
}

VertexRows read_vertex_rows(const io::InputFile& file, const std::string& name) {
  return layout_of(header_of(file, name), file.size(), name, false).vertices;
}

}  // namespace lamella::stream
