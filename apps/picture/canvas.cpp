#include "picture/canvas.hpp"

#include <algorithm>

#include "picture/font.hpp"

namespace lamella::picture {
namespace {

constexpr unsigned kLetterDots = 6;

Image enlarged(const Image& image, unsigned factor) {
  Image out{image.width * factor, image.height * factor, {}};
  out.rgb.resize(std::size_t{3} * out.width * out.height);
  for (unsigned y = 0; y < out.height; ++y) {
    for (unsigned x = 0; x < out.width; ++x) {
      const std::size_t from = 3 * (static_cast<std::size_t>(y / factor) * image.width + x / factor);
      set_pixel(out, x, y, {image.rgb[from], image.rgb[from + 1], image.rgb[from + 2]});
    }
  }
  return out;
}

}  // namespace

Image blank(unsigned width, unsigned height, Rgb color) {
  Image image{width, height, {}};
  image.rgb.resize(std::size_t{3} * width * height);
  const Pixel pixel = to_pixel(color);
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    image.rgb[i] = pixel.r;
    image.rgb[i + 1] = pixel.g;
    image.rgb[i + 2] = pixel.b;
  }
  return image;
}

void paste(const Image& from, Image& to, unsigned x, unsigned y) {
  if (x >= to.width || y >= to.height) return;
  const std::size_t row_bytes = std::size_t{3} * std::min(from.width, to.width - x);
  for (unsigned j = 0; j < std::min(from.height, to.height - y); ++j) {
    std::copy_n(from.rgb.begin() + static_cast<std::ptrdiff_t>(std::size_t{3} * from.width * j), row_bytes,
                to.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (static_cast<std::size_t>(y + j) * to.width + x)));
  }
}

Image label(std::span<const std::string> lines, unsigned dot, Rgb ink, Rgb paper) {
  std::size_t longest = 0;
  for (const std::string& line : lines) longest = std::max(longest, line.size());
  Image image{static_cast<unsigned>(longest) * kLetterDots + 2 * kLabelMargin, 1, {}};
  image = blank(image.width, text_height(image, lines), paper);
  draw_lines(image, lines, ink);  // an image as low as this gets the smallest letters: a dot is a pixel
  return enlarged(image, dot);
}

}  // namespace lamella::picture
