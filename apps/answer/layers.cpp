#include "answer/layers.hpp"

#include <algorithm>
#include <utility>

#include "answer/query.hpp"

namespace lamella::answer {

Grid own_grid(const Aabb& box, const Options& options) {
  const auto axis = choose_axis(box);
  if (!axis) return {};
  return {box, options.axis.value_or(*axis), options.resolution, options.resolution};
}

SampledLayers sample_layers(Engine& engine, MeshView mesh, const Options& options) {
  const Grid grid = own_grid(engine.bounds(mesh), options);
  if (grid.column_count() == 0) return {};
  return counted_layers(grid, engine.layers(mesh, grid));
}

SampledLayers counted_layers(const Grid& grid, std::vector<DepthLayer> layers) {
  SampledLayers out;
  out.grid = grid;
  out.layers = std::move(layers);
  out.lengths.resize(out.grid.column_count());
  for (const DepthLayer& layer : out.layers) {
    std::size_t crossings = 0;
    for (std::size_t i = 0; i < out.lengths.size(); ++i) {
      out.lengths[i] += layer.depth[i] < 0 ? 0 : 1;
      crossings += layer.depth[i] < 0 ? 0 : 1;
    }
    out.crossings.push_back(crossings);
    out.total += crossings;
  }
  out.max_layers = *std::max_element(out.lengths.begin(), out.lengths.end());
  return out;
}

const char* facing_of(const DepthLayer& layer) { return layer.mixed ? "both" : layer.entry ? "front" : "back"; }

Json layers_json(const SampledLayers& sampled, std::string_view engine, std::uint32_t asked) {
  Json out{{"query", "layers"}, {"engine", engine}};
  add_grid(out, sampled.grid, {}, asked);
  out["layers"] = Json::array();
  for (std::size_t i = 0; i < sampled.layers.size(); ++i) {
    out["layers"].push_back({{"facing", facing_of(sampled.layers[i])}, {"crossings", sampled.crossings[i]}});
  }
  out["crossings"] = sampled.total;
  out["max_layers"] = sampled.max_layers;
  return out;
}

}  // namespace lamella::answer
