#include "proof/points_cells.hpp"

#include <limits>

#include "core/lattice.hpp"

namespace lamella::proof {
namespace {

CellAxis cut_axis(const Grid& grid, int axis, double cell, std::uint32_t count) {
  const double most = std::numeric_limits<float>::max();
  return {grid.box.min[axis], static_cast<float>(cell > 0 ? std::min(1 / cell, most) : most), count};
}

std::uint32_t blocks_of(std::uint32_t cells, unsigned shift) { return (cells + (1u << shift) - 1) >> shift; }

}  // namespace

Blocks make_blocks(const Grid& grid, bool sampled) {
  Blocks blocks;
  PointCells& points = blocks.points;
  while (2 * blocks_of(std::max(grid.columns, grid.rows), points.shift) > kMostCells) ++points.shift;
  const double size = 1u << points.shift;
  const int axes[3] = {grid.u(), grid.v(), grid.w()};
  std::copy_n(axes, 3, blocks.cells.axis);
  std::copy_n(axes, 3, points.axis);
  const double depth = static_cast<double>(grid.box.max[grid.w()]) - grid.box.min[grid.w()];
  blocks.cells.cells[0] = cut_axis(grid, grid.u(), grid.cell_u() * size / 2, 2 * blocks_of(grid.columns, points.shift));
  blocks.cells.cells[1] = cut_axis(grid, grid.v(), grid.cell_v() * size / 2, 2 * blocks_of(grid.rows, points.shift));
  blocks.cells.cells[2] = cut_axis(grid, grid.w(), depth / kSlabs, kSlabs);
  points.cells[0] = cut_axis(grid, grid.u(), grid.cell_u(), grid.columns);
  points.cells[1] = cut_axis(grid, grid.v(), grid.cell_v(), grid.rows);
  points.cells[2] = blocks.cells.cells[2];
  points.stride = blocks.across();
  if (sampled) {
    const Lattice lattice = make_lattice(grid);
    blocks.cells.lattice_scale[0] = lattice.scale_u;
    blocks.cells.lattice_scale[1] = lattice.scale_v;
  }
  return blocks;
}

LargeTriangle::LargeTriangle(const Vec3 (&corner)[3], const CellGrid& grid) {
  double furthest = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const CellAxis& axis = grid.cells[k];
      at_[i][k] = (static_cast<double>(corner[i][grid.axis[k]]) - axis.origin) * axis.scale;
      at_[i][k] = k < 2 ? at_[i][k] / 2 : at_[i][k] + 1;
      furthest = std::max(furthest, std::abs(at_[i][k]));
    }
  slack_ = kCellSlack + furthest * kCellRoundings;
  const Vec3d a = at_[1] - at_[0], b = at_[2] - at_[0], normal = cross(a, b);
  const auto most = [](Vec3d e) { return std::max({std::abs(e.x), std::abs(e.y), std::abs(e.z)}); };
  const double steepest = std::max(std::abs(normal.x), std::abs(normal.y));
  // Not for slivers, whose normal is made of rounding errors: these stay below 2^-50 of the product.
  flat_ = std::abs(normal.z) * kSlabs > steepest && std::abs(normal.z) > 0x1p-20 * most(a) * most(b);
  if (flat_) {
    along_u_ = -normal.x / normal.z;
    along_v_ = -normal.y / normal.z;
  }
}

LargeTriangle::Row LargeTriangle::row(std::uint32_t v) const {
  const double low = v - slack_, high = v + 1 + slack_;
  Row row{{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}, {}};
  row.w = row.u;
  const auto add = [&row](double u, double w) {
    row.u = {std::min(row.u.low, u), std::max(row.u.high, u)};
    row.w = {std::min(row.w.low, w), std::max(row.w.high, w)};
  };
  for (int i = 0; i < 3; ++i) {
    const Vec3d &a = at_[i], &b = at_[(i + 1) % 3];
    if (low <= a.y && a.y <= high) add(a.x, a.z);
    for (const double at : {low, high})
      if ((a.y < at) != (b.y < at)) {
        const double t = std::clamp((at - a.y) / (b.y - a.y), 0.0, 1.0);
        add(a.x + t * (b.x - a.x), a.z + t * (b.z - a.z));
      }
  }
  row.u = {row.u.low - slack_, row.u.high + slack_};
  row.w = {row.w.low - slack_, row.w.high + slack_};
  return row;
}

LargeTriangle::Span LargeTriangle::slabs(std::uint32_t u, std::uint32_t v, const Row& row) const {
  if (!flat_) return row.w;
  const double half = 0.5 + slack_;
  const double middle = at_[0].z + along_u_ * (u + 0.5 - at_[0].x) + along_v_ * (v + 0.5 - at_[0].y);
  const double reach = (std::abs(along_u_) + std::abs(along_v_)) * half + slack_;
  return {std::max(row.w.low, middle - reach), std::min(row.w.high, middle + reach)};
}

}  // namespace lamella::proof
