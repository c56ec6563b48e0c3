#pragma once

// The vector kernel of find_near(); the same results on every instruction set.

#include <cstdint>
#include <span>

#include "lamella/mesh.hpp"
#include "proof/kernels.hpp"
#include "proof/near.hpp"

namespace lamella::proof {

/// So many items behind the last may be written.
inline constexpr std::size_t kNearPad = 64;

/// The triangles that are not wholly beyond a side of the box that cells were made of, and their cells. `codes`: cells
/// of the vertices, as from write_cells(); `first`: the number of the first triangle. Returns how many.
[[nodiscard]] std::size_t find_boxes(std::span<const Triangle> triangles, std::uint32_t first,
                                     std::span<const std::uint32_t> codes, NearBox* out);

// Three fields at a time. The highest bit of each field is free, and takes the borrow of its subtraction.
inline constexpr std::uint32_t kCellField = (1u << (kCellBits - 1)) - 1;
constexpr std::uint32_t in_all_fields(std::uint32_t x) { return x | x << kCellBits | x << 2 * kCellBits; }
inline constexpr std::uint32_t kFreeBits = in_all_fields(kCellField + 1), kOneEach = in_all_fields(1);

}  // namespace lamella::proof
