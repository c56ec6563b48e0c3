#pragma once

#include <string_view>

#include "picture/picture.hpp"

namespace lamella::picture {

// Text is UTF-8. Latin-1 letters and a few signs have a shape; others, and bytes that are no UTF-8, show as '?'. Sizes
// and lengths are in pixels; a capital is 0.71 of the size high.

/// As wide as a digit, and digits are all equally wide: numbers that change keep their place (UTF-8, U+2007).
inline constexpr std::string_view kFigureSpace = "\u2007";

/// From one line to the next.
[[nodiscard]] inline float line_height(float size) { return 1.3f * size; }

[[nodiscard]] float text_width(std::string_view text, float size);

/// Draws a line of text, cut at the image's edges. `baseline` is the row that letters stand on.
void draw_text(Image& image, float x, int baseline, std::string_view text, float size, Rgb ink);

/// The same with a light rim around the letters, so that they can be read in front of anything.
void draw_text_with_rim(Image& image, float x, int baseline, std::string_view text, float size, Rgb ink);

}  // namespace lamella::picture
