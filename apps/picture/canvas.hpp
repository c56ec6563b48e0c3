#pragma once

#include <span>
#include <string>

#include "picture/picture.hpp"

namespace lamella::picture {

/// One colour as an image has it.
struct Pixel {
  std::uint8_t r = 0, g = 0, b = 0;
};

[[nodiscard]] inline Pixel to_pixel(Rgb color) {
  const auto byte = [](float part) { return static_cast<std::uint8_t>(part * 255 + 0.5f); };
  return {byte(color.r), byte(color.g), byte(color.b)};
}

inline void set_pixel(Image& image, unsigned x, unsigned y, Pixel pixel) {
  std::uint8_t* at = image.rgb.data() + 3 * (static_cast<std::size_t>(y) * image.width + x);
  at[0] = pixel.r;
  at[1] = pixel.g;
  at[2] = pixel.b;
}

[[nodiscard]] Image blank(unsigned width, unsigned height, Rgb color);

/// Copies `from` into `to` with its top left corner at (x, y), cut at the edges.
void paste(const Image& from, Image& to, unsigned x, unsigned y);

/// Pixels that a label has at its left and top before its text begins, per dot.
inline constexpr unsigned kLabelMargin = 6;

/// Lines of text on `paper`, as large as they need to be; a dot of a letter is `dot` pixels wide and high.
[[nodiscard]] Image label(std::span<const std::string> lines, unsigned dot, Rgb ink, Rgb paper);

}  // namespace lamella::picture
