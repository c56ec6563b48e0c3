#pragma once

// Binary PLY files whose rows all have one size: any vertex and any triangle is then found by its number.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "io/input_file.hpp"
#include "lamella/error.hpp"
#include "lamella/math.hpp"

namespace lamella::stream {

struct Rows {
  std::uint64_t offset = 0, count = 0;
  std::size_t stride = 0;  ///< 0: there are none

  /// How many to read at a time where they need converting: some hundred kilobytes of them, part of what a worker has.
  [[nodiscard]] std::uint64_t at_a_time() const {
    constexpr std::uint64_t kMost = 16384, kBytes = std::uint64_t{1} << 19;
    return std::clamp<std::uint64_t>(kBytes / std::max<std::size_t>(stride, 1), 1, kMost);
  }
};

/// Bytes of a row that is read in parts; others are refused.
inline constexpr std::size_t kMostRowBytes = std::size_t{1} << 16;

struct VertexRows : Rows {
  std::size_t at[3] = {};  ///< of x, y and z in a row
  bool wide = false;       ///< doubles
};

struct TriangleRows : Rows {
  std::size_t at = 0;  ///< of the list's length in a row
};

struct PlyLayout {
  VertexRows vertices;
  TriangleRows triangles;
};

/// Throws NotInParts for files that cannot be read in parts, as far as the header tells, and another Error for damaged
/// ones. Counts are checked against the file's size. `name`: as messages show the file.
[[nodiscard]] PlyLayout read_ply_layout(const io::InputFile& file, const std::string& name);
/// Only the vertices, of a file that may have no faces, or any.
[[nodiscard]] VertexRows read_vertex_rows(const io::InputFile& file, const std::string& name);

/// A file that is sound, as far as it was read, but cannot be read in parts.
struct NotInParts : Error {
  using Error::Error;
};

/// Throws NotInParts: what is wrong, and what to do.
[[noreturn]] void refuse_parts(const std::string& name, std::string_view why);

template <class T>
T load_value(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

inline Vec3d load_position(const char* row, const VertexRows& rows) {
  Vec3d p;
  for (int k = 0; k < 3; ++k) {
    const char* const at = row + rows.at[k];
    p[k] = rows.wide ? load_value<double>(at) : double{load_value<float>(at)};
  }
  return p;
}

}  // namespace lamella::stream
