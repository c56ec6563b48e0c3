#include "bench/layers.hpp"

#include <algorithm>

#include "lamella/engine.hpp"
#include "lamella/voi.hpp"

namespace lamella::bench {
namespace {

void set_layers(Row& row, char object, const Layers& layers) {
  row.set({std::string("layers_") + object, layers.most});
  row.set({std::string("mean_layers_") + object, layers.mean});
}

}  // namespace

Layers count_layers(MeshView mesh, const Grid& grid) {
  Ldi ldi;
  make_engine({.engine = "software"})->build(mesh, grid, ldi);
  // The engine moves crossings beyond the box onto its ends.
  const auto within = [&](Crossing c) { return c.depth() > 0 && c.depth() < grid.depth(); };
  Layers layers;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < grid.column_count(); ++i) {
    const auto column = ldi.column(i);
    const auto n = static_cast<std::uint32_t>(std::count_if(column.begin(), column.end(), within));
    layers.most = std::max(layers.most, n);
    layers.columns += n > 0 ? 1 : 0;
    sum += n;
  }
  if (layers.columns > 0) layers.mean = static_cast<double>(sum) / layers.columns;
  return layers;
}

Row object_layers(MeshView mesh, std::uint32_t resolution) {
  const Aabb box = bounds(mesh);
  Layers layers;
  if (const auto axis = choose_axis(box)) layers = count_layers(mesh, square_grid(box, *axis, resolution));
  Row row;
  set_layers(row, 'a', layers);
  return row;
}

Row pair_layers(MeshView a, MeshView b, std::uint32_t resolution) {
  Layers of_a, of_b;
  if (const auto voi = choose_pair_voi(bounds(a), bounds(b))) {
    const Grid grid = square_grid(voi->box, voi->axis, resolution);
    of_a = count_layers(a, grid);
    of_b = count_layers(b, grid);
  }
  Row row;
  set_layers(row, 'a', of_a);
  set_layers(row, 'b', of_b);
  return row;
}

}  // namespace lamella::bench
