#pragma once

// The winding number of a point among triangles with whole coordinates, in integers: what exact answers are held
// against. By another way than the library: a ray in a skew direction, and another one where it meets an edge.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::test {

/// Coordinates up to some thousands, counted in halves: products of three, with a direction, stay far below 2^63.
using Whole = std::array<std::int64_t, 3>;

inline Whole whole(Vec3 p, float unit) {
  return {static_cast<std::int64_t>(p.x / unit), static_cast<std::int64_t>(p.y / unit),
          static_cast<std::int64_t>(p.z / unit)};
}
inline Whole minus(Whole a, Whole b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Whole cross(Whole a, Whole b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline std::int64_t dot(Whole a, Whole b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline bool on_segment(Whole p, Whole a, Whole b) {
  return cross(minus(b, a), minus(p, a)) == Whole{} && dot(minus(a, p), minus(b, p)) <= 0;
}

inline bool on_triangle(Whole p, Whole a, Whole b, Whole c) {
  const Whole n = cross(minus(b, a), minus(c, a));
  if (n == Whole{}) return on_segment(p, a, b) || on_segment(p, b, c) || on_segment(p, c, a);
  const auto left_of = [&](Whole s, Whole e) { return dot(cross(minus(e, s), minus(p, s)), n) >= 0; };
  return dot(n, minus(p, a)) == 0 && left_of(a, b) && left_of(b, c) && left_of(c, a);
}

/// Nothing where the ray meets an edge. The point must not be on a triangle.
inline std::optional<int> winding_along(Whole d, Whole p, const std::vector<std::array<Whole, 3>>& triangles) {
  int winding = 0;
  for (const auto& [a, b, c] : triangles) {
    const Whole n = cross(minus(b, a), minus(c, a));
    if (n == Whole{}) continue;
    const Whole pa = minus(a, p), pb = minus(b, p), pc = minus(c, p);
    const std::int64_t s[3] = {dot(d, cross(pa, pb)), dot(d, cross(pb, pc)), dot(d, cross(pc, pa))};
    const bool any_up = s[0] > 0 || s[1] > 0 || s[2] > 0, any_down = s[0] < 0 || s[1] < 0 || s[2] < 0;
    if (any_up && any_down) continue;
    if (s[0] == 0 || s[1] == 0 || s[2] == 0) return std::nullopt;
    const std::int64_t along = dot(n, d), ahead = dot(n, pa);
    if ((ahead > 0) == (along > 0)) winding += along > 0 ? 1 : -1;
  }
  return winding;
}

/// The flag that contains() must give, by winding numbers: 0 on the surface and outside, 1 inside, 2 where the winding
/// is negative. All coordinates must be multiples of `unit`.
inline std::uint8_t exact_flag(MeshView mesh, Vec3 point, float unit) {
  const Whole p = whole(point, unit);
  std::vector<std::array<Whole, 3>> triangles;
  for (const Triangle& t : mesh.triangles) {
    const std::array<Whole, 3> c{whole(mesh.positions[t.a], unit), whole(mesh.positions[t.b], unit),
                                 whole(mesh.positions[t.c], unit)};
    if (on_triangle(p, c[0], c[1], c[2])) return 0;
    triangles.push_back(c);
  }
  for (std::int64_t k = 1;; ++k) {
    const auto winding = winding_along({1009 * k + 1, 70 * k * k + 3, 40009 - 13 * k}, p, triangles);
    if (winding) return *winding > 0 ? 1 : *winding < 0 ? 2 : 0;
  }
}

}  // namespace lamella::test
