#pragma once

#include <cstdint>
#include <span>

#include "lamella/ldi.hpp"

namespace lamella {

/// Points found inside, and points in columns that do not close.
struct PointCounts {
  std::uint64_t inside = 0, untrusted = 0;
};

/// Writes one flag per point, many points at a time; compiled for every instruction set.
PointCounts flag_points(const Ldi& ldi, std::span<const Vec3> points, std::uint8_t* inside);

}  // namespace lamella
