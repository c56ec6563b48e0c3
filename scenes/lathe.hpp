#pragma once

#include "scenes/polygon.hpp"

namespace lamella::scenes {

/// A ring: the outline turned about the z axis. Its x is the radius, above 0 everywhere, its y the height; it is
/// counter-clockwise. Of `corners` flat parts around the axis.
[[nodiscard]] Mesh lathe(const Polygon& outline, int corners);

}  // namespace lamella::scenes
