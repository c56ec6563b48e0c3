// Gradients as a picture: forces against the shared volume, as colours and as arrows.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cli/common.hpp"
#include "cli/measure/pictures.hpp"
#include "picture/arrows.hpp"
#include "picture/boxes.hpp"
#include "picture/color_map.hpp"

namespace lamella::cli {
namespace {

constexpr std::array<picture::Rgb, 2> kGlassColors{picture::kBlueGrey, picture::kSand};
constexpr std::array<picture::Rgb, 2> kArrowColors{{{0.08f, 0.22f, 0.45f}, {0.45f, 0.27f, 0.02f}}};
constexpr float kGlass = 0.25f;
constexpr float kBar = 2.2f, kLongest = 90;  ///< of arrows: radius and length, in pixels
constexpr int kPlaces = 6;                   ///< along the longest side of where forces are

int pushed_corners(const VertexGradients& g, Triangle t) {
  int count = 0;
  for (int i = 0; i < 3; ++i) count += g.gradients[t[i]] == Vec3{} ? 0 : 1;
  return count;
}

/// The triangles with forces on so many corners or more, and the others.
struct Parts {
  Mesh pushed, rest;
};

Parts split_at(const VertexGradients& g, int corners) {
  const std::vector<Vec3> positions(g.mesh.positions.begin(), g.mesh.positions.end());
  Parts parts{{positions, {}, {}}, {positions, {}, {}}};
  for (const Triangle& t : g.mesh.triangles)
    (pushed_corners(g, t) >= corners ? parts.pushed : parts.rest).triangles.push_back(t);
  return parts;
}

/// Triangles at the rim have forces on some of their corners alone, and would look like teeth; where there are no
/// others, they are better than nothing.
Parts parts_of(const VertexGradients& g) {
  Parts inner = split_at(g, 3);
  return inner.pushed.triangles.empty() ? split_at(g, 1) : inner;
}

std::vector<picture::Rgb> colors_of(const VertexGradients& g, float longest) {
  std::vector<picture::Rgb> colors;
  for (const Vec3 v : g.gradients) colors.push_back(picture::count_color(longest > 0 ? length(v) / longest : 0));
  return colors;
}

/// The forces of one place together.
struct Push {
  Vec3d force, moment;  ///< sum, and sum of positions times lengths
  double weight = 0;
};

Aabb pushed_box(std::span<const VertexGradients> meshes) {
  Aabb box;
  for (const VertexGradients& g : meshes) {
    for (std::size_t i = 0; i < g.gradients.size(); ++i) {
      if (!(g.gradients[i] == Vec3{})) box = extend(box, g.mesh.positions[i]);
    }
  }
  return box;
}

/// The axis that a force is mostly along, and which way: 0 to 5.
int facing(Vec3 v) {
  int axis = 0;
  for (const int i : {1, 2}) {
    if (std::abs(v[i]) > std::abs(v[axis])) axis = i;
  }
  return 2 * axis + (v[axis] > 0 ? 1 : 0);
}

/// Sums the forces of a mesh over the cells of a coarse grid, those that look different ways apart: two sides of a thin
/// part would cancel.
std::vector<Push> pushes_of(const VertexGradients& g, const Aabb& box) {
  const Vec3 size = extent(box);
  const float cell = std::max({size.x, size.y, size.z}) / kPlaces;
  std::map<std::array<int, 4>, Push> cells;
  for (std::size_t i = 0; i < g.gradients.size(); ++i) {
    if (g.gradients[i] == Vec3{}) continue;
    const Vec3 p = g.mesh.positions[i], at = (p - box.min) * (cell > 0 ? 1 / cell : 0);
    const int way = facing(g.gradients[i]);
    Push& push = cells[{static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z), way}];
    const double weight = length(g.gradients[i]);
    push.force -= to_double(g.gradients[i]);
    push.moment += to_double(p) * weight;
    push.weight += weight;
  }
  std::vector<Push> out;
  for (const auto& [key, push] : cells) out.push_back(push);
  return out;
}

Mesh arrows_of(std::span<const Push> pushes, double longest, float pixel) {
  Mesh arrows;
  for (const Push& push : pushes) {
    const Vec3 from = to_float(push.moment * (1 / push.weight));
    const Vec3 along = to_float(push.force * (kLongest * pixel / longest));
    picture::append(arrows, picture::arrow(from, from + along, kBar * pixel));
  }
  return arrows;
}

}  // namespace

picture::Image draw_forces(std::span<const VertexGradients> meshes, std::span<const std::string> names,
                           picture::Picture scene, unsigned threads) {
  const float longest = usual_longest(meshes);
  scene.scales = {{picture::count_color, "0", fmt::format("{:.3g}", longest), "force on a vertex (volume per length)"}};
  Aabb content;
  for (const VertexGradients& g : meshes) content = unite(content, bounds(g.mesh));
  const float pixel = picture::pixels_long(scene, content, 1);
  const Aabb box = pushed_box(meshes);
  std::vector<std::vector<Push>> pushes;
  double strongest = 0;
  for (const VertexGradients& g : meshes) {
    pushes.push_back(pushes_of(g, box));
    for (const Push& push : pushes.back()) strongest = std::max(strongest, length(push.force));
  }
  std::vector<Parts> parts;
  std::vector<Mesh> arrows;
  std::vector<std::vector<picture::Rgb>> colors;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    parts.push_back(parts_of(meshes[i]));
    colors.push_back(colors_of(meshes[i], longest));
    arrows.push_back(arrows_of(pushes[i], strongest, pixel));
    scene.legend.push_back({kArrowColors[i % 2], fmt::format("pushes {}", names[i])});
  }
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    scene.layers.push_back({parts[i].rest, kGlassColors[i % 2], kGlass});
    scene.layers.push_back({parts[i].pushed, kGlassColors[i % 2], 1, colors[i]});
    scene.layers.push_back({arrows[i], kArrowColors[i % 2], 1});
  }
  return picture::render(scene, threads);
}

}  // namespace lamella::cli
