#include "bench/peers/ink.hpp"

#include <algorithm>
#include <cmath>

#include "picture/font.hpp"

namespace lamella::bench::peers {

void fill(picture::Image& image, unsigned left, unsigned top, unsigned right, unsigned bottom, picture::Rgb color) {
  const picture::Pixel pixel = picture::to_pixel(color);
  for (unsigned y = top; y < std::min(bottom, image.height); ++y) {
    for (unsigned x = left; x < std::min(right, image.width); ++x) picture::set_pixel(image, x, y, pixel);
  }
}

unsigned text_width(const std::string& text) {
  return static_cast<unsigned>(std::ceil(picture::text_width(text, kLetters)));
}

void write(picture::Image& image, const std::string& text, unsigned x, unsigned y) {
  constexpr int kAbove = 13;  // rows of a line above its baseline
  picture::draw_text(image, static_cast<float>(x), static_cast<int>(y) + kAbove, text, kLetters, kInk);
}

}  // namespace lamella::bench::peers
