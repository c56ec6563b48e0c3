#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "geometry_image/make/surface.hpp"

namespace lamella::gi {

inline constexpr std::uint32_t kNone = ~0u;

/// Shortest paths along edges from some sources to every vertex.
struct PathTree {
  std::vector<double> distances;   ///< infinite where no path was found
  std::vector<std::uint32_t> via;  ///< the half-edge that arrives at a vertex, or kNone at sources

  /// The half-edges from a source to v, in order.
  [[nodiscard]] std::vector<std::uint32_t> path(const Surface& s, std::uint32_t v) const;
};

/// Vertices further than `reach` may be left out. Ties are broken the same way every time.
[[nodiscard]] PathTree grow_paths(const Surface& s, std::span<const std::uint32_t> sources,
                                  double reach = std::numeric_limits<double>::infinity());

}  // namespace lamella::gi
