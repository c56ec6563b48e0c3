#pragma once

// The vector kernels of proofs: passes over all vertices or all triangles. The same results on every instruction set.

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/mesh.hpp"

namespace lamella::proof {

/// The sums of what the directed edges of triangles stand for; two, modulo 2^32, that are independent of one another.
/// Edges of opposite directions cancel (closed.cpp).
struct EdgeSums {
  std::uint32_t first = 0, second = 0;
};
[[nodiscard]] EdgeSums sum_edges(std::span<const Triangle> triangles);

/// For each position which faces of a box it is beyond: bit 2 k when coordinate k is below `low`, bit 2 k + 1 when it
/// is above `high`.
void write_outcodes(std::span<const Vec3> positions, Vec3 low, Vec3 high, std::uint8_t* out);

/// Appends the indices, from `begin` on, of the triangles whose corners' codes have no bit in common, and sums the
/// edges up in the same pass: the one waits for memory while the other computes.
EdgeSums collect_and_sum(std::span<const Triangle> triangles, std::uint32_t begin, const std::uint8_t* codes,
                         std::vector<std::uint32_t>& out);

/// For each position its cell along each axis, (p - low) * scale + 1 cut to 0 ... `last`, in fields of kCellBits bits.
inline constexpr unsigned kCellBits = 10;
void write_cells(std::span<const Vec3> positions, Vec3 low, Vec3 scale, float last, std::uint32_t* out);

}  // namespace lamella::proof
