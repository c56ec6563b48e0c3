#include "picture/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "picture/font.hpp"

namespace lamella::picture {

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

Image label(std::span<const std::string> lines, float size, Rgb ink, Rgb paper) {
  float longest = 0;
  for (const std::string& line : lines) longest = std::max(longest, text_width(line, size));
  const unsigned margin = label_margin(size);
  const float pitch = line_height(size);
  Image image = blank(static_cast<unsigned>(std::ceil(longest)) + 2 * margin,
                      margin + static_cast<unsigned>(std::ceil(pitch * static_cast<float>(lines.size()))), paper);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float baseline = static_cast<float>(margin) + pitch * static_cast<float>(i) + 0.75f * size;
    draw_text(image, static_cast<float>(margin), static_cast<int>(std::lround(baseline)), lines[i], size, ink);
  }
  return image;
}

}  // namespace lamella::picture
