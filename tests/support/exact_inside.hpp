#pragma once

// Slow, exact answers about one point and a mesh, to compare sampled ones with.

#include <algorithm>
#include <cmath>

#include "lamella/grid.hpp"
#include "lamella/mesh.hpp"
#include "support/winding_number.hpp"

namespace lamella::test {

/// Distance from a point to a triangle.
inline double distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  const auto to_segment = [&](Vec3d s, Vec3d e) {
    const Vec3d d = e - s;
    const double t = std::clamp(dot(p - s, d) / dot(d, d), 0.0, 1.0);
    const Vec3d r = p - (s + d * t);
    return std::sqrt(dot(r, r));
  };
  const Vec3d n = cross(b - a, c - a);
  const bool above =
      dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 && dot(cross(a - c, p - c), n) >= 0;
  if (above && dot(n, n) > 0) return std::abs(dot(p - a, n)) / std::sqrt(dot(n, n));
  return std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
}

inline double distance(MeshView mesh, Vec3 point) {
  double d = INFINITY;
  for (const Triangle& t : mesh.triangles)
    d = std::min(d, distance(to_double(point), to_double(mesh.positions[t.a]), to_double(mesh.positions[t.b]),
                             to_double(mesh.positions[t.c])));
  return d;
}

/// A sampled flag may be wrong only this close to the surface.
inline double cell_diagonal(const Grid& grid) { return std::hypot(grid.cell_u(), grid.cell_v()); }

}  // namespace lamella::test
