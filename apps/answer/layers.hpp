#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "answer/json.hpp"
#include "lamella/engine.hpp"

namespace lamella::answer {

/// The layers of one mesh and what they add up to.
struct SampledLayers {
  Grid grid;  ///< zero columns when the mesh's box encloses no volume
  std::vector<DepthLayer> layers;
  std::vector<std::size_t> crossings;  ///< of each layer
  std::vector<std::uint32_t> lengths;  ///< crossings of each column
  std::size_t total = 0;
  std::uint32_t max_layers = 0;  ///< crossings of the fullest column
};

/// The grid of a mesh sampled in its own box; zero columns when the box encloses no volume.
[[nodiscard]] Grid own_grid(const Aabb& box, const Options& options);

[[nodiscard]] SampledLayers sample_layers(Engine& engine, MeshView mesh, const Options& options);
/// What layers that an engine made add up to.
[[nodiscard]] SampledLayers counted_layers(const Grid& grid, std::vector<DepthLayer> layers);

/// "front", "back", or "both".
[[nodiscard]] const char* facing_of(const DepthLayer& layer);

/// The whole answer of `layers`. `asked`: the resolution.
[[nodiscard]] Json layers_json(const SampledLayers& sampled, std::string_view engine, std::uint32_t asked);

}  // namespace lamella::answer
