// Geometry images as pages of a TIFF file: docs/gi-file.md. Benes, Gomez Villanueva, "GI-COLLIDE", sections 5.4 and 6:
// geometry images are kept on disk as TIFF, 16 bits a channel, and LZW would make them smaller. Pyramids are not stored
// there. Here they are, for other readers: made for the positions as they come back from the file, radii rounded up.
#include "lamella/geometry_image_io.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "geometry_image/file/spheres.hpp"
#include "geometry_image/file/text.hpp"
#include "geometry_image/file/tiff.hpp"
#include "geometry_image/file/write.hpp"
#include "geometry_image/image_codes.hpp"
#include "io/messages.hpp"
#include "lamella/sphere_pyramid.hpp"
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
           fmt::format("it has {} positions, and n = {} wants {} x {}", image.positions.size(), image.n, image.side(),
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
  for (const GeometryImage& image : images) rows += 2 * std::uint64_t{image.side()} + image.quads_per_side();
  return rows;
}

/// Writes the pages of one file, row by row.
class Pages {
 public:
  Pages(TiffOutput& file, std::uint32_t images, std::uint64_t rows, const ImageFileOptions& options)
      : file_(file), tiff_(file.handle()), images_(images), total_rows_(rows), options_(options) {}

  /// fill_row(row, codes) is called for every row in turn.
  template <class FillRow>
  void write(const PageText& text, std::uint32_t width, std::uint32_t height, std::uint16_t channels,
             const FillRow& fill_row) {
    const std::size_t row_codes = std::size_t{width} * channels;
    const auto rows_per_strip = std::clamp<std::uint32_t>(
        kStripBytes / static_cast<std::uint32_t>(row_codes * sizeof(std::uint16_t)), 1, height);
    set_tags(text, width, height, channels, rows_per_strip);
    strip_.resize(row_codes * rows_per_strip);
    for (std::uint32_t row = 0, strip = 0; row < height; row += rows_per_strip, ++strip) {
      const std::uint32_t rows = std::min(rows_per_strip, height - row);
      for (std::uint32_t i = 0; i < rows; ++i) fill_row(row + i, strip_.data() + i * row_codes);
      const auto bytes = static_cast<tmsize_t>(row_codes * rows * sizeof(std::uint16_t));
      file_.expect(TIFFWriteEncodedStrip(tiff_, strip, strip_.data(), bytes) == bytes);
      done_rows_ += rows;
      if (options_.progress) options_.progress(done_rows_, total_rows_);
    }
    file_.expect(TIFFWriteDirectory(tiff_) != 0);
    ++page_;
  }

 private:
  template <class... Values>
  void set(std::uint32_t tag, Values... values) {
    file_.expect(TIFFSetField(tiff_, tag, values...) != 0);
  }

  void set_tags(const PageText& text, std::uint32_t width, std::uint32_t height, std::uint16_t channels,
                std::uint32_t rows_per_strip) {
    set(TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    set(TIFFTAG_PAGENUMBER, page_, 3 * images_);
    set(TIFFTAG_IMAGEWIDTH, width);
    set(TIFFTAG_IMAGELENGTH, height);
    set(TIFFTAG_BITSPERSAMPLE, 16);
    set(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    set(TIFFTAG_SAMPLESPERPIXEL, int{channels});
    set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (channels == 4) {
      // Not an opacity: nothing is to be multiplied by it, and small spheres are not to look transparent.
      const std::uint16_t radius[] = {EXTRASAMPLE_UNSPECIFIED};
      set(TIFFTAG_EXTRASAMPLES, 1, radius);
    }
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

/// Positions become what they will be read as: the spheres must enclose those.
void write_positions(Pages& pages, PageText text, GeometryImage& image, const BoxCodes& codes) {
  text.kind = Kind::positions;
  const std::uint32_t side = image.side();
  pages.write(text, side, side, 3, [&](std::uint32_t row, std::uint16_t* code) {
    Vec3* p = image.positions.data() + std::size_t{row} * side;
    for (std::uint32_t x = 0; x < side; ++x, code += 3) {
      codes.encode(p[x], code);
      p[x] = codes.decode(code);
    }
  });
}

void write_normals(Pages& pages, PageText text, const GeometryImage& image) {
  text.kind = Kind::normals;
  const std::uint32_t side = image.side();
  pages.write(text, side, side, 3, [&](std::uint32_t row, std::uint16_t* code) {
    const Vec3* normals = image.normals.data() + std::size_t{row} * side;
    for (std::uint32_t x = 0; x < side; ++x, code += 3) encode_normal(normals[x], code);
  });
}

void write_pyramid(Pages& pages, PageText text, const GeometryImage& decoded, const BoxCodes& codes) {
  text.kind = Kind::pyramid;
  const SpherePyramid pyramid(decoded);
  const int n = decoded.n;
  pages.write(text, pyramid.width(), pyramid.height(), 4, [&](std::uint32_t row, std::uint16_t* row_codes) {
    std::fill_n(row_codes, std::size_t{4} * pyramid.width(), std::uint16_t{0});
    for (const SphereRun& run : sphere_runs(n, row)) {
      std::uint16_t* code = row_codes + std::size_t{4} * run.column;
      for (std::uint32_t x = 0; x < run.count; ++x, code += 4) {
        const Sphere& sphere = pyramid.at(run.level, x, run.y);
        codes.encode({sphere.x, sphere.y, sphere.z}, code);
        // From the centre as it will be read, the radius need not be the sphere's own, only reach all below.
        const double reach = furthest_vertex(n, decoded.positions, run.level, x, run.y, codes.decode(code));
        code[3] = codes.encode_radius(reach);
        assert(reach <= codes.decode_radius(code[3]) * (1 + kRadiusRounding));
      }
    }
  });
}

}  // namespace

bool may_exceed_4_gb(const std::vector<GeometryImage>& images) {
  // LZW may turn a byte into a code of 12 bits; directories take 16 bytes a strip and less than 1 KB beside that.
  std::uint64_t bytes = 0;
  for (const GeometryImage& image : images) {
    const std::uint64_t quads = image.quads_per_side();
    bytes += (12 * (quads + 1) * (quads + 1) + 12 * quads * quads) / 2 * 3 + 3 * (16 * (quads + 1) + 1024);
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
    GeometryImage decoded{images[i].n, images[i].positions, {}};
    for (const Vec3 p : decoded.positions) text.box = extend(text.box, p);
    const BoxCodes codes(text.box);
    write_positions(pages, text, decoded, codes);
    if (images[i].normals.empty()) {
      GeometryImage with_normals{images[i].n, images[i].positions, {}};
      compute_normals(with_normals);
      write_normals(pages, text, with_normals);
    } else {
      write_normals(pages, text, images[i]);
    }
    write_pyramid(pages, text, decoded, codes);
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
