#include "scene/separation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/positions.hpp"

namespace lamella {
namespace {

/// A large mesh, such as a terrain, is sampled once for many small ones, and would be read for each of them here.
bool worth_a_pass(std::size_t vertices, std::size_t others) { return vertices <= 4096 + 8 * others; }

/// A number for each edge, by a hash that mixes well (splitmix64: Steele, Lea, Flood 2014), negative in one direction.
std::uint64_t edge_number(std::uint32_t from, std::uint32_t to) {
  if (from == to) return 0;
  std::uint64_t x = (std::uint64_t{std::min(from, to)} << 32 | std::max(from, to)) + 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return from < to ? x : 0 - x;
}

}  // namespace

bool closes(std::span<const Triangle> triangles) {
  std::uint64_t sum = 0;
  for (const Triangle& t : triangles) sum += edge_number(t.a, t.b) + edge_number(t.b, t.c) + edge_number(t.c, t.a);
  return sum == 0;
}

float gap_between(const PlacedObject& a, const PlacedObject& b) {
  if (!a.closed || !b.closed) return 0;
  const std::size_t vertices_a = a.mesh.positions.size(), vertices_b = b.mesh.positions.size();
  if (!worth_a_pass(vertices_a, vertices_b) || !worth_a_pass(vertices_b, vertices_a)) return 0;
  const Vec3d between = b.center - a.center;
  const double distance = std::sqrt(dot(between, between));
  if (!(distance > 0)) return 0;
  const Vec3 n = to_float(between * (1 / distance));
  const float gap = reach_along(n, b.mesh.positions).least - reach_along(n, a.mesh.positions).largest;
  float most = 0;
  for (const PlacedObject* o : {&a, &b})
    for (int i = 0; i < 3; ++i) most = std::max({most, std::abs(o->box.min[i]), std::abs(o->box.max[i])});
  return std::max(gap * (1 - 0x1p-18f) - 0x1p-18f * most, 0.0f);
}

}  // namespace lamella
