#pragma once

// How the LDI of an engine with a sub-pixel lattice of its own differs from the software engine's. A sample near the
// projection of an edge may fall to the other side of it; everywhere else the columns must be the same.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lamella/ldi.hpp"
#include "lamella/mesh.hpp"

namespace lamella::test {

struct LdiDifference {
  std::size_t columns = 0;  ///< with another number of entries or exits
  std::size_t swapped = 0;  ///< the same numbers, but a depth is off: the sample went to the neighbouring triangle
  double farthest = 0;      ///< of the samples of either kind from the nearest projected edge, in cells
  double depth = 0;         ///< largest difference of depth in all other columns, in roundings of the largest depth
};

/// Depths of one orientation, ascending.
inline std::vector<float> depths_of(std::span<const Crossing> column, bool entry) {
  std::vector<float> depths;
  for (const Crossing c : column)
    if (c.entry() == entry) depths.push_back(c.depth());
  return depths;
}

/// Distance of the origin from the segment p q, in the plane.
inline double distance_to_segment(double px, double py, double qx, double qy) {
  const double dx = qx - px, dy = qy - py, size = dx * dx + dy * dy;
  const double t = size > 0 ? std::clamp(-(px * dx + py * dy) / size, 0.0, 1.0) : 0.0;
  return std::hypot(px + t * dx, py + t * dy);
}

/// Cells from a column's sample to the nearest projected edge, by looking at all of them.
inline double distance_to_edge(MeshView mesh, const Grid& grid, std::size_t column) {
  const Vec3d sample = sample_position(grid, column, 0);
  double nearest = std::numeric_limits<double>::infinity();
  for (const Triangle& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const Vec3d p = to_double(mesh.positions[t[i]]) - sample, q = to_double(mesh.positions[t[(i + 1) % 3]]) - sample;
      nearest = std::min(nearest, distance_to_segment(p[grid.u()] / grid.cell_u(), p[grid.v()] / grid.cell_v(),
                                                      q[grid.u()] / grid.cell_u(), q[grid.v()] / grid.cell_v()));
    }
  return nearest;
}

/// 2^-24 of the largest depth that goes into a crossing: a rounding.
inline double rounding(MeshView mesh, const Grid& grid) {
  float largest = grid.depth();
  for (const Vec3 p : mesh.positions)
    if (std::isfinite(p[grid.w()])) largest = std::max(largest, std::abs(p[grid.w()] - grid.box.min[grid.w()]));
  return largest * 0x1p-24;
}

/// `roundings`: differences of depth beyond this many count as swapped.
inline LdiDifference compare(const Ldi& ldi, const Ldi& expected, MeshView mesh, double roundings) {
  LdiDifference d;
  const double unit = rounding(mesh, expected.grid);
  for (std::size_t i = 0; i < expected.grid.column_count(); ++i) {
    bool same_counts = true;
    double worst = 0;
    for (const bool entry : {false, true}) {
      const auto a = depths_of(ldi.column(i), entry), b = depths_of(expected.column(i), entry);
      same_counts = same_counts && a.size() == b.size();
      for (std::size_t k = 0; same_counts && k < a.size(); ++k)
        worst = std::max(worst, std::abs(static_cast<double>(a[k]) - b[k]) / unit);
    }
    if (same_counts && worst <= roundings) {
      d.depth = std::max(d.depth, worst);
      continue;
    }
    ++(same_counts ? d.swapped : d.columns);
    d.farthest = std::max(d.farthest, distance_to_edge(mesh, expected.grid, i));
  }
  return d;
}

}  // namespace lamella::test
