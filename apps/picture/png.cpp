#include <png.h>

#include <string>
#include <vector>

#include "lamella/error.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {
namespace {

/// libpng's simplified interface: it reports instead of jumping out of our frames.
std::vector<std::uint8_t> encode(const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = image.width;
  png.height = image.height;
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<std::uint8_t> bytes(size);
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0)
    throw Error(png.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::vector<std::uint8_t> to_png(const Image& image) {
  if (image.rgb.empty()) throw Error("it has no pixels");
  return encode(image);
}

void write_png(const std::filesystem::path& path, const Image& image, WriteOptions options) {
  std::vector<std::uint8_t> bytes;
  try {
    bytes = to_png(image);
  } catch (const Error& error) {
    throw Error("cannot write picture '" + printable(path.string()) + "': " + error.what());
  }
  write_file(path, std::as_bytes(std::span(bytes)), options);
}

}  // namespace lamella::picture
