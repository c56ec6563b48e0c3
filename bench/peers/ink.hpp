#pragma once

#include <string>

#include "picture/canvas.hpp"

// Rectangles and text of charts.

namespace lamella::bench::peers {

inline constexpr picture::Rgb kPaper{1, 1, 1}, kInk{0.13f, 0.13f, 0.15f}, kGridLine{0.86f, 0.86f, 0.88f};
inline constexpr float kLetters = 17;  ///< size of the letters
inline constexpr unsigned kText = 16;  ///< height of a line of text

[[nodiscard]] unsigned text_width(const std::string& text);

/// Cut at the edges.
void fill(picture::Image& image, unsigned left, unsigned top, unsigned right, unsigned bottom, picture::Rgb color);
/// With the text's own corner at (x, y).
void write(picture::Image& image, const std::string& text, unsigned x, unsigned y);

}  // namespace lamella::bench::peers
