#pragma once

#include <cstdint>
#include <vector>

#include "geometry_image/make/map_weights.hpp"

namespace lamella::gi {

/// Vertices that are eliminated together: [first, first + count) of the order.
struct Separator {
  std::uint32_t first = 0, count = 0;
  std::uint32_t children = 0;  ///< earlier separators that it separates, 0 to 2; each follows its own children
};

/// An order of elimination of the interior vertices with little fill-in.
struct Dissection {
  std::vector<std::uint32_t> order;
  std::vector<Separator> separators;  ///< children before parents; the last is that of the whole
};

/// Takes n log n time for n vertices.
[[nodiscard]] Dissection dissect(const Disc& disc, const MapWeights& pattern);

}  // namespace lamella::gi
