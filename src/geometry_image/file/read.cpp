// Reads what write.cpp wrote. Nothing in a file is trusted: all pages are checked first, and memory is allocated only
// for pixels that the file has enough bytes for.
#include <algorithm>

#include <fmt/format.h>

#include "geometry_image/file/text.hpp"
#include "geometry_image/file/tiff.hpp"
#include "geometry_image/image_codes.hpp"
#include "io/checks.hpp"
#include "io/input_file.hpp"
#include "io/messages.hpp"
#include "lamella/geometry_image_io.hpp"

namespace lamella {
namespace io {
namespace {

using Kind = ImagePage::Kind;

/// A code of LZW has 9 to 12 bits and stands for fewer than 4096 bytes.
constexpr std::uint64_t kMaxExpansion = 4096;

constexpr std::string_view kDamaged = "the page is damaged or cut short; copy the file again, or write it again";

template <class T>
T tag_of(TIFF* tiff, std::uint32_t tag, T otherwise) {
  T value{};
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

/// Tools that save a file again may change the kind of its pixels, and with it their values.
void check_pixels(TIFF* tiff, const PagePlace& place) {
  const auto expect = [&](std::uint32_t tag, std::initializer_list<int> values, std::string_view what) {
    const int found = tag_of<std::uint16_t>(tiff, tag, 0);
    if (std::ranges::find(values, found) == values.end()) {
      place.fail(fmt::format("expected {} (TIFF tag {}), found {}; use the file as it was written", what, tag, found));
    }
  };
  if (TIFFIsTiled(tiff) != 0) place.fail("expected strips, found tiles; use the file as it was written");
  expect(TIFFTAG_BITSPERSAMPLE, {16}, "16 bits a channel");
  expect(TIFFTAG_SAMPLEFORMAT, {SAMPLEFORMAT_UINT}, "unsigned integers, 1");
  expect(TIFFTAG_SAMPLESPERPIXEL, {3, 4}, "3 or 4 channels");
  expect(TIFFTAG_PHOTOMETRIC, {PHOTOMETRIC_RGB}, "RGB, 2");
  expect(TIFFTAG_PLANARCONFIG, {PLANARCONFIG_CONTIG}, "the channels of a pixel side by side, 1");
  expect(TIFFTAG_ORIENTATION, {ORIENTATION_TOPLEFT}, "the first row at the top, 1");
  expect(TIFFTAG_COMPRESSION, {COMPRESSION_NONE, COMPRESSION_LZW}, "LZW, 5, or no compression, 1");
}

void check_size(const ImagePage& page, const PagePlace& place) {
  const std::uint32_t quads = 1u << page.n;
  const bool spheres = page.kind == Kind::pyramid;
  const std::uint32_t width = spheres ? 3 * quads / 2 : quads + 1, height = spheres ? quads : quads + 1;
  if (page.width != width || page.height != height) {
    place.fail(fmt::format("it is {} x {} pixels; {} of n = {} take {} x {}, {}; use the file as it was written",
                           page.width, page.height, name_of(page.kind), page.n, width, height,
                           spheres ? "3 * 2^(n-1) by 2^n" : "2^n + 1 on either side"));
  }
  const std::uint32_t channels = spheres ? 4 : 3;
  if (page.channels != channels) {
    place.fail(fmt::format("it has {} channels, expected {} for {}; use the file as it was written", page.channels,
                           channels, name_of(page.kind)));
  }
}

/// Files of version 1 have a page of spheres for every image as well. Its pixels are not read.
constexpr Kind kOrder[] = {Kind::positions, Kind::normals, Kind::pyramid};

/// Goes through the pages of a file in turn.
class PageReader {
 public:
  PageReader(std::string_view bytes, const std::string& name)
      : file_(bytes, name), tiff_(file_.handle()), place_{name}, left_(bytes.size()) {}

  /// All pages. Leaves the file at its last one.
  std::vector<ImagePage> pages() {
    std::vector<ImagePage> result;
    for (;; ++place_.number) {
      result.push_back(page(result));
      offsets_.push_back(TIFFCurrentDirOffset(tiff_));
      if (TIFFLastDirectory(tiff_) != 0) break;
      if (result.size() == expected_pages()) {
        place_.fail(fmt::format("it is followed by another page, and {} images have {}; use the file as it was written",
                                images_, result.size()));
      }
      // Also where the pages go round in a circle.
      if (TIFFReadDirectory(tiff_) == 0) {
        place_.fail(
            fmt::format("the page after it cannot be read: the file is damaged or cut short; copy it again, or "
                        "write it again{}",
                        file_.log().remark()));
      }
    }
    if (result.size() != expected_pages()) {
      fail(place_.file, fmt::format("expected {} pages, {} for each image, found {}; write the file again",
                                    expected_pages(), pages_per_image_, result.size()));
    }
    return result;
  }

  /// Of the largest strip of pages(), unpacked.
  [[nodiscard]] std::uint64_t strip_bytes() const { return strip_bytes_; }

  /// Makes page `index` of pages() the current one.
  void go_to(std::uint32_t index) {
    place_.number = index + 1;
    // By offset: by number libtiff would go through all pages before it.
    if (TIFFSetSubDirectory(tiff_, offsets_[index]) == 0) damaged();
  }

  /// Calls take_row(row, codes) for every row of the current page in turn, and advance(rows) after some.
  template <class TakeRow, class Advance>
  void read(const ImagePage& page, const TakeRow& take_row, const Advance& advance) {
    const std::size_t row_codes = std::size_t{page.width} * page.channels;
    const std::uint32_t rows_per_strip = strip_rows(page.height);
    strip_.resize(row_codes * rows_per_strip);
    for (std::uint32_t row = 0, strip = 0; row < page.height; row += rows_per_strip, ++strip) {
      const std::uint32_t rows = std::min(rows_per_strip, page.height - row);
      const auto bytes = static_cast<tmsize_t>(row_codes * rows * sizeof(std::uint16_t));
      if (TIFFReadEncodedStrip(tiff_, strip, strip_.data(), bytes) != bytes) damaged();
      for (std::uint32_t i = 0; i < rows; ++i) take_row(row + i, strip_.data() + i * row_codes);
      advance(rows);
    }
  }

 private:
  [[nodiscard]] std::size_t expected_pages() const { return std::size_t{pages_per_image_} * images_; }
  [[noreturn]] void damaged() const { place_.fail(std::string(kDamaged) + file_.log().remark()); }

  [[nodiscard]] std::uint32_t strip_rows(std::uint32_t height) const {
    return std::clamp<std::uint32_t>(tag_of<std::uint32_t>(tiff_, TIFFTAG_ROWSPERSTRIP, height), 1, height);
  }

  ImagePage page(const std::vector<ImagePage>& before) {
    if (file_.log().cut_short) damaged();
    check_pixels(tiff_, place_);
    const char* description = nullptr;
    if (TIFFGetField(tiff_, TIFFTAG_IMAGEDESCRIPTION, &description) != 1 || description == nullptr) {
      place_.fail(
          "it has no ImageDescription, so it is not a geometry image of this library; "
          "make one with `lamella gi make`");
    }
    const PageText text = read_page_text(description, place_);
    ImagePage result{.kind = text.kind, .image = text.image, .n = text.n, .box = text.box};
    result.width = tag_of<std::uint32_t>(tiff_, TIFFTAG_IMAGEWIDTH, 0);
    result.height = tag_of<std::uint32_t>(tiff_, TIFFTAG_IMAGELENGTH, 0);
    result.channels = tag_of<std::uint16_t>(tiff_, TIFFTAG_SAMPLESPERPIXEL, 0);
    check_size(result, place_);
    check_order(text, before);
    result.stored_bytes = stored_bytes(result);
    return result;
  }

  void check_order(const PageText& text, const std::vector<ImagePage>& before) {
    if (before.empty()) {
      images_ = text.images;
      pages_per_image_ = text.version == 1 ? 3 : 2;
    }
    if (text.images != images_) {
      place_.fail(fmt::format("it is from a file of {} images, and the first page from one of {}; write the file again",
                              text.images, images_));
    }
    const std::size_t image = before.size() / pages_per_image_, part = before.size() % pages_per_image_;
    if (text.image != image || text.kind != kOrder[part]) {
      place_.fail(
          fmt::format("expected {} of image {}, found {} of image {}: pages are missing or in another order; "
                      "write the file again",
                      name_of(kOrder[part]), image, name_of(text.kind), text.image));
    }
    if (part != 0 && (text.n != before.back().n || text.box != before.back().box)) {
      place_.fail(
          "its n and box differ from those of the page before, which belongs to the same image; write the file again");
    }
  }

  /// Strips lie within the file, do not share its bytes, and have enough of them for their pixels.
  std::uint64_t stored_bytes(const ImagePage& page) {
    const std::uint32_t rows_per_strip = strip_rows(page.height);
    const std::uint64_t row_bytes = std::uint64_t{page.width} * page.channels * sizeof(std::uint16_t);
    const bool packed = tag_of<std::uint16_t>(tiff_, TIFFTAG_COMPRESSION, 0) == COMPRESSION_LZW;
    strip_bytes_ = std::max(strip_bytes_, rows_per_strip * row_bytes);
    std::uint64_t sum = 0;
    for (std::uint32_t row = 0, strip = 0; row < page.height; row += rows_per_strip, ++strip) {
      int failed = 0;
      const std::uint64_t offset = TIFFGetStrileOffsetWithErr(tiff_, strip, &failed);
      const std::uint64_t bytes = failed != 0 ? 0 : TIFFGetStrileByteCountWithErr(tiff_, strip, &failed);
      const std::uint64_t wanted = std::min(rows_per_strip, page.height - row) * row_bytes;
      const bool inside = offset <= file_.size() && bytes <= file_.size() - offset && bytes <= left_;
      if (failed != 0 || !inside || (packed ? wanted / kMaxExpansion >= bytes : wanted > bytes)) damaged();
      left_ -= bytes;
      sum += bytes;
    }
    return sum;
  }

  TiffInput file_;
  TIFF* tiff_;
  PagePlace place_;
  std::vector<std::uint64_t> offsets_;  ///< of the pages' directories
  std::uint32_t images_ = 0, pages_per_image_ = 0;
  std::uint64_t left_;  ///< bytes of the file that no strip has claimed
  std::uint64_t strip_bytes_ = 0;
  std::vector<std::uint16_t> strip_;
};

/// Whether a page's pixels are read.
bool wanted(const ImagePage& page, const ImageFileOptions& options) {
  return page.kind == Kind::positions || (page.kind == Kind::normals && !options.skip_normals);
}

/// Reads the pixels of pages, image by image.
class ImageReader {
 public:
  ImageReader(PageReader& file, const std::vector<ImagePage>& pages, const ImageFileOptions& options)
      : file_(file), pages_(pages), options_(options) {
    for (const ImagePage& page : pages) total_rows_ += wanted(page, options) ? page.height : 0;
  }

  /// The image whose positions are page `index`; its normals are the next one.
  void read(std::uint32_t index, GeometryImage& image) {
    const BoxCodes codes(pages_[index].box);
    image.n = pages_[index].n;
    read_vectors(index, image.positions, [&](const std::uint16_t* code) { return codes.decode(code); });
    if (!options_.skip_normals) read_vectors(index + 1, image.normals, decode_normal);
  }
  void read(std::uint32_t index, CompactImage& image) {
    image.n = pages_[index].n;
    image.box = pages_[index].box;
    read_codes(index, image.positions);
    if (!options_.skip_normals) read_codes(index + 1, image.normals);
  }

 private:
  template <class Decode>
  void read_vectors(std::uint32_t index, std::vector<Vec3>& out, const Decode& decode) {
    const std::uint32_t width = pages_[index].width;
    out.resize(std::size_t{width} * pages_[index].height);
    read_page(index, [&](std::uint32_t row, const std::uint16_t* code) {
      Vec3* to = out.data() + std::size_t{row} * width;
      for (std::uint32_t x = 0; x < width; ++x, code += 3) to[x] = decode(code);
    });
  }

  void read_codes(std::uint32_t index, std::vector<std::uint16_t>& out) {
    const std::size_t row_codes = std::size_t{3} * pages_[index].width;
    out.resize(row_codes * pages_[index].height);
    read_page(index, [&](std::uint32_t row, const std::uint16_t* code) {
      std::copy(code, code + row_codes, out.data() + row * row_codes);
    });
  }

  template <class TakeRow>
  void read_page(std::uint32_t index, const TakeRow& take_row) {
    file_.go_to(index);
    file_.read(pages_[index], take_row, [&](std::uint32_t rows) {
      done_rows_ += rows;
      if (options_.progress) options_.progress(done_rows_, total_rows_);
    });
  }

  PageReader& file_;
  const std::vector<ImagePage>& pages_;
  const ImageFileOptions& options_;
  std::uint64_t done_rows_ = 0, total_rows_ = 0;
};

/// What images may take beside a multiple of their file's size: one of the largest size, which is large even where it
/// is flat and its file tiny.
constexpr std::uint64_t kBaseMemory = std::uint64_t{2} << 30;

MemoryLimit limit_for(const std::string& name, const ImageFileOptions& options, std::uint64_t file_bytes) {
  return {name, options.max_memory, kBaseMemory, file_bytes};
}

/// Of all images, and of the largest strip: known before any pixel is read.
void take_memory(const std::vector<ImagePage>& pages, std::uint64_t strip_bytes, std::size_t pixel_bytes,
                 const ImageFileOptions& options, MemoryLimit& memory) {
  memory.take(strip_bytes);
  for (const ImagePage& page : pages) {
    if (wanted(page, options)) memory.take(std::uint64_t{page.width} * page.height, pixel_bytes);
  }
}

/// `pixel_bytes`: of a position or a normal in an Image.
template <class Image>
std::vector<Image> read_images(std::string_view bytes, const std::string& name, std::size_t pixel_bytes,
                               MemoryLimit& memory, const ImageFileOptions& options) {
  PageReader file(bytes, name);
  const std::vector<ImagePage> pages = file.pages();
  take_memory(pages, file.strip_bytes(), pixel_bytes, options, memory);
  ImageReader reader(file, pages, options);
  std::vector<Image> images;
  for (std::uint32_t i = 0; i < pages.size(); ++i) {
    if (pages[i].kind == Kind::positions) reader.read(i, images.emplace_back());
  }
  return images;
}

template <class Image>
std::vector<Image> read_file(const std::filesystem::path& path, std::size_t pixel_bytes,
                             const ImageFileOptions& options) {
  const InputFile file(path);
  MemoryLimit memory = limit_for(display(path), options, file.size());
  const FileBytes bytes = file.read(memory);
  return read_images<Image>(bytes.bytes(), display(path), pixel_bytes, memory, options);
}

template <class Image>
std::vector<Image> read_bytes(std::span<const std::byte> bytes, std::string_view name, std::size_t pixel_bytes,
                              const ImageFileOptions& options) {
  MemoryLimit memory = limit_for(display(name), options, bytes.size());
  return read_images<Image>(as_chars(bytes), display(name), pixel_bytes, memory, options);
}

constexpr std::size_t kCodesBytes = 3 * sizeof(std::uint16_t);

}  // namespace
}  // namespace io

std::vector<ImagePage> image_pages(const std::filesystem::path& path, const ImageFileOptions& options) {
  const io::InputFile file(path);
  io::MemoryLimit memory = io::limit_for(io::display(path), options, file.size());
  const io::FileBytes bytes = file.read(memory);
  return io::PageReader(bytes.bytes(), io::display(path)).pages();
}

std::vector<ImagePage> image_pages(std::span<const std::byte> bytes, std::string_view name, const ImageFileOptions&) {
  return io::PageReader(io::as_chars(bytes), io::display(name)).pages();
}

std::vector<GeometryImage> read_images(const std::filesystem::path& path, const ImageFileOptions& options) {
  return io::read_file<GeometryImage>(path, sizeof(Vec3), options);
}
std::vector<GeometryImage> read_images(std::span<const std::byte> bytes, std::string_view name,
                                       const ImageFileOptions& options) {
  return io::read_bytes<GeometryImage>(bytes, name, sizeof(Vec3), options);
}

std::vector<CompactImage> read_compact_images(const std::filesystem::path& path, const ImageFileOptions& options) {
  return io::read_file<CompactImage>(path, io::kCodesBytes, options);
}
std::vector<CompactImage> read_compact_images(std::span<const std::byte> bytes, std::string_view name,
                                              const ImageFileOptions& options) {
  return io::read_bytes<CompactImage>(bytes, name, io::kCodesBytes, options);
}

}  // namespace lamella
