#pragma once

// Which cells of a grid the surface may touch: by the boxes of triangles, with room for what sampling moves them. Cells
// that it does not touch are wholly inside or wholly outside.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lamella/grid.hpp"
#include "proof/points_hits.hpp"
#include "proof/points_kernel.hpp"

namespace lamella::proof {

/// The slabs of a column, the lowest first.
using Slabs = std::uint64_t;

/// Blocks of 2^shift columns and rows of a grid, and their quarters: the cells of `cells` are half as long along u and
/// v. Blocks and quarters are numbered row by row.
struct Blocks {
  CellGrid cells;
  PointCells points;  ///< where a point is: the block of the cell in which it is looked up

  [[nodiscard]] std::uint32_t across() const { return cells.cells[0].count / 2; }
  [[nodiscard]] std::size_t columns() const { return std::size_t{across()} * (cells.cells[1].count / 2); }
  [[nodiscard]] std::uint32_t quarters_across() const { return cells.cells[0].count; }
  /// The quarter of a point (u, v, w).
  [[nodiscard]] std::size_t quarter_of(Vec3 at) const {
    const auto cell = [](float x, const CellAxis& axis) {
      return static_cast<std::size_t>(bin_of(x, axis.origin, axis.scale, static_cast<std::int32_t>(axis.count)));
    };
    return cell(at.y, cells.cells[1]) * quarters_across() + cell(at.x, cells.cells[0]);
  }
};
/// `sampled`: triangles that the sampler cannot place are left out.
[[nodiscard]] Blocks make_blocks(const Grid& grid, bool sampled);

/// A triangle in units of blocks and slabs, slabs numbered from 1, for boxes that are much larger than the triangle.
class LargeTriangle {
 public:
  LargeTriangle(const Vec3 (&corner)[3], const CellGrid& grid);

  struct Span {
    double low = 0, high = -1;
  };
  /// Where the triangle can be in row `v`: the cells along u that it may touch, and slabs.
  struct Row {
    Span u, w;
  };
  [[nodiscard]] Row row(std::uint32_t v) const;
  /// The slabs in one cell of that row.
  [[nodiscard]] Span slabs(std::uint32_t u, std::uint32_t v, const Row& row) const;

 private:
  Vec3d at_[3];
  double slack_ = 0;
  bool flat_ = false;  ///< its depth is a function of u and v that doubles can tell
  double along_u_ = 0, along_v_ = 0;
};

/// Slabs from 1 on; `outer`: those before the first and behind the last count as these, or as none.
struct SlabTable {
  Slabs low[kSlabs + 2], high[kSlabs + 2];

  explicit constexpr SlabTable(bool outer) : low(), high() {
    for (std::uint32_t i = 0; i < kSlabs + 2; ++i) {
      low[i] = i == 0 ? ~Slabs{0} : i <= kSlabs ? ~Slabs{0} << (i - 1) : outer ? Slabs{1} << (kSlabs - 1) : 0;
      high[i] = i > kSlabs ? ~Slabs{0} : i != 0 ? ~Slabs{0} >> (kSlabs - i) : outer ? Slabs{1} : 0;
    }
  }
  [[nodiscard]] constexpr Slabs between(std::uint32_t from, std::uint32_t to) const { return low[from] & high[to]; }
};
inline constexpr SlabTable kSlabsInside(false), kSlabsOrEnds(true);

/// Whether a usable box is in at most two blocks along u and v.
constexpr bool is_small(BoxCode code) {
  const BoxCode low = code >> 1 & 0x7f7f, high = ~code >> 33 & 0x7f7f;
  return ((high - low) & 0xfefe) == 0 && (code >> 24 & 0xff) != 0 && code >> 56 == 0;
}

/// Calls visit(column, slabs) for each column of blocks that a triangle may touch, once.
template <class Visit>
void visit_cells(const CellBox& box, const Blocks& blocks, MeshView mesh, std::size_t triangle, const SlabTable& table,
                 const Visit& visit) {
  const Triangle& t = mesh.triangles[triangle];
  const LargeTriangle large({mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]}, blocks.cells);
  const auto code = [](double at, std::uint32_t least, std::uint32_t most) {
    return at < least ? least : at < most ? static_cast<std::uint32_t>(at) : most;
  };
  const std::uint32_t low_u = box.low[0] / 2, high_u = box.high[0] / 2, high_v = box.high[1] / 2;
  for (std::uint32_t v = box.low[1] / 2; v <= high_v; ++v) {
    const LargeTriangle::Row row = large.row(v);
    if (!(row.u.low <= row.u.high && row.u.low < high_u + 1.0 && row.u.high >= low_u)) continue;
    const std::uint32_t last_u = code(row.u.high, low_u, high_u);
    for (std::uint32_t u = code(row.u.low, low_u, high_u); u <= last_u; ++u) {
      const LargeTriangle::Span span = large.slabs(u, v, row);
      if (span.low <= span.high)
        visit(v * blocks.across() + u,
              table.between(code(span.low, box.low[2], box.high[2]), code(span.high, box.low[2], box.high[2])));
    }
  }
}

}  // namespace lamella::proof
