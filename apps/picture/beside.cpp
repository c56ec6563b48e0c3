#include <algorithm>

#include "picture/picture.hpp"

namespace lamella::picture {
namespace {

constexpr unsigned kGap = 12;  // pixels

void paste(const Image& from, Image& to, unsigned x) {
  const std::size_t row_bytes = std::size_t{3} * from.width;
  for (unsigned y = 0; y < from.height; ++y) {
    std::copy_n(from.rgb.begin() + static_cast<std::ptrdiff_t>(y * row_bytes), row_bytes,
                to.rgb.begin() + static_cast<std::ptrdiff_t>((static_cast<std::size_t>(y) * to.width + x) * 3));
  }
}

}  // namespace

Image beside(std::span<const Image> images) {
  Image sheet;
  for (const Image& image : images) {
    sheet.width += image.width + (&image == &images.front() ? 0 : kGap);
    sheet.height = std::max(sheet.height, image.height);
  }
  sheet.rgb.assign(std::size_t{3} * sheet.width * sheet.height, 255);
  unsigned x = 0;
  for (const Image& image : images) {
    paste(image, sheet, x);
    x += image.width + kGap;
  }
  return sheet;
}

}  // namespace lamella::picture
