#pragma once

// Which cells of a grid the surface may touch: by the boxes of triangles, with room for what sampling moves them. Cells
// that it does not touch are wholly inside or wholly outside.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lamella/grid.hpp"
#include "proof/points_kernel.hpp"

namespace lamella::proof {

/// A column is cut into so many slabs: a bit each, the lowest first.
using Slabs = std::uint64_t;
inline constexpr std::uint32_t kSlabs = 64;

/// From `low` to `high`, both included.
constexpr Slabs slabs_between(std::uint32_t low, std::uint32_t high) {
  return (~Slabs{0} << low) & (~Slabs{0} >> (kSlabs - 1 - high));
}

/// The cell of a coordinate, as query/contains_kernel.hpp finds it. Rounding may put it into the next one.
inline std::uint32_t cell_of(float x, const CellAxis& axis) {
  const float at = (x - axis.origin) * axis.scale;
  return at >= static_cast<float>(axis.count) ? axis.count - 1 : at > 0 ? static_cast<std::uint32_t>(at) : 0;
}

/// Blocks of 2^shift columns and rows of a grid. `sampled`: triangles that the sampler cannot place are left out.
struct Blocks {
  CellGrid cells;
  unsigned shift = 0;
  CellAxis samples[2];  ///< the grid's own cells, along u and v

  /// The block of the cell in which a point is looked up; it must be within the grid.
  [[nodiscard]] std::uint32_t column_of(Vec3 at) const {
    return (cell_of(at.y, samples[1]) >> shift) * across() + (cell_of(at.x, samples[0]) >> shift);
  }
  [[nodiscard]] std::uint32_t slab_of(Vec3 at) const { return cell_of(at.z, cells.cells[2]); }

  [[nodiscard]] std::uint32_t across() const { return cells.cells[0].count; }
  [[nodiscard]] std::uint32_t count() const { return cells.cells[0].count * cells.cells[1].count; }
};
[[nodiscard]] Blocks make_blocks(const Grid& grid, bool sampled);

/// A triangle in units of cells, for boxes that are much larger than the triangle.
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

/// Boxes of up to so many columns are taken as they are.
inline constexpr std::uint32_t kSmallBox = 12;

/// Calls visit(column, slabs) for each column of cells that a triangle may touch, once. Slabs before the first and
/// behind the last count as those. `box` must be usable.
template <class Visit>
void visit_cells(const CellBox& box, const Blocks& blocks, MeshView mesh, std::size_t triangle, const Visit& visit) {
  const CellAxis(&cells)[3] = blocks.cells.cells;
  std::uint32_t low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    if (k < 2 && (box.high[k] < 1 || box.low[k] > cells[k].count)) return;
    low[k] = std::clamp(box.low[k], 1u, cells[k].count) - 1;
    high[k] = std::clamp(box.high[k], 1u, cells[k].count) - 1;
  }
  const std::uint32_t across = blocks.across();
  if ((high[0] - low[0] + 1) * (high[1] - low[1] + 1) <= kSmallBox) {
    const Slabs slabs = slabs_between(low[2], high[2]);
    for (std::uint32_t v = low[1]; v <= high[1]; ++v)
      for (std::uint32_t u = low[0]; u <= high[0]; ++u) visit(v * across + u, slabs);
    return;
  }
  const Triangle& t = mesh.triangles[triangle];
  const LargeTriangle large({mesh.positions[t.a], mesh.positions[t.b], mesh.positions[t.c]}, blocks.cells);
  const auto cut = [](LargeTriangle::Span s, std::uint32_t& first, std::uint32_t& last) {
    if (!(s.high >= first) || !(s.low < last + 1.0)) return false;
    if (s.low > first) first = static_cast<std::uint32_t>(s.low);
    if (s.high < last) last = static_cast<std::uint32_t>(s.high);
    return first <= last;
  };
  for (std::uint32_t v = low[1]; v <= high[1]; ++v) {
    const LargeTriangle::Row row = large.row(v);
    std::uint32_t first = low[0], last = high[0];
    if (!cut(row.u, first, last)) continue;
    for (std::uint32_t u = first; u <= last; ++u) {
      std::uint32_t bottom = low[2], top = high[2];
      const LargeTriangle::Span span = large.slabs(u, v, row);
      if (low[2] < high[2] && !cut(span, bottom, top)) {
        // Beyond either end: kept at that end, as the box is.
        if (span.high < low[2]) top = bottom;
        else if (span.low > high[2]) bottom = top;
        else continue;
      }
      visit(v * across + u, slabs_between(bottom, top));
    }
  }
}

}  // namespace lamella::proof
