#pragma once

#include <span>
#include <vector>

#include "picture/camera.hpp"

namespace lamella::picture {

/// A box of pixels; the right and bottom edges are not in it.
struct PixelBox {
  float left = 0, top = 0, right = 0, bottom = 0;
};

/// Where a label was put.
struct PlacedLabel {
  float x = 0, y = 0;  ///< in the image: the place that it names
  PixelBox box;        ///< of the words
};

/// What labels must know of a picture.
struct LabelGround {
  const Camera& camera;
  std::span<const float> distances;  ///< of the nearest surface at each pixel, as in DepthMap; empty: not known
  unsigned width = 0, height = 0;
  float text_size = 0;
  float reserved = 0;  ///< rows of pixels at the top that other text has
};

/// Finds places for labels, one after the other: the first have the choice. Each names the middle of what is seen of
/// its mesh. Words lie inside the image and not on one another as long as there is room, rather beside what is drawn
/// than on it, and lines between words and places do not cross where that can be had.
[[nodiscard]] std::vector<PlacedLabel> place_labels(std::span<const Label> labels, const LabelGround& ground);

/// Draws the words, each with a line to its place.
void draw_labels(Image& image, std::span<const Label> labels, std::span<const PlacedLabel> places, float text_size);

}  // namespace lamella::picture
