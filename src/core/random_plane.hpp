#pragma once

// A test for closed meshes without a table of edges: put each vertex at a random-looking place in a plane, in integers
// modulo 2^64. Twice the signed area of a triangle there is a sum over its directed edges, and the opposite edge has
// the opposite term; so the areas of a closed mesh sum to 0. For an open one the sum is a polynomial of the places that
// is not 0, and vanishes by chance with a probability of about 2^-60.

#include <cstdint>

namespace lamella {

/// The finaliser of MurmurHash3 (Austin Appleby): every bit of the input changes half of the output's.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

struct PlanePoint {
  std::uint64_t u = 0, v = 0;
};

/// The place of the vertex that `key` tells from others.
constexpr PlanePoint plane_point(std::uint64_t key) {
  const std::uint64_t u = mix(key + 0x9e3779b97f4a7c15u);
  return {u, mix(u ^ 0xd1b54a32d192ed03u)};
}

constexpr std::uint64_t twice_area(PlanePoint a, PlanePoint b, PlanePoint c) {
  return (b.u - a.u) * (c.v - a.v) - (c.u - a.u) * (b.v - a.v);
}

}  // namespace lamella
