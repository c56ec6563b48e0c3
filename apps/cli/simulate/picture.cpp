#include "cli/simulate/picture.hpp"

#include <algorithm>

namespace lamella::cli {
namespace {

picture::Rgb to_rgb(simulate::Color c) {
  return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255};
}

/// All solids of one look.
struct Look {
  simulate::Color color;
  float opacity = 1;
  Mesh mesh;

  [[nodiscard]] bool is(const simulate::Drawing::Solid& s) const {
    return color.r == s.color.r && color.g == s.color.g && color.b == s.color.b && opacity == s.opacity;
  }
};

/// The renderer draws each layer a little nearer than the one before it, so few layers are better than hundreds.
std::vector<Look> merge(const simulate::Drawing& drawing) {
  std::vector<Look> looks;
  for (const auto& solid : drawing.solids) {
    auto look = std::find_if(looks.begin(), looks.end(), [&](const Look& l) { return l.is(solid); });
    if (look == looks.end()) look = looks.insert(looks.end(), {solid.color, solid.opacity, {}});
    const auto shift = static_cast<std::uint32_t>(look->mesh.positions.size());
    look->mesh.positions.insert(look->mesh.positions.end(), solid.mesh.positions.begin(), solid.mesh.positions.end());
    for (const Triangle t : solid.mesh.triangles) {
      look->mesh.triangles.push_back({t.a + shift, t.b + shift, t.c + shift});
    }
  }
  return looks;
}

}  // namespace

picture::Image draw_simulation(const simulate::Drawing& drawing, picture::Picture out, unsigned threads) {
  const std::vector<Look> looks = merge(drawing);
  for (const Look& look : looks) out.layers.push_back({look.mesh, to_rgb(look.color), look.opacity});
  for (const auto& dots : drawing.dots) {
    out.dots.push_back({.points = dots.positions, .color = to_rgb(dots.color), .radius = dots.radius});
  }
  if (!out.view_fixed) out.view_direction = to_double(drawing.looking);
  if (!drawing.view.empty()) out.fit = drawing.view;
  return picture::render(out, threads);
}

}  // namespace lamella::cli
