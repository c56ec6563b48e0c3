#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lamella/clash.hpp"
#include "lamella/grid.hpp"
#include "lamella/result.hpp"

namespace lamella::clash {

/// The most regions of a pair that are listed. A film that rays meet here and there falls apart into very many.
inline constexpr std::size_t kMostRegions = 64;

struct Regions {
  std::vector<ClashRegion> largest;  ///< in world coordinates, the largest first; at most kMostRegions
  std::uint32_t count = 0;
  Vec3d min{}, max{};  ///< of all of them
};

enum class Walls {
  thick,  ///< spans belong together where they are less than a cell apart along the rays
  thin,   ///< the same of walls of one thickness, thinner than a cell, as press fits share them: where such a wall is
          ///< tilted, its spans are longer, and farther apart
};

/// The connected parts of an overlap, by spans of neighbouring columns, corners included. `spans`: ascending by column,
/// then depth; `to_world`: where the grid is.
[[nodiscard]] Regions find_regions(const Grid& grid, std::span<const Span> spans, const Transform& to_world,
                                   Walls walls = Walls::thick);
[[nodiscard]] inline Regions find_regions(const Overlap& seen, Walls walls = Walls::thick) {
  return find_regions(seen.grid, seen.spans, {seen.origin, {}}, walls);
}

}  // namespace lamella::clash
