// Volumetric obscurance after Loos and Sloan, "Volumetric Obscurance", I3D 2010: how much of a ball around a surface's
// point is filled, judged from the depths of a few points on a disk. Points come in pairs, opposite to each other, so
// that on a plane, however tilted, errors cancel. Two sizes of balls instead of one: creases and bodies. Each pixel of
// a 4 x 4 block has other points, and a mean over such blocks, within one surface, removes the pattern.

#include "picture/occlusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "picture/parallel.hpp"

namespace lamella::picture {
namespace {

constexpr int kBlock = 4, kPairs = 5;
/// Of a ball, in radii of the scene; how far its shade counts; and how many radii nearer something may be that casts
/// it.
struct Ball {
  float radius, weight, reach;
};
constexpr std::array<Ball, 2> kBalls{{{0.05f, 0.75f, 3.0f}, {0.20f, 1.0f, 2.0f}}};
constexpr float kFewestPixels = 1.5f;  // of a ball's radius: smaller ones show nothing
constexpr float kMostPixels = 160;     // larger ones would have too few points
constexpr float kSameSurface = 0.04f;  // distance up to which neighbours are one surface, in radii of the scene

/// A point on the disk, and half the length of the ball there along the view; all in radii of the ball.
struct Tap {
  float x, y, half;
};
using Taps = std::array<std::array<Tap, kPairs>, kBlock * kBlock>;

Taps make_taps() {
  // Places of a block in an order that keeps neighbours different.
  constexpr std::array<int, kBlock * kBlock> kOrder{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  Taps taps{};
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const double turn = (kOrder[i] + 0.5) / (kBlock * kBlock);
    for (int k = 0; k < kPairs; ++k) {
      const double angle = std::numbers::pi * (k + turn) / kPairs;
      const double along = std::sqrt((std::fmod(k * 2.0, kPairs) + turn) / kPairs) * 0.95;
      taps[i][static_cast<std::size_t>(k)] = {static_cast<float>(along * std::cos(angle)),
                                              static_cast<float>(along * std::sin(angle)),
                                              static_cast<float>(std::sqrt(1 - along * along))};
    }
  }
  return taps;
}

struct Map {
  const std::vector<float>& distances;
  int width, height;

  /// Beyond the image the nearest pixel counts.
  [[nodiscard]] float at(int x, int y) const {
    const int i = std::clamp(x, 0, width - 1), j = std::clamp(y, 0, height - 1);
    return distances[static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)];
  }
};

/// Share of the ball's chord at a tap that is filled, -1 where what is there is too far in front to count.
float filled(float distance, float middle, const Ball& ball, float half) {
  const float nearer = (middle - distance) / ball.radius;
  if (nearer > ball.reach) return -1;
  return (std::clamp(nearer, -half, half) + half) / (2 * half);
}

float occlusion_in(const Map& map, int x, int y, const std::array<Tap, kPairs>& taps, const Ball& ball,
                   float pixels_per_radius) {
  const float middle = map.at(x, y);
  const float pixels = std::min(kMostPixels, ball.radius * pixels_per_radius / middle);
  if (pixels < kFewestPixels) return 0;
  float sum = 0, volume = 0;
  for (const Tap& tap : taps) {
    const int dx = static_cast<int>(std::lrint(tap.x * pixels)), dy = static_cast<int>(std::lrint(tap.y * pixels));
    const float one = filled(map.at(x + dx, y + dy), middle, ball, tap.half);
    const float other = filled(map.at(x - dx, y - dy), middle, ball, tap.half);
    const float both = one < 0 && other < 0   ? 1
                       : one < 0 || other < 0 ? std::max(1.0f, 2 * std::max(one, other))
                                              : one + other;
    sum += tap.half * (both - 1);
    volume += tap.half;
  }
  return std::clamp(sum / volume, 0.0f, 1.0f) * ball.weight;
}

/// The mean over the block around a pixel, of its own surface.
float smoothed(const Map& distances, const std::vector<float>& shares, int x, int y) {
  const float middle = distances.at(x, y);
  float sum = 0, count = 0;
  for (int j = std::max(0, y - kBlock / 2); j < std::min(distances.height, y + kBlock / 2); ++j) {
    for (int i = std::max(0, x - kBlock / 2); i < std::min(distances.width, x + kBlock / 2); ++i) {
      const auto at =
          static_cast<std::size_t>(j) * static_cast<std::size_t>(distances.width) + static_cast<std::size_t>(i);
      if (!(std::abs(distances.distances[at] - middle) < kSameSurface)) continue;
      sum += shares[at];
      count += 1;
    }
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

float Occlusion::at(unsigned x, unsigned y, float distance) const {
  const std::size_t own = static_cast<std::size_t>(y) * width + x;
  if (std::abs(distances[own] - distance) < kSameSurface / 2) return shares[own];
  float least = kSameSurface, share = 0;
  for (unsigned j = y - (y > 0 ? 1 : 0); j <= std::min(y + 1, height - 1); ++j) {
    for (unsigned i = x - (x > 0 ? 1 : 0); i <= std::min(x + 1, width - 1); ++i) {
      const std::size_t at = static_cast<std::size_t>(j) * width + i;
      const float difference = std::abs(distances[at] - distance);
      if (!(difference < least)) continue;
      least = difference;
      share = shares[at];
    }
  }
  return share;
}

Occlusion occlusion_of(std::vector<float> distances, unsigned width, unsigned height, const Camera& camera) {
  static const Taps taps = make_taps();
  Occlusion out{width, height, std::move(distances), {}};
  const Map map{out.distances, static_cast<int>(width), static_cast<int>(height)};
  const auto pixels_per_radius = static_cast<float>(camera.zoom / camera.samples);
  std::vector<float> rough(out.distances.size());
  const auto for_each_pixel = [&](const auto& body) {
    for_each(
        height,
        [&](std::size_t row) {
          for (unsigned x = 0; x < width; ++x) {
            const std::size_t at = row * width + x;
            if (std::isfinite(out.distances[at])) body(static_cast<int>(x), static_cast<int>(row), at);
          }
        },
        8);
  };
  for_each_pixel([&](int x, int y, std::size_t at) {
    const auto& own = taps[static_cast<std::size_t>(y % kBlock * kBlock + x % kBlock)];
    float light = 1;
    for (const Ball& ball : kBalls) light *= 1 - occlusion_in(map, x, y, own, ball, pixels_per_radius);
    rough[at] = 1 - light;
  });
  out.shares.resize(rough.size());
  for_each_pixel([&](int x, int y, std::size_t at) { out.shares[at] = smoothed(map, rough, x, y); });
  return out;
}

}  // namespace lamella::picture
