#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lamella/compact_image.hpp"
#include "lamella/export.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella {

/// Version of the file format (docs/gi-file.md) that is written. Earlier versions are read, later ones refused.
inline constexpr unsigned kImageFileVersion = 2;

struct ImageFileOptions {
  /// Called now and then with rows done and rows in all. May stay empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
  /// Most bytes of memory that reading may use at a time: the file, a strip of it and the images, 24 bytes a vertex
  /// (12 as codes, half of either without normals).
  /// More is an Error, before any pixel is read. Unset: 2 GiB, an image of the largest size, and 64 times the file's
  /// size. Real surfaces stay below half of that; a file that compresses better is flat, or made to exhaust memory.
  /// Writing does not use it.
  std::optional<std::uint64_t> max_memory{};
  /// Reads images without normals, which no search needs.
  bool skip_normals = false;
};

/// Writes a TIFF file that ordinary image tools open: 16 bits a channel, LZW with horizontal differences; with 64-bit
/// offsets where it might exceed 4 GB. Every image has two pages: positions (RGB, the box's range on each axis is 0 to
/// 65535) and normals (RGB, -1 to 1 is 0 to 65534; computed if the image has none). Box, version, kind of page and n
/// are text in each page's ImageDescription.
///
/// Positions come back within half a step and a rounding to float: on each axis extent / 131070 plus 2^-24 times the
/// largest coordinate. Vertices that coincide still do, none leaves the box, and positions that were read are written
/// without further change. Normals come back within 0.0016 degrees, zero ones as zero.
///
/// The file appears complete or not at all (NewFile in lamella/file.hpp). Until then it is kept in memory: 12 bytes a
/// vertex at most, as a rule. Throws Error when there are no images or more than 32767, a size is not that of n, a
/// coordinate is not finite or beyond 1e18, or the file cannot be written.
LAMELLA_API void write_images(const std::filesystem::path& path, const std::vector<GeometryImage>& images,
                              const ImageFileOptions& options = {});

/// Reads what write_images wrote, also after a tool saved it again with other strips, byte order or without
/// compression. Files are not trusted: all pages are checked before memory is allocated for any, no more is allocated
/// than the file's bytes can fill, and no more than max_memory. A file that is cut short, of another type, of a size
/// that is not 2^n + 1, or with pages missing or in another order is an Error; the message gives the file, the page and
/// what was expected. The file is read into memory first: changing or shortening it afterwards does no harm.
[[nodiscard]] LAMELLA_API std::vector<GeometryImage> read_images(const std::filesystem::path& path,
                                                                 const ImageFileOptions& options = {});
/// The same from the bytes of a file. Error messages call them `name`.
[[nodiscard]] LAMELLA_API std::vector<GeometryImage> read_images(std::span<const std::byte> bytes,
                                                                 std::string_view name = "memory",
                                                                 const ImageFileOptions& options = {});

/// The same as the file's own 16-bit codes, in half the memory: expanded() turns them into what read_images returns.
[[nodiscard]] LAMELLA_API std::vector<CompactImage> read_compact_images(const std::filesystem::path& path,
                                                                        const ImageFileOptions& options = {});
[[nodiscard]] LAMELLA_API std::vector<CompactImage> read_compact_images(std::span<const std::byte> bytes,
                                                                        std::string_view name = "memory",
                                                                        const ImageFileOptions& options = {});

/// A page as it is in the file, without reading its pixels.
struct ImagePage {
  enum class Kind {
    positions,
    normals,
    pyramid,  ///< bounding spheres: files of version 1 have them, and read_images skips them
  } kind = Kind::positions;
  std::uint32_t image = 0;  ///< which image it belongs to
  int n = 0;
  std::uint32_t width = 0, height = 0, channels = 0;
  Aabb box;                        ///< range of positions
  std::uint64_t stored_bytes = 0;  ///< of its pixels, compressed
};

/// All pages of a file, with the checks of read_images except those of pixels.
[[nodiscard]] LAMELLA_API std::vector<ImagePage> image_pages(const std::filesystem::path& path,
                                                             const ImageFileOptions& options = {});
[[nodiscard]] LAMELLA_API std::vector<ImagePage> image_pages(std::span<const std::byte> bytes,
                                                             std::string_view name = "memory",
                                                             const ImageFileOptions& options = {});

}  // namespace lamella
