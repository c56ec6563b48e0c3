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
};

/// Points found inside, and points in columns that do not close.
struct PointCounts {
  std::uint64_t inside = 0, untrusted = 0;
};

/// Writes one flag per point, many points at a time; compiled for every instruction set.
PointCounts flag_points(const ColumnsView& columns, std::span<const Vec3> points, std::uint8_t* inside);

}  // namespace lamella
