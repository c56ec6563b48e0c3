#pragma once

#include <tiffio.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "io/support.hpp"
#include "lamella/geometry_image_io.hpp"

namespace lamella::test {

/// A page with all that decides how it is stored, so that tests can make files of every other kind.
struct RawPage {
  std::uint32_t width = 0, height = 0;
  int channels = 3, bits = 16, format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_RGB, planar = PLANARCONFIG_CONTIG;
  int compression = COMPRESSION_LZW, orientation = ORIENTATION_TOPLEFT;
  std::uint32_t rows_per_strip = 0;  ///< 0: all
  std::uint32_t tile = 0;            ///< 0: strips
  std::string description;
  std::vector<std::uint16_t> pixels;

  [[nodiscard]] std::uint16_t* at(std::uint32_t x, std::uint32_t y) {
    return pixels.data() + (std::size_t{y} * width + x) * static_cast<std::size_t>(channels);
  }
};

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The pages of a file as libtiff itself reads them.
inline std::vector<RawPage> load_pages(const std::filesystem::path& path) {
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  std::vector<RawPage> pages;
  do {
    RawPage page;
    std::uint16_t channels = 0;
    const char* description = nullptr;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page.width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page.height);
    TIFFGetField(tiff, TIFFTAG_SAMPLESPERPIXEL, &channels);
    TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &description);
    page.channels = channels;
    page.description = description;
    page.pixels.resize(std::size_t{page.width} * page.height * channels);
    for (std::uint32_t y = 0; y < page.height; ++y) TIFFReadScanline(tiff, page.at(0, y), y);
    pages.push_back(page);
  } while (TIFFReadDirectory(tiff) != 0);
  TIFFClose(tiff);
  return pages;
}

/// Pixels are stored whole whatever the format says, as far as they go.
inline void save_page(TIFF* tiff, RawPage page) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, page.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, page.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, page.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, page.format);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, page.channels);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, page.photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, page.planar);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, page.orientation);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, page.compression);
  if (!page.description.empty()) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, page.description.c_str());
  if (page.photometric == PHOTOMETRIC_PALETTE) {
    std::vector<std::uint16_t> map(std::size_t{1} << page.bits);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map.data(), map.data(), map.data());
  }
  page.pixels.resize(page.pixels.size() * 4 + 4 * std::size_t{page.tile} * page.tile * 4);
  if (page.tile != 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, page.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, page.tile);
    for (std::uint32_t i = 0; i < TIFFNumberOfTiles(tiff); ++i)
      TIFFWriteEncodedTile(tiff, i, page.pixels.data(), TIFFTileSize(tiff));
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, page.rows_per_strip != 0 ? page.rows_per_strip : page.height);
    for (std::uint16_t s = 0; s < (page.planar == PLANARCONFIG_SEPARATE ? page.channels : 1); ++s)
      for (std::uint32_t y = 0; y < page.height; ++y) TIFFWriteScanline(tiff, page.at(0, y), y, s);
  }
  TIFFWriteDirectory(tiff);
}

/// `mode` as of TIFFOpen: "wb" is big-endian, "w8" BigTIFF.
inline void save_pages(const std::filesystem::path& path, const std::vector<RawPage>& pages, const char* mode = "w") {
  TIFF* tiff = TIFFOpen(path.c_str(), mode);
  for (const RawPage& page : pages) save_page(tiff, page);
  TIFFClose(tiff);
}

/// The same image or images as in a file of version 1, which has a page of spheres behind each one's normals. The
/// spheres' pixels are all `code`.
inline std::vector<RawPage> as_version_1(const std::vector<RawPage>& pages, std::uint16_t code = 0) {
  std::vector<RawPage> result;
  const auto describe = [](RawPage page, std::string_view from, std::string_view to) {
    page.description.replace(page.description.find(from), from.size(), to);
    return page;
  };
  for (const RawPage& page : pages) {
    result.push_back(describe(page, "version: 2", "version: 1"));
    if (page.description.find("page: normals") == std::string::npos) continue;
    RawPage spheres = describe(result.back(), "page: normals", "page: pyramid");
    spheres.channels = 4;
    spheres.height = page.height - 1;
    spheres.width = 3 * spheres.height / 2;
    spheres.pixels.assign(std::size_t{spheres.width} * spheres.height * 4, code);
    result.push_back(spheres);
  }
  return result;
}

/// Bytes of a classic little-endian file, to change what libtiff would not write.
class TiffBytes {
 public:
  explicit TiffBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  [[nodiscard]] std::size_t directory(int page) const {
    std::size_t at = get<std::uint32_t>(4);
    for (; page > 0; --page) at = get<std::uint32_t>(next_pointer(at));
    return at;
  }
  /// Where the number of the page after `page` is kept.
  [[nodiscard]] std::size_t next_of(int page) const { return next_pointer(directory(page)); }
  /// Where the value of a tag, or the offset of its values, is kept.
  [[nodiscard]] std::size_t value_of(int page, std::uint16_t tag) const {
    const std::size_t at = directory(page);
    for (std::size_t i = 0; i < get<std::uint16_t>(at); ++i) {
      if (get<std::uint16_t>(at + 2 + 12 * i) == tag) return at + 2 + 12 * i + 8;
    }
    throw std::runtime_error("no such tag");
  }
  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  template <class T>
  void put(std::size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  /// Everywhere in the file; both are of one length.
  void replace(std::string_view from, std::string_view to) {
    if (from.size() != to.size()) throw std::runtime_error("lengths differ");
    for (std::size_t at = 0; (at = bytes_.find(from, at)) != std::string::npos; at += from.size())
      bytes_.replace(at, from.size(), to);
  }

 private:
  [[nodiscard]] std::size_t next_pointer(std::size_t directory) const {
    return directory + 2 + std::size_t{12} * get<std::uint16_t>(directory);
  }

  std::string bytes_;
};

/// A bumpy open sheet of n levels within `box`, with no two vertices alike.
inline GeometryImage bumpy_sheet(int n, const Aabb& box = {{-1, -2, 0}, {3, 2, 1}}) {
  const std::uint32_t side = (1u << n) + 1;
  std::vector<Vec3> positions;
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const float u = static_cast<float>(x) / static_cast<float>(side - 1);
      const float v = static_cast<float>(y) / static_cast<float>(side - 1);
      const float bump = 0.5f + 0.5f * std::sin(7 * u) * std::cos(5 * v);
      const Vec3 e = extent(box);
      positions.push_back(box.min + Vec3{u * e.x, v * e.y, bump * e.z});
    }
  }
  return image_from_positions(std::move(positions));
}

}  // namespace lamella::test
