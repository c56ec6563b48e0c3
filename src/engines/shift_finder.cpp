#include "engines/shift_finder.hpp"

#include <cmath>

namespace lamella {

/// Duff et al., "Building an Orthonormal Basis, Revisited" (JCGT 2017): no branch but a sign, and no square root.
ViewRotation rotation_to(Vec3d d) {
  const double sign = std::copysign(1.0, d.z);
  const double a = -1 / (sign + d.z), b = d.x * d.y * a;
  return {{1 + sign * d.x * d.x * a, sign * b, -sign * d.x}, {b, sign + d.y * d.y * a, -d.y}, d};
}

}  // namespace lamella
