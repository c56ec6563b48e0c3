#pragma once

// The vector kernels of exact points; compiled for every instruction set, with the same results.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lamella/grid.hpp"
#include "lamella/mesh.hpp"

namespace lamella::proof {

/// Cells along one axis. A coordinate is in cell (x - origin) * scale, from 0 to before `count`.
struct CellAxis {
  float origin = 0, scale = 0;
  std::uint32_t count = 1;
};
/// Along u and v, of grids for BoxCode; along w, two less.
inline constexpr std::uint32_t kMostCells = 256;

/// How far a sampled vertex, a point and its cell may be from where they should be, in cells: some lattice steps, and
/// some roundings of a coordinate that counts cells.
inline constexpr float kCellSlack = 0x1p-7f, kCellRoundings = 0x1p-20f;

/// Cells along three axes, in the order u, v, w of the rays.
struct CellGrid {
  int axis[3] = {0, 1, 2};  ///< of the world: u, v, w
  CellAxis cells[3];
  /// Triangles with a corner further out than the sampler can place (core/lattice.hpp) are left out, as it does.
  float lattice_scale[2] = {0, 0};
};

/// A box of cells: of a vertex, those in which it may be once it was moved to the sampler's lattice, with room for
/// rounding. From the lowest byte: the least u, v, w, whether it is usable (255 or 0), then 255 less the greatest u, v,
/// w, and a bit for each side of the grid, along u and v, that it lies beyond. Along u and v, cells beyond the grid are
/// its outermost ones; along w, cells count from 1, and 0 and `count` + 1 are beyond.
using BoxCode = std::uint64_t;

struct CellBox {
  std::uint32_t low[3], high[3];
  bool usable;  ///< and not wholly beyond a side
};
constexpr CellBox decode(BoxCode code) {
  const auto byte = [code](int k) { return static_cast<std::uint32_t>(code >> (8 * k)) & 0xff; };
  return {{byte(0), byte(1), byte(2)}, {255 - byte(4), 255 - byte(5), 255 - byte(6)}, byte(3) != 0 && byte(7) == 0};
}

void encode_boxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes);
/// Boxes of triangles, of the codes of their corners, and of each group of kGroup triangles in a row. Indices must be
/// in range.
void join_boxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes, BoxCode* groups);
inline constexpr std::size_t kGroup = 4;

/// Slabs whose triangles rays can meet, numbered from 1: rays that go up, or both ways, those from 255 - `up` on; rays
/// that go down, those up to `down`. 0 means none.
struct Needed {
  std::uint16_t up = 0, down = 0;

  [[nodiscard]] bool meets_up(std::uint32_t high) const { return high + up >= 255; }
  [[nodiscard]] bool meets_down(std::uint32_t low) const { return low <= down; }
  friend Needed operator|(Needed a, Needed b) { return {std::max(a.up, b.up), std::max(a.down, b.down)}; }
};
static_assert(sizeof(Needed) == 4);

/// What is needed: of the cells of a grid, and of blocks of two by two cells from `blocks` on. Rows are `across` cells
/// long.
struct NeededCells {
  const Needed* cells = nullptr;
  std::uint32_t across = 0, blocks = 0;
};
/// Which rays may meet each box: kMetUp, kMetDown, and kLarge where the box is in more than two blocks along u or v or
/// not usable, and nothing is said. Slabs before the first and behind the last count as these.
inline constexpr std::uint8_t kMetUp = 1, kMetDown = 2, kLarge = 4;
void meet_boxes(std::span<const BoxCode> codes, const NeededCells& needed, std::uint8_t* met);

/// A column is cut into so many slabs: a bit each, the lowest first, in words of 32 bits.
inline constexpr std::uint32_t kSlabs = 64;
inline constexpr int kSlabWordsLog2 = 1;

/// Where points are: columns of cells, and slabs.
struct PointCells {
  CellAxis cells[3];  ///< u, v, w
  int axis[3];
  unsigned shift = 0;  ///< columns are of blocks of 2^shift cells
  std::uint32_t stride = 0;
};
/// The column and the slab of each point, and which points are in a slab with a bit in `slabs` or not strictly inside
/// the box. A bit for each point is written to `found`, the lowest first: 64 points a word, of which the last is whole.
void find_cells(std::span<const Vec3> points, const PointCells& grid, const Aabb& box, const std::uint32_t* slabs,
                std::uint32_t* column, std::uint32_t* slab, std::uint64_t* found);

}  // namespace lamella::proof
