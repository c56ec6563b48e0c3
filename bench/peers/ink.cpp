#include "bench/peers/ink.hpp"

#include <algorithm>

namespace lamella::bench::peers {

void fill(picture::Image& image, unsigned left, unsigned top, unsigned right, unsigned bottom, picture::Rgb color) {
  const picture::Pixel pixel = picture::to_pixel(color);
  for (unsigned y = top; y < std::min(bottom, image.height); ++y) {
    for (unsigned x = left; x < std::min(right, image.width); ++x) picture::set_pixel(image, x, y, pixel);
  }
}

/// Without the margin that a label has around it.
void write(picture::Image& image, const std::string& text, unsigned x, unsigned y) {
  constexpr unsigned kInset = picture::kLabelMargin * kDot;  // where the letters of a label begin
  const picture::Image label = picture::label(std::span(&text, 1), kDot, kInk, kPaper);
  picture::Image cut = picture::blank(text_width(text), kText, kPaper);
  for (unsigned row = 0; row < cut.height; ++row) {
    for (unsigned column = 0; column < cut.width; ++column) {
      const std::uint8_t* from =
          label.rgb.data() + 3 * (static_cast<std::size_t>(row + kInset) * label.width + column + kInset);
      picture::set_pixel(cut, column, row, {from[0], from[1], from[2]});
    }
  }
  picture::paste(cut, image, x, y);
}

}  // namespace lamella::bench::peers
