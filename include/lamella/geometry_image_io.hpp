#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella {

/// Of the pages and their texts, docs/gi-file.md; a reader refuses files of a later one.
inline constexpr unsigned kImageFileVersion = 1;

struct ImageFileOptions {
  /// Called now and then with rows done and rows in all. May stay empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

/// Writes a TIFF file that ordinary image tools open: 16 bits a channel, LZW with horizontal differences; with 64-bit
/// offsets where it might exceed 4 GB. For every image three pages: positions (RGB, the box's range on each axis is 0
/// to 65535), normals (RGB, -1 to 1 is 0 to 65534; computed where the image has none), sphere pyramid (RGBA, as
/// SpherePyramid packs it: centre as positions, radius as part of the box's diagonal, rounded up so that every sphere
/// encloses its surface as it will be read). Box, version, kind of page and n are text in each page's ImageDescription.
///
/// Positions come back within half a step and a rounding to float: on each axis extent / 131070 plus 2^-24 times the
/// largest coordinate. Vertices that coincide still do, none leaves the box, and positions that were read are written
/// without further change. Normals come back within 0.0016 degrees, zero ones as zero.
///
/// The file appears whole or not at all. Until then it is kept in memory, beside a copy of one image's positions and
/// its pyramid: about 50 bytes a vertex. Throws Error when there are no images or more than 21845, a size is not that
/// of n, a coordinate is not finite or beyond 1e18, or the file cannot be written.
LAMELLA_API void write_images(const std::filesystem::path& path, const std::vector<GeometryImage>& images,
                              const ImageFileOptions& options = {});

/// Reads what write_images wrote, also after a tool saved it again with other strips, byte order or without
/// compression. Files are untrusted: all pages are checked before memory is taken for any, and no more is taken than
/// the file's bytes can fill. A file that is cut short, of another type, of a size that is not 2^n + 1, with pages
/// missing or in another order, or with a sphere that does not enclose its surface is an Error that names file, page
/// and what was expected. The file must not be shortened meanwhile.
[[nodiscard]] LAMELLA_API std::vector<GeometryImage> read_images(const std::filesystem::path& path,
                                                                 const ImageFileOptions& options = {});

/// A page as it is in the file, without reading its pixels.
struct ImagePage {
  enum class Kind { positions, normals, pyramid } kind = Kind::positions;
  std::uint32_t image = 0;  ///< which image it belongs to
  int n = 0;
  std::uint32_t width = 0, height = 0, channels = 0;
  Aabb box;                        ///< range of positions
  std::uint64_t stored_bytes = 0;  ///< of its pixels, compressed
};

/// All pages of a file, checked like read_images but for the pixels.
[[nodiscard]] LAMELLA_API std::vector<ImagePage> image_pages(const std::filesystem::path& path);

}  // namespace lamella
