#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "io/messages.hpp"
#include "io/ply_rows.hpp"

namespace lamella::io {
namespace {

/// Rows handled between two looks at progress, and at whether any of them was bad.
constexpr std::uint64_t kChunkRows = 1 << 16;

template <class T>
T load(const char* p, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, p, sizeof(T));
  if (swap) std::reverse(std::begin(bytes), std::end(bytes));
  return std::bit_cast<T>(bytes);
}

/// Every PLY type fits a double exactly.
double load(const char* p, PlyType type, bool swap) {
  switch (type) {
    case PlyType::int8:
      return load<std::int8_t>(p, swap);
    case PlyType::uint8:
      return load<std::uint8_t>(p, swap);
    case PlyType::int16:
      return load<std::int16_t>(p, swap);
    case PlyType::uint16:
      return load<std::uint16_t>(p, swap);
    case PlyType::int32:
      return load<std::int32_t>(p, swap);
    case PlyType::uint32:
      return load<std::uint32_t>(p, swap);
    case PlyType::float32:
      return load<float>(p, swap);
    case PlyType::float64:
      break;
  }
  return load<double>(p, swap);
}

class BinaryRows {
 public:
  BinaryRows(const Source& source, const PlyHeader& header)
      : source_(source), offset_(header.data_offset), swap_(header.format == PlyFormat::binary_big_endian) {}

  [[nodiscard]] const char* data() const { return source_.bytes.data() + offset_; }
  [[nodiscard]] std::size_t remaining() const { return source_.bytes.size() - offset_; }
  [[nodiscard]] bool swapped() const { return swap_; }
  [[nodiscard]] const Source& source() const { return source_; }
  [[nodiscard]] MemoryLimit& memory() const { return source_.memory; }
  void advance(std::size_t bytes) {
    offset_ += bytes;
    source_.progress.at(offset_);
  }

  void check_count(const PlyElement& element) const {
    if (fits(element.count, min_row_bytes(element), remaining())) return;
    fail_here(
        fmt::format("expected {} rows of element {} of at least {} bytes each, found {} bytes; the file is cut off",
                    element.count, excerpt(element.name), min_row_bytes(element), remaining()));
  }

  void begin_row(const PlyElement&, std::uint64_t) {}
  void end_row() { source_.progress.at(offset_); }
  double coordinate(PlyType type) {
    const double value = peek(type);
    if (source_.finite && !std::isfinite(narrow(value))) {
      fail_here(fmt::format("expected a finite coordinate in the range of a 32-bit float, found {}", value));
    }
    offset_ += size_of(type);
    return value;
  }
  std::uint64_t list_count(const PlyProperty& property) {
    const double value = peek(property.count_type);
    if (!(value >= 0) || value != std::trunc(value))
      fail_here(fmt::format("expected a list's length, found {}", value));
    const std::size_t available = remaining() - size_of(property.count_type);
    const bool whole = value <= static_cast<double>(available) &&
                       fits(static_cast<std::uint64_t>(value), size_of(property.type), available);
    if (!whole) fail_here(fmt::format("expected a list of {} values, found {} bytes", value, available));
    offset_ += size_of(property.count_type);
    return static_cast<std::uint64_t>(value);
  }
  std::uint32_t index(PlyType type, std::uint64_t vertices) {
    const double value = peek(type);
    if (!(value >= 0 && value < static_cast<double>(vertices)) || value != std::trunc(value)) {
      fail_here(fmt::format("expected a vertex index below {} (the file's vertices), found {}", vertices, value));
    }
    offset_ += size_of(type);
    return static_cast<std::uint32_t>(value);
  }
  void skip(PlyType type, std::uint64_t count) {
    if (!fits(count, size_of(type), remaining())) fail_cut_off();
    offset_ += count * size_of(type);
  }
  [[noreturn]] void fail_polygon(std::uint64_t count) const {
    fail_here(fmt::format("expected a face of at least 3 vertices, found {}", count));
  }

 private:
  [[nodiscard]] double peek(PlyType type) const {
    if (remaining() < size_of(type)) fail_cut_off();
    return load(data(), type, swap_);
  }
  [[noreturn]] void fail_here(std::string_view message) const { fail_at_byte(source_.name, offset_, message); }
  [[noreturn]] void fail_cut_off() const {
    fail_here("expected more values, found the end of the file; it is cut off");
  }

  const Source& source_;
  std::size_t offset_;
  bool swap_;
};

/// Vertices as fixed-size records with coordinates of one floating-point type: the layout of nearly every file.
struct VertexLayout {
  std::size_t stride = 0;
  std::size_t offsets[3] = {};  ///< of x, y and z
  PlyType type = PlyType::float32;
};

std::optional<VertexLayout> vertex_layout(const PlyElement& element) {
  VertexLayout layout;
  int found = 0;
  for (const PlyProperty& p : element.properties) {
    if (p.is_list) return std::nullopt;
    if (p.role != PlyRole::ignored) {
      if (p.type != PlyType::float32 && p.type != PlyType::float64) return std::nullopt;
      if (found++ > 0 && p.type != layout.type) return std::nullopt;
      layout.type = p.type;
      layout.offsets[static_cast<std::size_t>(p.role) - static_cast<std::size_t>(PlyRole::x)] = layout.stride;
    }
    layout.stride += size_of(p.type);
  }
  return layout;
}

/// Copies `out.size()` records; false when a coordinate is not finite as a float.
template <class T>
bool copy_positions(const char* p, const VertexLayout& layout, std::span<Vec3> out) {
  bool finite = true;
  for (Vec3& v : out) {
    const T xyz[3] = {load<T>(p + layout.offsets[0], false), load<T>(p + layout.offsets[1], false),
                      load<T>(p + layout.offsets[2], false)};
    for (const T value : xyz) finite &= std::abs(value) <= T{std::numeric_limits<float>::max()};
    v = {static_cast<float>(xyz[0]), static_cast<float>(xyz[1]), static_cast<float>(xyz[2])};
    p += layout.stride;
  }
  return finite;
}

void read_vertices(BinaryRows& rows, const PlyElement& element, const VertexLayout& layout, FileMesh& mesh) {
  for (std::uint64_t row = 0; row < element.count;) {
    const std::uint64_t count = std::min(element.count - row, kChunkRows);
    const std::size_t start = mesh.positions.size();
    rows.memory().resize(mesh.positions, start + count);
    const std::span<Vec3> out = std::span(mesh.positions).subspan(start);
    const bool finite = layout.type == PlyType::float32 ? copy_positions<float>(rows.data(), layout, out)
                                                        : copy_positions<double>(rows.data(), layout, out);
    if (!finite) {  // read once more, the way that handles them, or knows where they are
      mesh.positions.resize(start);
      read_rows(rows, rows.source(), element, row, row + count, element.count, mesh);
    } else {
      rows.advance(count * layout.stride);
    }
    row += count;
  }
}

/// Faces as a byte for the number of corners, 32-bit indices, and then nothing but values of fixed size: the number
/// of bytes of these. Nothing for any other layout.
std::optional<std::size_t> face_trailer(const PlyElement& element) {
  const PlyProperty& list = element.properties.front();
  const bool common = list.role == PlyRole::corners && size_of(list.count_type) == 1 &&
                      (list.type == PlyType::int32 || list.type == PlyType::uint32);
  if (!common) return std::nullopt;
  std::size_t bytes = 0;
  for (const PlyProperty& p : std::span(element.properties).subspan(1)) {
    if (p.is_list) return std::nullopt;
    bytes += size_of(p.type);
  }
  return bytes;
}

/// How many of the next `rows` records are triangles before the first that is not.
std::uint64_t count_triangles(const char* p, std::size_t stride, std::uint64_t rows) {
  std::uint64_t run = 0;
  for (; run < rows && *p == 3; ++run) p += stride;
  return run;
}

/// Copies `out.size()` triangle records. Returns their highest index.
std::uint32_t copy_triangles(const char* p, std::size_t stride, std::span<Triangle> out) {
  std::uint32_t highest = 0;
  for (Triangle& t : out) {
    std::memcpy(&t, p + 1, sizeof t);
    highest = std::max({highest, t.a, t.b, t.c});
    p += stride;
  }
  return highest;
}

void read_faces(BinaryRows& rows, const PlyElement& element, std::size_t trailer, std::uint64_t vertices,
                FileMesh& mesh) {
  const std::size_t stride = 1 + sizeof(Triangle) + trailer;
  for (std::uint64_t row = 0; row < element.count;) {
    const std::uint64_t whole = std::min({element.count - row, kChunkRows, std::uint64_t{rows.remaining() / stride}});
    const std::uint64_t run = count_triangles(rows.data(), stride, whole);
    const std::size_t start = mesh.triangles.size();
    rows.memory().resize(mesh.triangles, start + run);
    const std::uint32_t highest = copy_triangles(rows.data(), stride, std::span(mesh.triangles).subspan(start));
    if (run > 0 && highest < vertices) {
      rows.advance(run * stride);
      row += run;
    } else {  // a polygon, a bad index or the file's end: the way that handles all of them, and knows where it is
      mesh.triangles.resize(start);
      const std::uint64_t next = row + std::max<std::uint64_t>(run, 1);
      read_rows(rows, rows.source(), element, row, next, vertices, mesh);
      row = next;
    }
  }
}

void read_element(BinaryRows& rows, const PlyElement& element, std::uint64_t vertices, FileMesh& mesh) {
  if (!rows.swapped() && !rows.source().wide && element.name == "vertex") {
    if (const auto layout = vertex_layout(element)) return read_vertices(rows, element, *layout, mesh);
  }
  if (!rows.swapped() && element.name == "face" && element.count > 0) {
    if (const auto trailer = face_trailer(element)) return read_faces(rows, element, *trailer, vertices, mesh);
  }
  read_rows(rows, rows.source(), element, 0, element.count, vertices, mesh);
}

}  // namespace

FileMesh read_ply_binary(const Source& source, const PlyHeader& header) {
  FileMesh mesh;
  BinaryRows rows(source, header);
  for (const PlyElement& element : header.elements) {
    rows.check_count(element);
    reserve(source, element, rows.remaining(), mesh);
    read_element(rows, element, header.vertices, mesh);
  }
  return mesh;
}

}  // namespace lamella::io
