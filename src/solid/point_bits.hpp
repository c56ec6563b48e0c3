#pragma once

// Which points of a lattice are inside, a bit each: 64 neighbours along z are one word. The outermost points are always
// outside.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"

namespace lamella::solid {

using Counts3 = std::array<std::uint32_t, 3>;

class PointBits {
 public:
  PointBits() = default;
  explicit PointBits(Counts3 points)
      : points_(points), words_(points[2] / 64 + 1), bits_(std::size_t{points[0]} * points[1] * words_) {}

  [[nodiscard]] std::uint32_t points(int axis) const { return points_[axis]; }
  [[nodiscard]] std::uint32_t words() const { return words_; }  ///< of one column along z
  [[nodiscard]] std::uint64_t* column(std::uint32_t x, std::uint32_t y) { return &bits_[index(x, y)]; }
  [[nodiscard]] const std::uint64_t* column(std::uint32_t x, std::uint32_t y) const { return &bits_[index(x, y)]; }
  [[nodiscard]] bool at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return ((column(x, y)[z / 64] >> (z % 64)) & 1u) != 0;
  }
  void toggle(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    column(x, y)[z / 64] ^= std::uint64_t{1} << (z % 64);
  }

  /// Bits of the points one further along z.
  [[nodiscard]] std::uint64_t next(const std::uint64_t* column, std::uint32_t word) const {
    return (column[word] >> 1) | (word + 1 < words_ ? column[word + 1] << 63 : 0);
  }
  /// Edges from these points along `axis` with one end inside. Such edges do not begin in the last plane.
  [[nodiscard]] std::uint64_t edges(int axis, std::uint32_t x, std::uint32_t y, std::uint32_t word) const {
    const std::uint64_t* here = column(x, y);
    if (axis == 2) return here[word] ^ next(here, word);
    return here[word] ^ (axis == 0 ? column(x + 1, y) : column(x, y + 1))[word];
  }
  /// Cells whose lowest corners are these points, and whose corners are not all on one side.
  [[nodiscard]] std::uint64_t cells(std::uint32_t x, std::uint32_t y, std::uint32_t word) const {
    std::uint64_t any = 0, all = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint64_t* c = column(x + (i & 1u), y + (i >> 1));
      const std::uint64_t one = c[word], two = next(c, word);
      any |= one | two;
      all &= one & two;
    }
    return any & ~all;
  }
  /// Bit c is corner c of the cell, which is further along x, y, z where bit 0, 1, 2 of c is set.
  [[nodiscard]] unsigned corners(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    unsigned all = 0;
    for (unsigned c = 0; c < 8; ++c)
      all |= static_cast<unsigned>(at(x + (c & 1u), y + ((c >> 1) & 1u), z + (c >> 2))) << c;
    return all;
  }

 private:
  [[nodiscard]] std::size_t index(std::uint32_t x, std::uint32_t y) const {
    return (std::size_t{x} * points_[1] + y) * words_;
  }

  Counts3 points_{};
  std::uint32_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

/// Numbers the edges along one axis that have one end inside, in the order of their lower ends: by x, y, z.
class EdgeNumbers {
 public:
  EdgeNumbers(const PointBits& bits, int axis, Workers& workers);

  [[nodiscard]] std::uint32_t count() const { return plane_.back(); }
  /// Of the first edge of a word, or of what follows.
  [[nodiscard]] std::uint32_t first(std::uint32_t x, std::uint32_t y, std::uint32_t word) const {
    return plane_[x] + rank_[(std::size_t{x} * bits_.points(1) + y) * bits_.words() + word];
  }
  /// Of an edge that has one end inside.
  [[nodiscard]] std::uint32_t of(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const std::uint64_t before = (std::uint64_t{1} << (z % 64)) - 1;
    return first(x, y, z / 64) + static_cast<std::uint32_t>(std::popcount(bits_.edges(axis_, x, y, z / 64) & before));
  }

 private:
  const PointBits& bits_;
  int axis_;
  std::vector<std::uint32_t> plane_;  ///< first number of each plane of x, and the count
  std::vector<std::uint32_t> rank_;   ///< within the plane, by word
};

/// Calls body(bit) for each bit that is set, the lowest first.
template <class Body>
void for_each_bit(std::uint64_t word, const Body& body) {
  for (; word != 0; word &= word - 1) body(static_cast<std::uint32_t>(std::countr_zero(word)));
}

}  // namespace lamella::solid
