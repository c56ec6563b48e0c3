#pragma once

#include "lamella/math.hpp"

namespace lamella {

/// Of length 1 and the same direction; 0 stays 0.
[[nodiscard]] inline Vec3d unit(Vec3d v) {
  const double size = length(v);
  return size > 0 ? v * (1 / size) : Vec3d{};
}

}  // namespace lamella
