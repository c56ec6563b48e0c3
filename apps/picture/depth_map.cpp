#include "picture/depth_map.hpp"

#include <algorithm>
#include <limits>

namespace lamella::picture {
namespace {

constexpr float kNothing = std::numeric_limits<float>::infinity();

/// In pixels instead of samples.
std::array<ScreenPoint, 3> corners_of(const Stage& stage, Primitive p) {
  const Surface& surface = stage.surfaces[p.set];
  const Triangle t = surface.mesh.triangles[p.index];
  std::array<ScreenPoint, 3> corners{surface.points[t.a], surface.points[t.b], surface.points[t.c]};
  for (ScreenPoint& c : corners) c.x /= stage.camera.samples, c.y /= stage.camera.samples;
  return corners;
}

void keep_nearer(float& distance, float other) { distance = std::min(distance, other); }

}  // namespace

DepthMap::DepthMap(unsigned columns, unsigned rows)
    : width(columns),
      height(rows),
      opaque(static_cast<std::size_t>(columns) * rows, kNothing),
      nearest(static_cast<std::size_t>(columns) * rows, kNothing) {}

void draw_depths(const Stage& stage, std::span<const Primitive> primitives, unsigned x, unsigned y, DepthMap& map) {
  const unsigned pixels = tile_pixels(stage.camera);
  const SampleBox tile{static_cast<int>(x), static_cast<int>(y), static_cast<int>(std::min(x + pixels, map.width)) - 1,
                       static_cast<int>(std::min(y + pixels, map.height)) - 1};
  for (const Primitive p : primitives) {
    if (p.set >= stage.surfaces.size()) continue;
    const auto corners = corners_of(stage, p);
    const Coverage coverage(corners);
    if (coverage.empty()) continue;
    const DepthPlane plane(corners);
    const bool opaque = stage.surfaces[p.set].opacity >= 1;
    coverage.for_each_sample(meet(coverage.box(), tile), [&](int i, int j) {
      const std::size_t at = static_cast<std::size_t>(j) * map.width + static_cast<std::size_t>(i);
      const auto distance = static_cast<float>(-1 / plane.at(i, j));
      keep_nearer(map.nearest[at], distance);
      if (opaque) keep_nearer(map.opaque[at], distance);
    });
  }
}

}  // namespace lamella::picture
