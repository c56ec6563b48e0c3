#pragma once

#include <cstddef>
#include <cstdint>

#include "lamella/math.hpp"

namespace lamella {

enum class Axis : std::uint8_t { x = 0, y = 1, z = 2 };

/// The sample grid: one ray through the centre of each of `columns` x `rows` equal cells of the box's face, along
/// `axis`, towards larger coordinates.
///
/// With w the ray axis, u = w + 1 and v = w + 2 (cyclically): columns count along u, rows along v. This order keeps (u,
/// v, w) right-handed for every axis.
struct Grid {
  Aabb box;             ///< the volume of interest
  Axis axis = Axis::z;  ///< of the rays
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;

  [[nodiscard]] constexpr int w() const { return static_cast<int>(axis); }
  [[nodiscard]] constexpr int u() const { return (w() + 1) % 3; }
  [[nodiscard]] constexpr int v() const { return (w() + 2) % 3; }
  [[nodiscard]] constexpr std::size_t column_count() const { return static_cast<std::size_t>(columns) * rows; }
  /// Length of the box along the rays; depths run from 0 to this.
  [[nodiscard]] constexpr float depth() const { return box.max[w()] - box.min[w()]; }
  /// Cell size along u and v, in double: cell areas are summed over the whole image.
  [[nodiscard]] constexpr double cell_u() const { return (static_cast<double>(box.max[u()]) - box.min[u()]) / columns; }
  [[nodiscard]] constexpr double cell_v() const { return (static_cast<double>(box.max[v()]) - box.min[v()]) / rows; }
  [[nodiscard]] constexpr double cell_area() const { return cell_u() * cell_v(); }
  friend constexpr bool operator==(const Grid&, const Grid&) = default;
};

/// A grid of `resolution` columns and rows.
[[nodiscard]] constexpr Grid square_grid(const Aabb& box, Axis axis, std::uint32_t resolution) {
  return {box, axis, resolution, resolution};
}

/// The most columns and the most rows of a grid.
inline constexpr std::uint32_t kMaxResolution = 16384;

/// World position of a sample: the centre of cell `column` (row-major index) at `depth` from the box's low face.
[[nodiscard]] constexpr Vec3d sample_position(const Grid& grid, std::size_t column, double depth) {
  Vec3d p;
  p[grid.u()] = grid.box.min[grid.u()] + (static_cast<double>(column % grid.columns) + 0.5) * grid.cell_u();
  p[grid.v()] = grid.box.min[grid.v()] + (static_cast<double>(column / grid.columns) + 0.5) * grid.cell_v();
  p[grid.w()] = grid.box.min[grid.w()] + depth;
  return p;
}

}  // namespace lamella
