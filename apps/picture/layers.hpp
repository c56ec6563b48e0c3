#pragma once

#include <span>
#include <string>

#include "lamella/ldi.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {

/// What to draw of the layers of one mesh.
struct LayerSheet {
  Grid grid;
  std::span<const DepthLayer> layers;      ///< those that rays enter through first
  std::span<const std::uint32_t> lengths;  ///< crossings of each column
  std::string title;                       ///< a line at the top
  std::string lengths_title;               ///< what `lengths` are, above their map
  Size size;                               ///< of the sheet; 0 x 0: as large as it turns out, about 1600 wide
};

/// A contact sheet: front layers from left to right, back layers below them, at the right a legend and a map of the
/// crossings per column. Near (where rays start) is light and far is dark. +u is to the right and +v up, as in a plot:
/// an eye that looks along the rays would see the mirror image. Cells keep their proportions, and up to 768 x 768 of
/// them all stay visible. Long rows are wrapped at about 1600 pixels, or at the width asked for; the first 64 layers of
/// each facing are drawn. Throws Error when a size was asked for that is too small for that.
[[nodiscard]] Image draw_layers(const LayerSheet& sheet);

}  // namespace lamella::picture
