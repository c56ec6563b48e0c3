#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/formats.hpp"

namespace lamella::io {

enum class PlyFormat { ascii, binary_little_endian, binary_big_endian };

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

[[nodiscard]] constexpr std::size_t size_of(PlyType type) {
  constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

/// What a property is to us.
enum class PlyRole : std::uint8_t { ignored, x, y, z, corners };

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;  ///< of the value, or of a list's values
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  ///< of a list's count
  PlyRole role = PlyRole::ignored;
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  std::vector<PlyElement> elements;
  std::uint64_t vertices = 0;
  std::size_t data_offset = 0;
  std::size_t data_line = 0;  ///< line number of the first byte of data
};

/// The header, with a role for every property: a vertex element with x, y and z is required, a face element not.
[[nodiscard]] PlyHeader read_ply_header(const Source& source);

/// Fewest bytes of one binary row: lists may be empty.
[[nodiscard]] std::uint64_t min_row_bytes(const PlyElement& element);

}  // namespace lamella::io
