#pragma once

// Which vertices are at the same place.

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/math.hpp"

namespace lamella {

/// For each position the first index with the same coordinates (-0 is 0). Positions that are NaN stay alone.
/// n log n, whatever the coordinates are.
[[nodiscard]] std::vector<std::uint32_t> join_equal(std::span<const Vec3> positions);

/// The same for positions up to `distance` apart (above 0): each vertex in order joins the first one within that
/// distance that has joined no other. So vertices that are joined are at most twice the distance apart, however many
/// lie in a row.
[[nodiscard]] std::vector<std::uint32_t> join_near(std::span<const Vec3> positions, float distance);

}  // namespace lamella
