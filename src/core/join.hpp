#pragma once

// Which vertices are at the same place.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random_plane.hpp"
#include "lamella/math.hpp"

namespace lamella {

/// Calls join(first, i) for every i below `count` that is wanted(i): `first`, which comes before the others, is the
/// lowest with the same position(i), a Vec3d that is not NaN. Sorts by a number made of the coordinates, which takes
/// less time than sorting by coordinates; those that share it by chance are told apart.
template <class Position, class Join, class Wanted>
void join_sorted(std::size_t count, const Position& position, const Join& join, const Wanted& wanted) {
  struct Key {
    std::uint64_t number = 0;
    std::uint32_t index = 0;
  };
  std::vector<Key> keys;
  keys.reserve(count);
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x + 0.0); };
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!wanted(i)) continue;
    const Vec3d p = position(i);
    keys.push_back({mix(mix(mix(bits(p.x)) + bits(p.y)) + bits(p.z)), i});
  }
  const auto before = [&](const Key& a, const Key& b) {
    if (a.number != b.number) return a.number < b.number;
    const Vec3d p = position(a.index), q = position(b.index);
    for (int k = 0; k < 3; ++k)
      if (p[k] != q[k]) return p[k] < q[k];
    return a.index < b.index;
  };
  std::sort(keys.begin(), keys.end(), before);
  for (std::size_t i = 0, first = 0; i < keys.size(); ++i) {
    if (!(position(keys[i].index) == position(keys[first].index))) first = i;
    join(keys[first].index, keys[i].index);
  }
}

/// For each position the first index with the same coordinates (-0 is 0). Positions that are NaN stay alone.
/// n log n, whatever the coordinates are.
[[nodiscard]] std::vector<std::uint32_t> join_equal(std::span<const Vec3> positions);

/// The same for positions up to `distance` apart (above 0): each vertex in order joins the first one within that
/// distance that has joined no other. So vertices that are joined are at most twice the distance apart, however many
/// lie in a row.
[[nodiscard]] std::vector<std::uint32_t> join_near(std::span<const Vec3> positions, float distance);

}  // namespace lamella
