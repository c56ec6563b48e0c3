#pragma once

#include <limits>

#include "core/four.hpp"
#include "geometry_image/search.hpp"

// Four spheres of a pyramid against one, in one vector operation.

namespace lamella::gi {

struct Spheres {
  Four x, y, z, r;
};

inline Spheres children(const Side& side, Node node) {
  const Sphere* low = &side.at(node.child(0));
  const Sphere* high = low + side.width;
  Spheres s{load(&low[0].x), load(&low[1].x), load(&high[0].x), load(&high[1].x)};
  transpose(s.x, s.y, s.z, s.r);
  return s;
}

/// By how much each of four spheres overlaps a single one, from 1 (concentric) to 0 (touching); below, not at all.
inline Four depths(const Spheres& four, const Sphere& one, float slack) {
  const Four x = four.x - one.x, y = four.y - one.y, z = four.z - one.z;
  const Four reach = four.r + (one.radius + slack);
  // Squares of tiny radii underflow; the smallest normal number keeps such spheres from counting as apart.
  return 1 - (x * x + y * y + z * z) / (reach * reach + std::numeric_limits<float>::min());
}

}  // namespace lamella::gi
