#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lamella/error.hpp"
#include "lamella/heights.hpp"

namespace lamella {
namespace {

/// A point of one row of samples in another: the sample before it, and how far it is to the next.
struct Place {
  std::size_t first = 0;
  double part = 0;
};

/// Of sample i of `count` in a row of `other` over the same length.
Place place_of(std::size_t i, std::size_t count, std::size_t other) {
  const double at = static_cast<double>(i) * static_cast<double>(other - 1) / static_cast<double>(count - 1);
  const std::size_t first = std::min(static_cast<std::size_t>(at), other - 2);
  return {first, at - static_cast<double>(first)};
}

double bilinear(const std::vector<float>& values, std::size_t width, Place x, Place y) {
  const float* low = values.data() + y.first * width + x.first;
  const double bottom = low[0] + (double{low[1]} - low[0]) * x.part;
  const double top = low[width] + (double{low[width + 1]} - low[width]) * x.part;
  return bottom + (top - bottom) * y.part;
}

void check_heights(const Heights& heights) {
  if (heights.width < 2 || heights.height < 2 || heights.values.size() != std::size_t{heights.width} * heights.height ||
      !(heights.most > 0))
    throw Error(
        fmt::format("a terrain needs 2 x 2 heights at least; there are {} x {}", heights.width, heights.height));
}

std::size_t side_of(int n) {
  if (n < kMinImageLevels || n > kMaxImageLevels)
    throw Error(fmt::format("n is {}, but an image has 2^n + 1 vertices a side with n from {} to {}", n,
                            kMinImageLevels, kMaxImageLevels));
  return (std::size_t{1} << n) + 1;
}

/// (2^n + 1)^2 values.
std::vector<float> resampled(const Heights& heights, std::size_t side) {
  if (heights.width == side && heights.height == side) return heights.values;
  std::vector<float> values(side * side);
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x)
      values[y * side + x] = static_cast<float>(
          bilinear(heights.values, heights.width, place_of(x, side, heights.width), place_of(y, side, heights.height)));
  return values;
}

}  // namespace

GeometryImage image_of_terrain(const Heights& heights, int n, Vec3 size) {
  check_heights(heights);
  const std::size_t side = side_of(n);
  if (!(size.x > 0 && size.y > 0 && size.z > 0))
    throw Error(fmt::format("a terrain of size {:g} x {:g} x {:g}: all three must be above 0", size.x, size.y, size.z));
  std::vector<float> values = resampled(heights, side);
  for (std::size_t y = 0; y < side / 2; ++y)  // the picture's lowest row comes first
    std::swap_ranges(values.begin() + static_cast<std::ptrdiff_t>(y * side),
                     values.begin() + static_cast<std::ptrdiff_t>((y + 1) * side),
                     values.begin() + static_cast<std::ptrdiff_t>((side - 1 - y) * side));
  for (float& value : values) value = value / heights.most * size.z;
  return image_from_heights(values, {0, 0, 0}, {size.x, size.y, 0});
}

Heights middle_part(const Heights& heights, std::uint32_t width, std::uint32_t height) {
  if (width > heights.width || height > heights.height)
    throw Error(
        fmt::format("{} x {} heights cannot be cut out of {} x {}", width, height, heights.width, heights.height));
  Heights part{width, height, heights.most, {}};
  const std::size_t left = (heights.width - width) / 2, top = (heights.height - height) / 2;
  part.values.reserve(std::size_t{width} * height);
  for (std::size_t y = 0; y < height; ++y) {
    const auto row = heights.values.begin() + static_cast<std::ptrdiff_t>((top + y) * heights.width + left);
    part.values.insert(part.values.end(), row, row + width);
  }
  return part;
}

double resampling_error(const Heights& heights, int n) {
  check_heights(heights);
  const std::size_t side = side_of(n);
  if (heights.width == side && heights.height == side) return 0;
  const std::vector<float> values = resampled(heights, side);
  double most = 0;
  for (std::size_t y = 0; y < heights.height; ++y)
    for (std::size_t x = 0; x < heights.width; ++x) {
      const double there = bilinear(values, side, place_of(x, heights.width, side), place_of(y, heights.height, side));
      most = std::max(most, std::abs(there - heights.values[y * heights.width + x]));
    }
  return most;
}

}  // namespace lamella
