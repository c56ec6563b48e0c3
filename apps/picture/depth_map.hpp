#pragma once

#include <span>
#include <vector>

#include "picture/tile.hpp"

namespace lamella::picture {

/// Distances from the eye at the middles of pixels, along the view and in radii of the scene; infinite where nothing
/// is. Rows from the top. Dots are left out: most are too small to be a surface.
struct DepthMap {
  unsigned width = 0, height = 0;
  std::vector<float> opaque;   ///< of the nearest opaque surface
  std::vector<float> nearest;  ///< of the nearest surface, translucent or not

  DepthMap() = default;
  DepthMap(unsigned columns, unsigned rows);
};

/// Draws the primitives into the part of the map that belongs to the tile whose first pixel is (x, y).
void draw_depths(const Stage& stage, std::span<const Primitive> primitives, unsigned x, unsigned y, DepthMap& map);

}  // namespace lamella::picture
