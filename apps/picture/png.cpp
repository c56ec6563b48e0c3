#include <png.h>

#include <string>
#include <string_view>
#include <vector>

#include "lamella/error.hpp"
#include "picture/picture.hpp"

namespace lamella::picture {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Error("cannot write picture '" + printable(path.string()) + "': " + why);
}

/// libpng's simplified interface: it reports instead of jumping out of our frames.
std::vector<char> encode_png(const std::filesystem::path& path, const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = image.width;
  png.height = image.height;
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<char> bytes(size);
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0) {
    fail(path, png.message);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image, WriteOptions options) {
  if (image.rgb.empty()) fail(path, "it has no pixels");
  const std::vector<char> bytes = encode_png(path, image);
  write_file(path, std::string_view(bytes.data(), bytes.size()), options);
}

}  // namespace lamella::picture
