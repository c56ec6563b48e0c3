#pragma once

#include <cstdint>
#include <span>

#include "lamella/ldi.hpp"

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

/// Points found inside, points in columns that do not close, and all points within the grid's box.
struct PointCounts {
  std::uint64_t inside = 0, untrusted = 0, looked_up = 0;
};

/// Writes one flag per point, many points at a time; compiled for every instruction set.
PointCounts flag_points(const ColumnsView& columns, std::span<const Vec3> points, std::uint8_t* inside);

}  // namespace lamella
