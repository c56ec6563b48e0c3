#include "picture/read_grey.hpp"

#include <png.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "lamella/error.hpp"
#include "lamella/file.hpp"

namespace lamella::picture {
namespace {

/// What a byte of deflate can stand for at most is 1032 bytes.
constexpr std::uint64_t kMaxExpansion = 1040;

[[noreturn]] void fail(std::string_view name, const std::string& why) { throw Error(printable(name) + ": " + why); }

struct Source {
  std::span<const std::byte> bytes;
  std::string message;  ///< libpng's
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  static_cast<Source*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, png_size_t count) {
  auto& source = *static_cast<Source*>(png_get_io_ptr(png));
  if (count > source.bytes.size()) png_error(png, "the file ends too early");
  std::memcpy(to, source.bytes.data(), count);
  source.bytes = source.bytes.subspan(count);
}

struct Header {
  std::uint32_t width = 0, height = 0;
  int bits = 0, color = 0;
};

/// libpng jumps out of its functions on errors. So no object with a destructor lives in the two functions below: they
/// return false then.
bool read_header(png_structp png, png_infop info, Header& header) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_info(png, info);
  png_get_IHDR(png, info, &header.width, &header.height, &header.bits, &header.color, nullptr, nullptr, nullptr);
  return true;
}

bool read_rows(png_structp png, png_infop info, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_packing(png);  // a byte for each pixel of fewer than 8 bits, unchanged
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  png_read_image(png, rows);
  return true;
}

struct Reader {
  explicit Reader(Source& source) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, on_error, on_warning);
    if (png != nullptr) info = png_create_info_struct(png);
    if (info == nullptr) {
      png_destroy_read_struct(&png, &info, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png, &source, on_read);
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  png_structp png = nullptr;
  png_infop info = nullptr;
};

void check(const Header& header, std::uint64_t bytes, std::string_view name) {
  if (header.color != PNG_COLOR_TYPE_GRAY && header.color != PNG_COLOR_TYPE_GRAY_ALPHA)
    fail(name, "a terrain is read from a greyscale picture, and this one has colours; save it as greyscale");
  const std::uint64_t points = std::uint64_t{header.width} * header.height;
  if (header.width < 2 || header.height < 2 || points > kMaxHeights)
    fail(name, "the picture has " + std::to_string(header.width) + " x " + std::to_string(header.height) +
                   " points; a terrain has 2 x 2 to " + std::to_string(kMaxHeights) + " in all; scale it first");
  const std::uint64_t channels = header.color == PNG_COLOR_TYPE_GRAY ? 1 : 2;
  if (points * channels * static_cast<std::uint64_t>(header.bits) / 8 / kMaxExpansion > bytes)
    fail(name, "the picture is damaged or cut short; copy it again, or write it again");
}

}  // namespace

Heights read_png_heights(std::span<const std::byte> bytes, std::string_view name) {
  constexpr std::size_t kSignature = 8;
  if (bytes.size() < kSignature || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, kSignature) != 0)
    fail(name, "expected a PNG file, which begins with the bytes 89 50 4E 47; save the picture as PNG or TIFF");
  Source source{bytes, {}};
  Reader reader(source);
  Header header;
  const auto damaged = [&] {
    fail(name, "the picture is damaged or cut short; copy it again, or write it again (libpng: " +
                   printable(source.message) + ")");
  };
  if (!read_header(reader.png, reader.info, header)) damaged();
  check(header, bytes.size(), name);
  const std::size_t pixel = header.bits == 16 ? 2 : 1, row_bytes = pixel * header.width;
  std::vector<png_byte> pixels(row_bytes * header.height);
  std::vector<png_bytep> rows(header.height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = pixels.data() + y * row_bytes;
  if (!read_rows(reader.png, reader.info, rows.data())) damaged();
  Heights heights{header.width, header.height, static_cast<float>((1u << header.bits) - 1), {}};
  heights.values.reserve(std::size_t{header.width} * header.height);
  for (std::size_t i = 0; i < pixels.size(); i += pixel)  // 16 bits: the high byte first
    heights.values.push_back(static_cast<float>(pixel == 1 ? pixels[i] : pixels[i] << 8 | pixels[i + 1]));
  return heights;
}

}  // namespace lamella::picture
