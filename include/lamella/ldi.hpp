#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/grid.hpp"
#include "lamella/voi.hpp"

namespace lamella {

/// Where a ray passes through a surface, in four bytes.
///
/// The key is the bit pattern of the depth (never negative, so its sign bit is free) shifted left by one, with the
/// orientation in the lowest bit. Comparing keys as integers orders by depth and, at equal depth, exits first.
struct Crossing {
  std::uint32_t key = 0;

  [[nodiscard]] static constexpr Crossing make(float depth, bool entry) {
    return {(std::bit_cast<std::uint32_t>(depth) << 1) | static_cast<std::uint32_t>(entry)};
  }
  /// Distance from the box's low face, in the mesh's units.
  [[nodiscard]] constexpr float depth() const { return std::bit_cast<float>(key >> 1); }
  [[nodiscard]] constexpr bool entry() const { return (key & 1u) != 0; }
  /// +1 entering the solid, -1 leaving it, along the ray.
  [[nodiscard]] constexpr int sign() const { return static_cast<int>(key & 1u) * 2 - 1; }
  friend constexpr auto operator<=>(const Crossing&, const Crossing&) = default;
};
static_assert(sizeof(Crossing) == 4);

/// Layered depth image: a grid and, for each of its columns, the sorted crossings of one mesh.
struct Ldi {
  Grid grid;
  /// Ends at which the winding is known to be 0. An engine that samples the whole column sets `both`; one that stops at
  /// the box (a GPU's clip planes) sets the end of the outside face it looked from.
  End outside = End::both;
  std::vector<std::uint32_t> offsets;  ///< column_count() + 1; column i is crossings[offsets[i] .. offsets[i + 1])
  std::vector<Crossing> crossings;
  /// Triangles left out: a vertex is NaN, infinite, or too far away (those that cover no sample need not count).
  std::uint32_t skipped_triangles = 0;
  /// Crossings known to be missing: peeling keeps only one where several surfaces that face the same way share a depth.
  std::uint64_t dropped_crossings = 0;
  /// Entries and exits were not measured: they alternate, beginning with an entry at the outside end (gl-tr395). True
  /// of a mesh that does not overlap itself; for any other the orientations are wrong, and nothing here shows it.
  bool alternating = false;

  [[nodiscard]] std::span<const Crossing> column(std::size_t i) const {
    return std::span(crossings).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Sum of a column's signs: 0 when it closes.
[[nodiscard]] inline int balance(std::span<const Crossing> column) {
  int sum = 0;
  for (const Crossing c : column) sum += c.sign();
  return sum;
}

/// Winding just before the first crossing: 0, or minus the sum of signs when only the high end is outside.
[[nodiscard]] inline int initial_winding(const Ldi& ldi, std::span<const Crossing> column) {
  return ldi.outside == End::high ? -balance(column) : 0;
}

/// Whether the column's winding returns to 0. True of every column of a closed mesh. A column cut by the box (outside
/// at one end only) cannot be checked and counts as closed.
[[nodiscard]] inline bool closes(const Ldi& ldi, std::span<const Crossing> column) {
  return ldi.outside != End::both || balance(column) == 0;
}

/// One depth image, with a value per column of the grid. Methods that draw a mesh several times make one per pass.
struct DepthLayer {
  bool entry = false;        ///< depths of entries, or of exits
  std::vector<float> depth;  ///< from the box's low face; below 0 where the layer has no crossing
  bool mixed = false;        ///< both, as drawn (gl-tr395); `entry` is then true and means nothing
};

/// Layers of entries, then layers of exits: layer i has the i-th crossing of its kind of every column, by depth.
[[nodiscard]] LAMELLA_API std::vector<DepthLayer> depth_layers(const Ldi& ldi);

struct LdiReport {
  bool well_formed = false;            ///< sizes agree, offsets ascend, columns are sorted, depths lie in the box
  std::string problem;                 ///< text: the first thing that is not well formed; empty otherwise
  std::uint32_t open_columns = 0;      ///< columns that do not close
  std::uint32_t max_layers = 0;        ///< crossings of the fullest column
  std::uint32_t occupied_columns = 0;  ///< columns with a crossing
};

/// Checks the invariants above. Reads everything once.
[[nodiscard]] LAMELLA_API LdiReport validate(const Ldi& ldi);

}  // namespace lamella
