#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lamella/export.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella {

/// Heights over a rectangle, as a greyscale picture has them.
struct Heights {
  std::uint32_t width = 0, height = 0;
  float most = 0;             ///< the value of white: 255 or 65535
  std::vector<float> values;  ///< width * height of them, row by row, the top row first; 0 to `most`
};

/// Most points of a picture of heights: 16384 x 16384.
inline constexpr std::uint64_t kMaxHeights = std::uint64_t{1} << 28;

/// Reads the first page of a greyscale TIFF file of 8 or 16 bits, black lowest. The bytes are not trusted: sizes are
/// checked against them before memory is allocated. Throws Error when they are not such a file, or when the file is
/// damaged or larger than kMaxHeights; messages call the bytes `name`.
[[nodiscard]] LAMELLA_API Heights read_tiff_heights(std::span<const std::byte> bytes, std::string_view name);

/// A terrain of `size` with its lowest corner at the origin: x to the right, y up in the picture, and z from black (0)
/// to white (size.z). Heights that are not (2^n + 1)^2 are resampled: between the points of the picture the surface is
/// bilinear. Throws Error when n is out of range, there are less than 2 x 2 heights, or a size is not above 0.
[[nodiscard]] LAMELLA_API GeometryImage image_of_terrain(const Heights& heights, int n, Vec3 size);

/// The middle part of width x height points. Throws Error when there are fewer.
[[nodiscard]] LAMELLA_API Heights middle_part(const Heights& heights, std::uint32_t width, std::uint32_t height);

/// The largest difference, in values, between a height and the surface of a terrain made of it with this n, measured
/// straight up at the points of the picture. 0 when nothing was resampled.
[[nodiscard]] LAMELLA_API double resampling_error(const Heights& heights, int n);

}  // namespace lamella
