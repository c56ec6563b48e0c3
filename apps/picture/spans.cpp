#include "picture/spans.hpp"

#include <algorithm>

#include "lamella/query.hpp"

namespace lamella::picture {
namespace {

/// Walks one column's sorted crossings.
void add_column(std::vector<Span>& spans, std::uint32_t column, std::span<const Crossing> crossings) {
  if (balance(crossings) != 0) return;
  int winding = 0;
  float begin = 0;
  for (const Crossing c : crossings) {
    if (winding == 0) begin = c.depth();
    winding += c.sign();
    if (winding == 0 && c.depth() > begin) spans.push_back({column, begin, c.depth()});
  }
}

}  // namespace

std::vector<Span> inside_spans(const Grid& grid, std::span<const DepthLayer> layers) {
  std::vector<Span> spans;
  std::vector<Crossing> crossings;
  for (std::size_t column = 0; column < grid.column_count(); ++column) {
    crossings.clear();
    for (const DepthLayer& layer : layers) {
      if (layer.depth[column] >= 0) crossings.push_back(Crossing::make(layer.depth[column], layer.entry));
    }
    std::sort(crossings.begin(), crossings.end());
    add_column(spans, static_cast<std::uint32_t>(column), crossings);
  }
  return spans;
}

std::vector<std::vector<Span>> by_layer(std::span<const Span> spans) {
  std::vector<std::vector<Span>> layers;
  std::size_t layer = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    layer = i > 0 && spans[i].column == spans[i - 1].column ? layer + 1 : 0;
    if (layer == layers.size()) layers.emplace_back();
    layers[layer].push_back(spans[i]);
  }
  return layers;
}

Mesh sticks(const Grid& grid, std::span<const Span> spans, double part, double shift) {
  Mesh mesh = prisms(grid, spans);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3d middle = sample_position(grid, spans[i / 8].column, 0);
    const double aside = shift * grid.cell_u();
    for (const int axis : {grid.u(), grid.v()}) {
      float& at = mesh.positions[i][axis];
      at = static_cast<float>(middle[axis] + (static_cast<double>(at) - middle[axis]) * part +
                              (axis == grid.u() ? aside : 0));
    }
  }
  return mesh;
}

}  // namespace lamella::picture
