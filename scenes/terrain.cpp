// Midpoint displacement: Fournier, Fussell and Carpenter, "Computer Rendering of Stochastic Models", 1982, in the form
// that takes the middles of squares first and those of their sides next. What is added at a point is a hash of where it
// is, not the next number of a sequence: so every size of the landscape is the same landscape. Along the border, where
// the published form lacks a neighbour, the middle of a side is taken from the other three.
#include "scenes/terrain.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "lamella/error.hpp"
#include "lamella/geometry_image.hpp"

namespace lamella::scenes {
namespace {

/// Uniform in [-1, 1), in steps that a float holds exactly.
inline float noise(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
  std::uint32_t h = (x * 0x9E3779B1u) ^ (y * 0x85EBCA77u + seed * 0xC2B2AE3Du + 0x27D4EB2Fu);
  h = (h ^ (h >> 16)) * 0x7FEB352Du;
  h = (h ^ (h >> 15)) * 0x846CA68Bu;
  h ^= h >> 16;
  return static_cast<float>(static_cast<std::int32_t>(h) >> 8) * 0x1p-23f;
}

struct Grid {
  std::vector<float>& heights;
  std::uint32_t side = 0;
  std::uint32_t unit = 0;  ///< points of the largest landscape from one of this one's to the next
  std::uint32_t seed = 0;

  [[nodiscard]] float* row(std::uint32_t y) const { return heights.data() + std::size_t{y} * side; }
  [[nodiscard]] float at(std::uint32_t x, std::uint32_t y) const { return noise(x * unit, y * unit, seed); }

  /// The middles of squares of side 2 * half.
  void fill_middles(std::uint32_t half, float height) const {
    for (std::uint32_t y = half; y < side; y += 2 * half) {
      const float *low = row(y - half), *high = row(y + half);
      float* out = row(y);
      for (std::uint32_t x = half; x < side; x += 2 * half) {
        const float sum = (low[x - half] + low[x + half]) + (high[x - half] + high[x + half]);
        out[x] = sum * 0.25f + height * at(x, y);
      }
    }
  }

  /// The middles of the sides of those squares.
  void fill_sides(std::uint32_t half, float height) const {
    for (std::uint32_t y = 0; y < side; y += half) {
      const bool has_low = y > 0, has_high = y + 1 < side;
      const float *low = has_low ? row(y - half) : nullptr, *high = has_high ? row(y + half) : nullptr;
      float* out = row(y);
      for (std::uint32_t x = (y / half) % 2 == 0 ? half : 0; x < side; x += 2 * half) {
        const bool has_left = x > 0, has_right = x + 1 < side;
        const float across = (has_left ? out[x - half] : 0) + (has_right ? out[x + half] : 0);
        const float along = (has_low ? low[x] : 0) + (has_high ? high[x] : 0);
        const bool inside = has_left && has_right && has_low && has_high;
        const float mean = inside ? (across + along) * 0.25f : (across + along) / 3.0f;
        out[x] = mean + height * at(x, y);
      }
    }
  }
};

}  // namespace

std::vector<float> fractal_heights(int n, std::uint32_t seed, float roughness) {
  if (n < kMinImageLevels || n > kMaxImageLevels) {
    throw Error("a landscape of 2^" + std::to_string(n) + " + 1 points a side: choose an exponent from " +
                std::to_string(kMinImageLevels) + " to " + std::to_string(kMaxImageLevels));
  }
  if (!(roughness > 0 && roughness < 1)) {
    throw Error("a roughness of " + std::to_string(roughness) + ": choose one above 0 and below 1");
  }
  constexpr std::uint32_t kHills = 4;  // along a side; from there on down everything is displacement
  constexpr float kSides = 0.75f;      // the middles of sides are nearer to their neighbours than those of squares
  const std::uint32_t cells = 1u << n, side = cells + 1;
  std::vector<float> heights(std::size_t{side} * side);
  const Grid grid{heights, side, 1u << (kMaxImageLevels - n), seed};
  // No point exceeds the mean of its neighbours by more than what is added: all that is ever added comes to just
  // under 1.
  float height = 0.999f / (1 + (1 + kSides) * roughness / (1 - roughness));
  const std::uint32_t hill = cells / std::min(cells, kHills);
  for (std::uint32_t y = 0; y < side; y += hill) {
    for (std::uint32_t x = 0; x < side; x += hill) grid.row(y)[x] = height * grid.at(x, y);
  }
  for (std::uint32_t half = hill / 2; half > 0; half /= 2) {
    height *= roughness;
    grid.fill_middles(half, height);
    grid.fill_sides(half, kSides * height);
  }
  return heights;
}

}  // namespace lamella::scenes
