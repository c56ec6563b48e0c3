#pragma once

#include "lamella/math.hpp"

namespace lamella::proof {

/// Whether two triangles of one mesh share a point that is no corner and no edge of both. Corners with equal
/// coordinates are shared ones. False when one of them has no area.
[[nodiscard]] bool meet_elsewhere(const Vec3 s[3], const Vec3 t[3]);

}  // namespace lamella::proof
