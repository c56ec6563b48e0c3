#pragma once

#include <cstdint>
#include <vector>

#include "geometry_image/make/map_weights.hpp"

namespace lamella::gi {

/// Vertices that are eliminated together: [first, first + count) of the order.
struct Separator {
  std::uint32_t first = 0, count = 0;
  std::uint32_t children = 0;  ///< separators before it that it keeps apart, 0 to 2; each comes with all of its own
};

/// An order of the interior vertices in which few become dependent on one another when they are eliminated.
struct Dissection {
  std::vector<std::uint32_t> order;
  std::vector<Separator> separators;  ///< children before parents; the last is that of the whole
};

/// n log n for n vertices.
[[nodiscard]] Dissection dissect(const Disc& disc, const MapWeights& pattern);

}  // namespace lamella::gi
