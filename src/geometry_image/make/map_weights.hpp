#pragma once

#include <cstdint>
#include <vector>

#include "geometry_image/make/disc.hpp"

namespace lamella::gi {

/// The equations of the map: each interior vertex is the weighted mean of its neighbours. Row v is
/// [start[v], start[v + 1]) of both lists, empty for a vertex of the boundary.
struct MapWeights {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> neighbour;
  std::vector<double> weight;  ///< positive and finite; those of a row sum to 1
};

/// Mean value weights (Floater 2003) of the interior vertices, bounded where triangles are nearly degenerate.
[[nodiscard]] MapWeights mean_value_weights(const Disc& disc);

/// Divides the weight of each neighbour by divisor[neighbour], then normalises the rows and bounds the weights.
[[nodiscard]] MapWeights divided(const MapWeights& weights, const std::vector<double>& divisor);

}  // namespace lamella::gi
