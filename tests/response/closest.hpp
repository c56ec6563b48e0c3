#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lamella/mesh.hpp"

namespace lamella::test {

struct Closest {
  double distance = 0;
  bool inside = false;
};

/// Distance from a point to a triangle, by its plane and its three edges, unlike the library's.
inline double triangle_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d n = cross(b - a, c - a);
  const Vec3d corner[3] = {a, b, c};
  bool over = true;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const Vec3d from = corner[i], along = corner[(i + 1) % 3] - from;
    over = over && dot(cross(along, p - from), n) >= 0;
    const double l2 = dot(along, along);
    const double t = l2 > 0 ? std::clamp(dot(p - from, along) / l2, 0.0, 1.0) : 0.0;
    const Vec3d away = p - (from + along * t);
    least = std::min(least, std::sqrt(dot(away, away)));
  }
  const double l = std::sqrt(dot(n, n));
  return over && l > 0 ? std::abs(dot(p - a, n)) / l : least;
}

inline double distance_by_brute_force(MeshView mesh, Vec3 point) {
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle t : mesh.triangles)
    least = std::min(least, triangle_distance(to_double(point), to_double(mesh.positions[t.a]),
                                              to_double(mesh.positions[t.b]), to_double(mesh.positions[t.c])));
  return least;
}

/// Inside by the sum of solid angles (van Oosterom, Strackee 1983).
inline Closest closest_by_brute_force(MeshView mesh, Vec3 point) {
  const Vec3d p = to_double(point);
  double angle = 0;
  for (const Triangle t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]), b = to_double(mesh.positions[t.b]),
                c = to_double(mesh.positions[t.c]);
    const Vec3d x = a - p, y = b - p, z = c - p;
    const double lx = std::sqrt(dot(x, x)), ly = std::sqrt(dot(y, y)), lz = std::sqrt(dot(z, z));
    angle += 2 * std::atan2(dot(x, cross(y, z)), lx * ly * lz + dot(x, y) * lz + dot(y, z) * lx + dot(z, x) * ly);
  }
  return {distance_by_brute_force(mesh, point), angle > 6.28318530717958648};
}

}  // namespace lamella::test
