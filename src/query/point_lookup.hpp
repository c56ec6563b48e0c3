#pragma once

// Points and vertices looked up in an LDI, many at a time, with the caller's threads and memory.

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "core/positions.hpp"
#include "lamella/ldi.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Memory of lookups, kept between calls.
struct LookupScratch {
  std::vector<Vec3> placed;                      ///< a chunk of points for each worker
  std::vector<std::uint8_t> flags;               ///< likewise
  std::vector<std::vector<VertexInside>> found;  ///< for each chunk of vertices
};

/// Open, inside-out and occupied columns of the whole LDI, and what its build left out.
[[nodiscard]] Health health_of_columns(const Ldi& ldi, Workers& workers);

/// Where points are looked up. `into_grid` places them in the LDI's frame first; null: they are there already.
/// `mesh_box`: as in ColumnsView.
struct LookupTarget {
  const Ldi& ldi;
  const Placement* into_grid = nullptr;
  const Aabb* mesh_box = nullptr;
};

/// Fills grid, flags and counts of `out`, and its health except for `untrusted_points` from `health`.
void flag_points(const LookupTarget& target, std::span<const Vec3> points, const Health& health, Workers& workers,
                 LookupScratch& scratch, Containment& out);

/// Vertices in a volume, with their ways out: TR 395 stage 3b. Needs `mesh_box`. Returns the number of vertices in
/// columns that do not close. A vertex not further than `thickness` from where its ray leaves the solid does not count:
/// it may only touch.
std::uint64_t find_vertices(const LookupTarget& target, std::span<const Vec3> vertices, float thickness,
                            Workers& workers, LookupScratch& scratch, VerticesOfOne& out);

}  // namespace lamella
