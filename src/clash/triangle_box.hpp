#pragma once

#include <algorithm>

#include "lamella/mesh.hpp"

namespace lamella::clash {

/// Whether a triangle's box and another meet. All corners must be usable.
inline bool meets(const Aabb& box, MeshView mesh, const Triangle& t) {
  const Vec3 &a = mesh.positions[t.a], &b = mesh.positions[t.b], &c = mesh.positions[t.c];
  for (int k = 0; k < 3; ++k)
    if (std::max({a[k], b[k], c[k]}) < box.min[k] || std::min({a[k], b[k], c[k]}) > box.max[k]) return false;
  return true;
}

}  // namespace lamella::clash
