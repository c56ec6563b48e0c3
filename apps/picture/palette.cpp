// Colours by cutting boxes of colour space in two where they vary most: after Heckbert, "Color Image Quantization for
// Frame Buffer Display", SIGGRAPH 1982, with the cut at the mean instead of the median, and the box with the largest
// sum of squared distances next, as Wu, "Color Quantization by Dynamic Programming and Principal Analysis", 1992.
// Dithering is ordered, after Bayer, "An Optimum Method for Two-Level Rendition of Continuous-Tone Pictures", 1973.

#include "picture/palette.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::picture {
namespace {

constexpr int kStep = 4, kHalf = 2;  // between bins, and to a bin's middle
constexpr double kFrequent = 0.5;    // power of a colour's count
constexpr int kDither = 7;           // from the lowest to the highest value that is added to a part

struct Color {
  std::array<int, 3> rgb;
  double weight = 0;
};

/// Colours [begin, end) of the list, and how much they vary.
struct Box {
  std::size_t begin = 0, end = 0;
  std::array<double, 3> mean{};
  double spread = 0;  ///< sum of squared distances from the mean along `axis`
  int axis = 0;
};

Box box_of(const std::vector<Color>& colors, std::size_t begin, std::size_t end) {
  Box box{begin, end, {}, 0, 0};
  double weight = 0;
  std::array<double, 3> squares{};
  for (std::size_t i = begin; i < end; ++i) {
    weight += colors[i].weight;
    for (std::size_t k = 0; k < 3; ++k) {
      box.mean[k] += colors[i].weight * colors[i].rgb[k];
      squares[k] += colors[i].weight * colors[i].rgb[k] * colors[i].rgb[k];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    box.mean[k] /= weight;
    const double spread = squares[k] - weight * box.mean[k] * box.mean[k];
    if (!(spread > box.spread)) continue;
    box.spread = spread;
    box.axis = static_cast<int>(k);
  }
  return box;
}

std::vector<Color> colors_of(const Histogram& histogram) {
  constexpr std::size_t kMask = (std::size_t{1} << Histogram::kBits) - 1;
  std::vector<Color> colors;
  for (std::size_t i = 0; i < Histogram::kBins; ++i) {
    if (histogram.counts()[i] == 0) continue;
    const auto part = [&](int shift) {
      return static_cast<int>(i >> (shift * Histogram::kBits) & kMask) * kStep + kHalf;
    };
    colors.push_back({{part(2), part(1), part(0)}, std::pow(static_cast<double>(histogram.counts()[i]), kFrequent)});
  }
  return colors;
}

/// -kDither / 2 .. kDither / 2, each value of 64 once in 8 x 8 pixels.
int dither_at(unsigned x, unsigned y) {
  unsigned value = 0;
  for (unsigned bit = 0; bit < 3; ++bit) {
    const unsigned i = x >> bit & 1u, j = y >> bit & 1u;
    value = value << 2 | (i ^ j) << 1 | j;
  }
  return static_cast<int>(value) * kDither / 63 - kDither / 2;
}

}  // namespace

void Histogram::add(const Image& image) {
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    ++counts_[bin(image.rgb[i], image.rgb[i + 1], image.rgb[i + 2])];
  }
}

Palette::Palette(const Histogram& histogram, std::size_t size) : nearest_(Histogram::kBins, -1) {
  std::vector<Color> colors = colors_of(histogram);
  if (colors.empty()) return;
  std::vector<Box> boxes{box_of(colors, 0, colors.size())};
  while (boxes.size() < size) {
    const auto widest =
        std::max_element(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.spread < b.spread; });
    if (!(widest->spread > 0)) break;
    const Box whole = *widest;
    const auto at = [&](std::size_t i) { return colors.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto axis = static_cast<std::size_t>(whole.axis);
    const auto cut =
        std::partition(at(whole.begin), at(whole.end), [&](const Color& c) { return c.rgb[axis] < whole.mean[axis]; });
    const auto middle = static_cast<std::size_t>(cut - colors.begin());
    if (middle == whole.begin || middle == whole.end) break;
    *widest = box_of(colors, whole.begin, middle);
    boxes.push_back(box_of(colors, middle, whole.end));
  }
  for (const Box& box : boxes) {
    const auto part = [&](std::size_t k) { return static_cast<std::uint8_t>(std::lround(box.mean[k])); };
    colors_.push_back({part(0), part(1), part(2)});
  }
}

std::uint8_t Palette::nearest(std::size_t bin) {
  constexpr std::size_t kMask = (std::size_t{1} << Histogram::kBits) - 1;
  if (nearest_[bin] >= 0) return static_cast<std::uint8_t>(nearest_[bin]);
  const int r = static_cast<int>(bin >> (2 * Histogram::kBits)) * kStep + kHalf;
  const int g = static_cast<int>(bin >> Histogram::kBits & kMask) * kStep + kHalf;
  const int b = static_cast<int>(bin & kMask) * kStep + kHalf;
  int least = 1 << 30;
  for (std::size_t i = 0; i < colors_.size(); ++i) {
    const int dr = colors_[i].r - r, dg = colors_[i].g - g, db = colors_[i].b - b;
    const int far = 2 * dr * dr + 4 * dg * dg + 3 * db * db;  // eyes see green best
    if (far >= least) continue;
    least = far;
    nearest_[bin] = static_cast<std::int16_t>(i);
  }
  return static_cast<std::uint8_t>(nearest_[bin]);
}

std::uint8_t Palette::index(Pixel pixel, unsigned x, unsigned y) {
  const int shift = dither_at(x, y);
  const auto moved = [&](std::uint8_t part) { return std::clamp(part + shift, 0, 255); };
  return nearest(Histogram::bin(moved(pixel.r), moved(pixel.g), moved(pixel.b)));
}

}  // namespace lamella::picture
