#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "geometry_image/file/tiff.hpp"
#include "io/checks.hpp"
#include "io/messages.hpp"
#include "lamella/heights.hpp"

namespace lamella {
namespace {

/// A code of LZW stands for fewer than 4096 bytes; the other ways of packing that are accepted do not reach that.
constexpr std::uint64_t kMaxExpansion = 4096;

std::uint32_t tag_of(TIFF* tiff, std::uint32_t tag) {
  std::uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : 0;
}

class HeightReader {
 public:
  HeightReader(std::string_view bytes, const std::string& name) : name_(name), file_(bytes, name) {}

  Heights read() {
    check_kind();
    check_sizes();
    Heights heights{width_, height_, bits_ == 16 ? 65535.0f : 255.0f, {}};
    std::vector<std::uint8_t> strip(strip_rows_ * row_bytes_);
    heights.values.reserve(std::size_t{width_} * height_);
    for (std::uint32_t row = 0, number = 0; row < height_; row += strip_rows_, ++number) {
      const std::uint32_t rows = std::min(strip_rows_, height_ - row);
      const auto bytes = static_cast<tmsize_t>(rows * row_bytes_);
      if (TIFFReadEncodedStrip(tiff_, number, strip.data(), bytes) != bytes) damaged();
      for (std::size_t i = 0; i < std::size_t{rows} * width_; ++i) {
        const std::uint32_t value = bits_ == 8 ? strip[i] : strip[2 * i] | std::uint32_t{strip[2 * i + 1]} << 8;
        heights.values.push_back(static_cast<float>(value));
      }
    }
    return heights;
  }

 private:
  [[noreturn]] void damaged() const {
    io::fail(name_, "the picture is damaged or cut short; copy it again, or write it again" + file_.log().remark());
  }

  void expect(std::uint32_t tag, std::span<const std::uint32_t> values, std::string_view what) const {
    const std::uint32_t found = tag_of(tiff_, tag);
    if (std::ranges::find(values, found) == values.end())
      io::fail(name_, fmt::format("a terrain is read from {} (TIFF tag {}), found {}; save the picture as greyscale of "
                                  "8 or 16 bits, in strips",
                                  what, tag, found));
  }

  void check_kind() {
    if (TIFFIsTiled(tiff_) != 0)
      io::fail(name_, "the picture is in tiles; save it in strips, as most programs do: tiffcp -s");
    expect(TIFFTAG_SAMPLESPERPIXEL, std::array{1u}, "one channel, grey");
    expect(TIFFTAG_BITSPERSAMPLE, std::array{8u, 16u}, "8 or 16 bits");
    expect(TIFFTAG_SAMPLEFORMAT, std::array<std::uint32_t, 1>{SAMPLEFORMAT_UINT}, "unsigned integers, 1");
    expect(TIFFTAG_PHOTOMETRIC, std::array<std::uint32_t, 1>{PHOTOMETRIC_MINISBLACK}, "grey with 0 black, 1");
    expect(TIFFTAG_COMPRESSION,
           std::array<std::uint32_t, 5>{COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                        COMPRESSION_DEFLATE, COMPRESSION_PACKBITS},
           "no compression, LZW, deflate or packbits");
    bits_ = tag_of(tiff_, TIFFTAG_BITSPERSAMPLE);
  }

  /// Before any pixel is read: every strip must have bytes enough in the file.
  void check_sizes() {
    if (TIFFGetField(tiff_, TIFFTAG_IMAGEWIDTH, &width_) != 1 ||
        TIFFGetField(tiff_, TIFFTAG_IMAGELENGTH, &height_) != 1)
      damaged();
    if (width_ < 2 || height_ < 2 || std::uint64_t{width_} * height_ > kMaxHeights)
      io::fail(name_, fmt::format("the picture has {} x {} points; a terrain has 2 x 2 to {} in all; scale it first",
                                  width_, height_, kMaxHeights));
    row_bytes_ = std::uint64_t{width_} * bits_ / 8;
    std::uint32_t rows = height_;
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_ROWSPERSTRIP, &rows);
    strip_rows_ = std::clamp(rows, 1u, height_);
    const bool packed = tag_of(tiff_, TIFFTAG_COMPRESSION) != COMPRESSION_NONE;
    for (std::uint32_t row = 0, number = 0; row < height_; row += strip_rows_, ++number) {
      int failed = 0;
      const std::uint64_t offset = TIFFGetStrileOffsetWithErr(tiff_, number, &failed);
      const std::uint64_t bytes = failed != 0 ? 0 : TIFFGetStrileByteCountWithErr(tiff_, number, &failed);
      const std::uint64_t wanted = std::min(strip_rows_, height_ - row) * row_bytes_;
      const bool inside = offset <= file_.size() && bytes <= file_.size() - offset;
      if (failed != 0 || !inside || (packed ? wanted / kMaxExpansion >= bytes : wanted > bytes)) damaged();
    }
  }

  const std::string& name_;
  io::TiffInput file_;
  TIFF* tiff_ = file_.handle();
  std::uint32_t width_ = 0, height_ = 0, bits_ = 0, strip_rows_ = 0;
  std::uint64_t row_bytes_ = 0;
};

}  // namespace

Heights read_tiff_heights(std::span<const std::byte> bytes, std::string_view name) {
  const std::string shown = io::display(name);
  return HeightReader(io::as_chars(bytes), shown).read();
}

}  // namespace lamella
