#pragma once

#include <limits>

#include "core/four.hpp"
#include "geometry_image/search.hpp"

// Four spheres of a pyramid against one, in one vector operation.

namespace lamella::gi {

struct Spheres {
  Four x, y, z, r;
};

/// The same where they are codes; each has the bits that Side::decoded gives.
inline Spheres coded_children(const Side& side, Node node) {
  using Codes = std::uint16_t __attribute__((vector_size(8)));
  using Bits = std::int32_t __attribute__((vector_size(16)));
  const SphereCode* const low = side.codes + side.place(node.child(0));
  const SphereCode* const high = low + side.width;
  const auto bits = [](const SphereCode& code) {
    Codes c;
    std::memcpy(&c, &code, sizeof c);
    return (Four) __builtin_convertvector(c, Bits);
  };
  Four x = bits(low[0]), y = bits(low[1]), z = bits(high[0]), r = bits(high[1]);
  transpose(x, y, z, r);
  const auto along = [](Four code, float from, float step) {
    return from + __builtin_convertvector((Bits)code, Four) * step;
  };
  return {along(x, side.low.x, side.step.x), along(y, side.low.y, side.step.y), along(z, side.low.z, side.step.z),
          (Four)((Bits)r << 16)};
}

inline Spheres children(const Side& side, Node node) {
  if (side.pixels == nullptr) return coded_children(side, node);
  const Sphere* low = side.pixels + side.place(node.child(0));
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
