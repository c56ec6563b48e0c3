#pragma once

#include "engines/software/kernels.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// The matrix of a pose. All places that put vertices into the world go through it, so that they agree to the bit.
inline software::Placement placement_of(const Transform& pose) {
  const auto [x, y, z, w] = pose.rotation;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
          pose.translation};
}

}  // namespace lamella
