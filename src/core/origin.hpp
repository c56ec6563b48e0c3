#pragma once

// Where coordinates are measured from. Floats have 24 bits: far from the origin of the world they are coarse, so what
// is sampled together is rounded relative to an origin near it. Poses, origins of meshes and meshes in doubles all meet
// here.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/placement.hpp"
#include "core/positions.hpp"
#include "lamella/mesh.hpp"

namespace lamella {

/// A mesh farther away than this many times its size gets an origin: its floats would lose more than 2^-20 of its size.
inline constexpr double kFarFromOrigin = 16;

/// The nearest floats; infinite beyond float's range, which the cast alone leaves undefined.
inline Vec3 narrow(Vec3d p) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Vec3 out;
  for (int i = 0; i < 3; ++i) {
    const bool fits = !(std::abs(p[i]) > std::numeric_limits<float>::max());
    out[i] = fits ? static_cast<float>(p[i]) : p[i] > 0 ? kInfinity : -kInfinity;
  }
  return out;
}

/// A box in doubles, in world coordinates.
struct WideBox {
  Vec3d min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

  [[nodiscard]] bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
};

/// Of positions that are relative to `origin`.
inline WideBox wide_box(const Aabb& box, Vec3d origin = {}) {
  if (box.empty()) return {};
  return {to_double(box.min) + origin, to_double(box.max) + origin};
}

/// A box around what `box` holds, placed by `pose`. Not exact: the rotated box's own box.
inline WideBox wide_box(const WideBox& box, const Transform& pose) {
  if (box.empty()) return {};
  const Placement p = placement_of(pose);
  const Vec3d middle = (box.min + box.max) * 0.5, half = (box.max - box.min) * 0.5;
  WideBox placed;
  for (int i = 0; i < 3; ++i) {
    const Vec3d r = p.rows[i];
    const double at = dot(r, middle) + p.translation[i];
    const double reach = std::abs(r.x) * half.x + std::abs(r.y) * half.y + std::abs(r.z) * half.z;
    placed.min[i] = at - reach;
    placed.max[i] = at + reach;
  }
  return placed;
}

/// A box around both.
inline WideBox unite(const WideBox& a, const WideBox& b) {
  WideBox s;
  for (int i = 0; i < 3; ++i) {
    s.min[i] = std::min(a.min[i], b.min[i]);
    s.max[i] = std::max(a.max[i], b.max[i]);
  }
  return s;
}

/// What two boxes have in common; empty when they are apart.
inline WideBox shared_box(const WideBox& a, const WideBox& b) {
  WideBox s;
  for (int i = 0; i < 3; ++i) {
    s.min[i] = std::max(a.min[i], b.min[i]);
    s.max[i] = std::min(a.max[i], b.max[i]);
  }
  return s;
}

/// An origin for what lies in `box`, or, where shared_box() found none, in the gap between two boxes: 0 while the box
/// is within `near` times its own size of the origin of the world, else near its centre, at a multiple of a power of
/// two of about its size, so that it seldom changes while things move. It depends on the box alone, so it is the same
/// for (a, b) and (b, a).
inline Vec3d origin_for(const WideBox& box, double near = 2) {
  double size = 0, reach = 0;
  for (int i = 0; i < 3; ++i) {
    size = std::max(size, std::abs(box.max[i] - box.min[i]));
    reach = std::max({reach, std::abs(box.min[i]), std::abs(box.max[i])});
  }
  if (!std::isfinite(reach) || reach <= near * size) return {};
  const double step = std::ldexp(1.0, std::ilogb(std::max(size, reach * 0x1p-40)));
  const Vec3d middle = (box.min + box.max) * 0.5;
  return {std::round(middle.x / step) * step, std::round(middle.y / step) * step, std::round(middle.z / step) * step};
}

/// As origin_for(), but along axes where the box is thin, below 2^-8 of its longest side, within the box: what two
/// large parts share may be a film, whose thickness floats relative to a place a part's size away do not hold.
inline Vec3d origin_for_thin(const WideBox& box) {
  Vec3d origin = origin_for(box);
  const Vec3d size = box.max - box.min;
  const double longest = std::max({size.x, size.y, size.z});
  for (int i = 0; i < 3; ++i) {
    const double reach = std::max(std::abs(box.min[i]), std::abs(box.max[i]));
    if (!(size[i] > 0) || !(size[i] < 0x1p-8 * longest) || !std::isfinite(reach)) continue;
    const double step = std::ldexp(1.0, std::ilogb(std::max(size[i], reach * 0x1p-40)));
    origin[i] = std::round(0.5 * (box.min[i] + box.max[i]) / step) * step;
  }
  return origin;
}

/// The matrix that places positions relative to `from` by `pose`, with the result relative to `to`.
inline Placement placement_between(const Transform& pose, Vec3d from, Vec3d to) {
  Placement p = placement_of(pose);
  for (int i = 0; i < 3; ++i) p.translation[i] = (p.translation[i] - to[i]) + dot(p.rows[i], from);
  return p;
}

/// The box of a mesh in either kind of numbers, in the world.
[[nodiscard]] WideBox wide_box(MeshView mesh);

/// Writes the positions of a mesh, placed by `pose` and relative to `origin`: computed in double, rounded once.
PositionFacts place_mesh(MeshView mesh, const Transform& pose, Vec3d origin, Vec3* to);

}  // namespace lamella
