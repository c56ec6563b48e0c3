#pragma once

#include <cstdint>
#include <span>

#include "lamella/ldi.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// The columns of an Ldi.
struct ColumnsView {
  const Grid& grid;
  End outside;
  std::span<const std::uint32_t> offsets;
  std::span<const Crossing> crossings;
  /// The box of the mesh, where the grid's box may be a part of it. Points on any face of the grid's box are then
  /// looked up, since the solid may continue there; only those strictly inside the mesh's box can be inside.
  const Aabb* mesh_box = nullptr;
};

/// The columns of a rectangle of the grid's cells, in any order of depth: crossing i of column c is keys[i * plane +
/// c].
struct LayeredColumns {
  const Grid& grid;
  std::uint32_t first_u = 0, first_v = 0;  ///< of the rectangle
  std::uint32_t stride = 0;                ///< from one row's columns to the next
  const std::uint8_t* counts = nullptr;    ///< readable for three columns more
  const std::uint32_t* keys = nullptr;
  std::size_t plane = 0;
  const Aabb* mesh_box = nullptr;  ///< as in ColumnsView
  /// Sums of the signs of a column's further crossings: of those with a key below `here`, and of all. Asked for columns
  /// with `full` crossings; null when there are none.
  struct Signs {
    int before = 0, all = 0;
  };
  Signs (*further)(void* owner, std::uint32_t column, std::uint32_t here) = nullptr;
  void* owner = nullptr;
  std::int32_t full = 0;
};

/// Points found inside, points that are kPointUnknown, and all points within the grid's box.
struct PointCounts {
  std::uint64_t inside = 0, untrusted = 0, looked_up = 0;
};

/// Writes one flag per point, many points at a time; compiled for every instruction set.
PointCounts flag_points(const ColumnsView& columns, std::span<const Vec3> points, std::uint8_t* inside);
/// All points that are within the grid must lie in the rectangle. Columns must be whole, see End::both.
PointCounts flag_points(const LayeredColumns& columns, std::span<const Vec3> points, std::uint8_t* inside);

/// A grid cut into rectangles of 2^shift_u by 2^shift_v cells, numbered row by row, `across` in a row.
struct CellBlocks {
  unsigned shift_u = 0, shift_v = 0;
  std::uint32_t across = 0;
};
/// Writes the rectangle of each point that flag_points() would look up, and `none` for the others. `mesh_box`: as in
/// ColumnsView.
void find_blocks(const Grid& grid, const Aabb* mesh_box, const CellBlocks& blocks, std::span<const Vec3> points,
                 std::uint32_t none, std::uint32_t* out);

/// The cell of a point along one axis, as the kernels find it; the point must be within the grid.
inline std::uint32_t cell_along(const Grid& g, Vec3 p, int axis, double size, std::uint32_t count) {
  const auto i = static_cast<std::uint32_t>((p[axis] - g.box.min[axis]) * static_cast<float>(1 / size));
  return i < count ? i : count - 1;
}

}  // namespace lamella
