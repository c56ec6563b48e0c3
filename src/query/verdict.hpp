#pragma once

// From sums to a verdict. CUDA kernels use it too.

#include "core/host_device.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Whether columns, triangles or crossings that were left out could hide an overlap. Holes that were closed are judged
/// apart, by where they are.
LAMELLA_HOST_DEVICE inline bool may_hide_overlap(const Health& health) {
  return health.open_columns != 0 || health.inside_out_columns != 0 || health.skipped_triangles != 0 ||
         health.dropped_crossings != 0 || health.uncertain_spans != 0;
}

/// The verdict of an overlap with so many spans that are certain.
LAMELLA_HOST_DEVICE inline Verdict verdict_of(std::uint64_t span_count, const Health& health) {
  if (span_count != 0) return Verdict::colliding;
  return may_hide_overlap(health) ? Verdict::undecided : Verdict::clear;
}

/// Whether spans with these sums cannot be an error of the lattice (witness.hpp): they are more than walls that touch
/// along rays could make, and longer than slopes that touch could make. `bounds` are those of the spans' prisms.
LAMELLA_HOST_DEVICE inline bool sums_suffice(const Grid& grid, std::uint64_t span_count, double volume,
                                             const Aabb& bounds) {
  if (span_count == 0 || bounds.empty()) return false;
  const double cell_u = grid.cell_u(), cell_v = grid.cell_v();
  const double across = (static_cast<double>(bounds.max[grid.u()]) - bounds.min[grid.u()]) / cell_u;
  const double along = (static_cast<double>(bounds.max[grid.v()]) - bounds.min[grid.v()]) / cell_v;
  const double larger = cell_u < cell_v ? cell_v : cell_u;
  const auto count = static_cast<double>(span_count);
  return count > 2 * (across + along) && volume > count * cell_u * cell_v * larger / 4;
}

/// The verdict by sums alone: undecided where only a look at the meshes could tell.
LAMELLA_HOST_DEVICE inline Verdict verdict_by_sums(const Grid& grid, std::uint64_t span_count, double volume,
                                                   const Aabb& bounds, const Health& health) {
  if (span_count != 0 && !sums_suffice(grid, span_count, volume, bounds)) return Verdict::undecided;
  return verdict_of(span_count, health);
}

}  // namespace lamella
