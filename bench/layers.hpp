#pragma once

#include <cstdint>

#include "bench/row.hpp"
#include "lamella/grid.hpp"
#include "lamella/mesh.hpp"

// Depth complexity, on which the cost of the papers' methods depends: each layer is drawn in a pass of its own.

namespace lamella::bench {

/// Surfaces that rays cross between the ends of a box.
struct Layers {
  std::uint32_t most = 0;     ///< along one ray: the papers' depth complexity, n_max
  double mean = 0;            ///< along the rays that cross any
  std::uint32_t columns = 0;  ///< rays that cross any
};
[[nodiscard]] Layers count_layers(MeshView mesh, const Grid& grid);

/// "layers_a" and "mean_layers_a" of a mesh in its own box, as a query for points or self-overlap samples it.
[[nodiscard]] Row object_layers(MeshView mesh, std::uint32_t resolution);
/// The same of a pair in its volume of interest, with "layers_b" and "mean_layers_b"; 0 where the boxes do not meet.
[[nodiscard]] Row pair_layers(MeshView a, MeshView b, std::uint32_t resolution);

}  // namespace lamella::bench
