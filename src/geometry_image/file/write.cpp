// Geometry images as pages of a TIFF file: docs/gi-file.md. Benes, Gomez Villanueva, "GI-COLLIDE", sections 5.4 and 6:
// geometry images are kept on disk as TIFF, 16 bits a channel, and LZW would make them smaller. Pyramids of spheres are
// not stored. To read one took half as long as to build a tight one and eight times as long as to build a fast one, and
// it was two fifths of the file.
#include "lamella/geometry_image_io.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "geometry_image/file/text.hpp"
#include "geometry_image/file/tiff.hpp"
#include "geometry_image/file/write.hpp"
#include "geometry_image/image_codes.hpp"
#include "io/messages.hpp"
#include "lamella/version.hpp"

namespace lamella {
namespace io {
namespace {

using Kind = ImagePage::Kind;

/// Large enough for LZW to learn, small enough to stay in a cache.
constexpr std::uint32_t kStripBytes = 1 << 17;

[[noreturn]] void refuse(const std::string& name, std::size_t image, std::string_view why) {
  fail(name, fmt::format("cannot write image {}: {}", image, why));
}

bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

void check_image(const std::string& name, std::size_t number, const GeometryImage& image) {
  if (image.n < kMinImageLevels || image.n > kMaxImageLevels) {
    refuse(name, number, fmt::format("its n is {}, expected {} to {}", image.n, kMinImageLevels, kMaxImageLevels));
  }
  const std::size_t vertices = std::size_t{image.side()} * image.side();
  if (image.positions.size() != vertices) {
    refuse(name, number,
           fmt::format("it has {} positions; n = {} needs {} x {}", image.positions.size(), image.n, image.side(),
                       image.side()));
  }
  if (!image.normals.empty() && image.normals.size() != vertices) {
    refuse(name, number,
           fmt::format("it has {} normals for {} positions; give as many, or none and they are computed",
                       image.normals.size(), vertices));
  }
  const auto usable = [](Vec3 p) {
    return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= kMaxCoordinate && finite(p);
  };
  if (const auto bad = std::ranges::find_if_not(image.positions, usable); bad != image.positions.end()) {
    refuse(name, number,
           fmt::format("position {} is not finite, or beyond {:g}; scale the surface", bad - image.positions.begin(),
                       kMaxCoordinate));
  }
  if (const auto bad = std::ranges::find_if_not(image.normals, finite); bad != image.normals.end()) {
    refuse(name, number,
           fmt::format("normal {} is not finite; give none and they are computed", bad - image.normals.begin()));
  }
}

std::uint64_t rows_of(const std::vector<GeometryImage>& images) {
  std::uint64_t rows = 0;
  for (const GeometryImage& image : images) rows += 2 * std::uint64_t{image.side()};
  return rows;
}

/// Writes the pages of one file, row by row.
class Pages {
 public:
  Pages(TiffOutput& file, std::uint32_t images, std::uint64_t rows, const ImageFileOptions& options)
      : file_(file), tiff_(file.handle()), images_(images), total_rows_(rows), options_(options) {}

  /// encode(vector, codes) is called for every vector in turn, row by row.
  template <class Encode>
  void write(const PageText& text, std::span<const Vec3> vectors, const Encode& encode) {
    const std::uint32_t side = (1u << text.n) + 1;
    const auto row_bytes = static_cast<std::uint32_t>(side * kChannels * sizeof(std::uint16_t));
    const std::uint32_t rows_per_strip = std::clamp(kStripBytes / row_bytes, 1u, side);
    set_tags(text, side, rows_per_strip);
    strip_.resize(std::size_t{side} * kChannels * rows_per_strip);
    const Vec3* from = vectors.data();
    for (std::uint32_t row = 0, strip = 0; row < side; row += rows_per_strip, ++strip) {
      const std::uint32_t rows = std::min(rows_per_strip, side - row);
      std::uint16_t* code = strip_.data();
      for (std::size_t i = std::size_t{rows} * side; i > 0; --i, code += kChannels) encode(*from++, code);
      const auto bytes = static_cast<tmsize_t>(std::size_t{rows} * row_bytes);
      file_.expect(TIFFWriteEncodedStrip(tiff_, strip, strip_.data(), bytes) == bytes);
      done_rows_ += rows;
      if (options_.progress) options_.progress(done_rows_, total_rows_);
    }
    file_.expect(TIFFWriteDirectory(tiff_) != 0);
    ++page_;
  }

 private:
  static constexpr std::uint32_t kChannels = 3;

  template <class... Values>
  void set(std::uint32_t tag, Values... values) {
    file_.expect(TIFFSetField(tiff_, tag, values...) != 0);
  }

  void set_tags(const PageText& text, std::uint32_t side, std::uint32_t rows_per_strip) {
    set(TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    set(TIFFTAG_PAGENUMBER, page_, 2 * images_);
    set(TIFFTAG_IMAGEWIDTH, side);
    set(TIFFTAG_IMAGELENGTH, side);
    set(TIFFTAG_BITSPERSAMPLE, 16);
    set(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    set(TIFFTAG_SAMPLESPERPIXEL, kChannels);
    set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    set(TIFFTAG_COMPRESSION, COMPRESSION_LZW);
    set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    set(TIFFTAG_ROWSPERSTRIP, rows_per_strip);
    set(TIFFTAG_PAGENAME, fmt::format("image {} {}", text.image, name_of(text.kind)).c_str());
    set(TIFFTAG_IMAGEDESCRIPTION, write_page_text(text).c_str());
    set(TIFFTAG_SOFTWARE, fmt::format("lamella {}", kVersion).c_str());
  }

  TiffOutput& file_;
  TIFF* tiff_;
  std::uint32_t images_, page_ = 0;
  std::uint64_t done_rows_ = 0, total_rows_;
  const ImageFileOptions& options_;
  std::vector<std::uint16_t> strip_;
};

void write_positions(Pages& pages, PageText text, std::span<const Vec3> positions) {
  text.kind = Kind::positions;
  pages.write(text, positions, [codes = BoxCodes(text.box)](Vec3 p, std::uint16_t* code) { codes.encode(p, code); });
}

void write_normals(Pages& pages, PageText text, const GeometryImage& image) {
  text.kind = Kind::normals;
  if (!image.normals.empty()) return pages.write(text, image.normals, encode_normal);
  GeometryImage with_normals{image.n, image.positions, {}};
  compute_normals(with_normals);
  pages.write(text, with_normals.normals, encode_normal);
}

}  // namespace

bool may_exceed_4_gb(const std::vector<GeometryImage>& images) {
  // LZW may turn a byte into a code of 12 bits; directories take 16 bytes a strip and less than 1 KB beside that.
  std::uint64_t bytes = 0;
  for (const GeometryImage& image : images) {
    const std::uint64_t side = image.side();
    bytes += 12 * side * side / 2 * 3 + 2 * (16 * side + 1024);
  }
  return bytes > std::numeric_limits<std::uint32_t>::max();
}

void write_images(const std::filesystem::path& path, const std::vector<GeometryImage>& images,
                  const ImageFileOptions& options, bool big) {
  const std::string name = display(path);
  if (images.empty()) fail(name, "there are no images to write; give at least one");
  if (images.size() > kMaxImages) {
    fail(name, fmt::format("{} images are more than the {} that a file can hold; write several files", images.size(),
                           kMaxImages));
  }
  for (std::size_t i = 0; i < images.size(); ++i) check_image(name, i, images[i]);

  NewFile file(path);
  TiffOutput tiff(name, big);
  Pages pages(tiff, static_cast<std::uint32_t>(images.size()), rows_of(images), options);
  for (std::size_t i = 0; i < images.size(); ++i) {
    PageText text;
    text.image = static_cast<std::uint32_t>(i);
    text.images = static_cast<std::uint32_t>(images.size());
    text.n = images[i].n;
    for (const Vec3 p : images[i].positions) text.box = extend(text.box, p);
    write_positions(pages, text, images[i].positions);
    write_normals(pages, text, images[i]);
  }
  tiff.save(file);
  file.commit();
}

}  // namespace io

void write_images(const std::filesystem::path& path, const std::vector<GeometryImage>& images,
                  const ImageFileOptions& options) {
  io::write_images(path, images, options, io::may_exceed_4_gb(images));
}

}  // namespace lamella
