#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "lamella/mesh.hpp"
#include "scenes/vec.hpp"

namespace lamella::scenes {

struct ProfilePoint {
  double radius = 0;
  double along = 0;
};

constexpr ProfilePoint operator+(ProfilePoint a, ProfilePoint b) { return {a.radius + b.radius, a.along + b.along}; }
constexpr ProfilePoint operator*(ProfilePoint a, double s) { return {a.radius * s, a.along * s}; }

/// A closed mesh of rings around an axis, between two poles. `profile` is the outline, a dense polyline whose radius is
/// 0 at both ends and nowhere else. Rings are spread evenly along it, each with as many vertices as its radius wants,
/// so that triangles are nearly equal everywhere. Of exactly `faces` triangles (rounded down to even), but never fewer
/// than `min_rings` rings of three vertices need.
/// `place(radius, along, angle)` puts a point of the outline into space; the mesh is outward when (along the outline,
/// growing angle, outward) is right-handed there.
[[nodiscard]] Mesh revolve(const std::vector<ProfilePoint>& profile, std::size_t faces, std::size_t min_rings,
                           const std::function<Vec3d(double radius, double along, double angle)>& place);

/// Uniform cubic B-spline of control points: smooth, and close to them. `t` from 0 to 1; the ends are the first and the
/// last control point.
template <class Point>
[[nodiscard]] Point spline(const std::vector<Point>& control, double t) {
  const auto last = static_cast<std::ptrdiff_t>(control.size()) - 1;
  // Repeating the end points makes the curve reach them.
  const auto point = [&](std::ptrdiff_t i) {
    return control[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, last))];
  };
  const double x = std::clamp(t, 0.0, 1.0) * static_cast<double>(last + 2);
  const auto cell = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(x), last + 1);
  const double f = x - static_cast<double>(cell), g = 1 - f;
  return point(cell - 2) * (g * g * g / 6) + point(cell - 1) * ((3 * f * f * f - 6 * f * f + 4) / 6) +
         point(cell) * ((3 * g * g * g - 6 * g * g + 4) / 6) + point(cell + 1) * (f * f * f / 6);
}

}  // namespace lamella::scenes
