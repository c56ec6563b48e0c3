#pragma once

#include <string>

#include "picture/canvas.hpp"

// Rectangles and text of charts.

namespace lamella::bench::peers {

inline constexpr picture::Rgb kPaper{1, 1, 1}, kInk{0.13f, 0.13f, 0.15f}, kGridLine{0.86f, 0.86f, 0.88f};
inline constexpr unsigned kDot = 2;            ///< pixels of a dot of a letter
inline constexpr unsigned kLetter = 6 * kDot;  ///< width of one
inline constexpr unsigned kText = 8 * kDot;    ///< height of one

[[nodiscard]] inline unsigned text_width(const std::string& text) {
  return static_cast<unsigned>(text.size()) * kLetter;
}

/// Cut at the edges.
void fill(picture::Image& image, unsigned left, unsigned top, unsigned right, unsigned bottom, picture::Rgb color);
/// With the text's own corner at (x, y).
void write(picture::Image& image, const std::string& text, unsigned x, unsigned y);

}  // namespace lamella::bench::peers
