#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lamella/math.hpp"

namespace lamella::bench {

/// A convex polytope: triangles, counter-clockwise seen from outside.
struct Hull {
  std::vector<Vec3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> faces;
};

/// The convex hull of points; those closer than 1e-9 of its size to a face may be left out. Point by point, with time
/// in proportion to points times faces: for some thousands of points. Throws Error for points that lie in one plane.
[[nodiscard]] Hull convex_hull(std::span<const Vec3> points);

}  // namespace lamella::bench
