#pragma once

// Generalised winding numbers (Jacobson, Kavan, Sorkine-Hornung 2013): the sum of the solid angles of all triangles
// (van Oosterom and Strackee 1983), in double, over every triangle. 1 inside and 0 outside of a closed mesh; between
// the two for an open one, and taken for inside from 0.5 on.

#include <algorithm>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::test {

/// Exact but for rounding, and for points on the surface. Small angles are added up as a product of complex numbers,
/// which takes one arc tangent for several of them.
inline double winding_number(MeshView mesh, Vec3 point) {
  double angle = 0, re = 1, im = 0;
  int factors = 0;
  const auto flush = [&] {
    if (factors != 0) angle += std::atan2(im, re);
    re = 1, im = 0, factors = 0;
  };
  const Vec3d p = to_double(point);
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = to_double(mesh.positions[t.a]) - p, b = to_double(mesh.positions[t.b]) - p,
                c = to_double(mesh.positions[t.c]) - p;
    const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
    const double y = dot(a, cross(b, c)), x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    if (!(std::abs(y) < 0.1 * x)) {
      angle += std::atan2(y, x);
      continue;
    }
    const double r = y / x, was = re;
    re -= im * r;
    im += was * r;
    if (++factors == 16) flush();  // each turns by less than 0.1
  }
  flush();
  return angle / (2 * 3.14159265358979323846);
}

/// The same for many points, on all cores.
inline std::vector<double> winding_numbers(MeshView mesh, std::span<const Vec3> points) {
  std::vector<double> numbers(points.size());
  const std::size_t count = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      for (std::size_t i = k; i < points.size(); i += count) numbers[i] = winding_number(mesh, points[i]);
    });
  for (std::thread& thread : threads) thread.join();
  return numbers;
}

}  // namespace lamella::test
