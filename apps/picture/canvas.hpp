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

/// Sizes of letters on sheets, in pixels.
inline constexpr float kSmallText = 12, kLargeText = 18;

/// Pixels that a label has at its left and top before its text begins.
[[nodiscard]] constexpr unsigned label_margin(float size) { return static_cast<unsigned>(0.6f * size); }

/// Lines of text on `paper`, as large as they need to be.
[[nodiscard]] Image label(std::span<const std::string> lines, float size, Rgb ink, Rgb paper);

}  // namespace lamella::picture
