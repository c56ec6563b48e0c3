#pragma once

#include <png.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "picture/picture.hpp"

namespace lamella::test {

/// A PNG's pixels, of an animated one those of its first frame; nothing when it cannot be read.
inline picture::Image read_png(const std::filesystem::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.string().c_str()) == 0) return {};
  png.format = PNG_FORMAT_RGB;
  picture::Image image{png.width, png.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(png))};
  if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0) return {};
  return image;
}

/// Frames that the bytes of a PNG say it has; 0 when it is not animated.
inline unsigned frame_count(const std::string& png) {
  const std::size_t control = png.find("acTL");
  if (control == std::string::npos) return 0;
  unsigned count = 0;
  for (std::size_t i = control + 4; i < control + 8; ++i) count = count << 8 | static_cast<unsigned char>(png.at(i));
  return count;
}

/// How many pixels `is`(red, green, blue) holds of.
template <class Is>
std::size_t count_pixels(const picture::Image& image, Is is) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3) {
    count += is(int{image.rgb[i]}, int{image.rgb[i + 1]}, int{image.rgb[i + 2]}) ? 1 : 0;
  }
  return count;
}

// Colours as they look when shaded.
inline bool is_red(int r, int g, int b) { return r > 120 && r > 2 * g && r > 2 * b; }
inline bool is_green(int r, int g, int b) { return g > 90 && 3 * g > 4 * r && 3 * g > 4 * b; }
inline bool is_blue(int r, int g, int b) { return b > 90 && 3 * b > 5 * r && 5 * b > 6 * g; }
inline bool is_orange(int r, int g, int b) { return r > 130 && r > g + 40 && g > b + 40; }
/// Lines of a volume of interest; the letters of captions are lighter.
inline bool is_ink(int r, int g, int b) { return r < 52 && g < 52 && b < 56; }

}  // namespace lamella::test
