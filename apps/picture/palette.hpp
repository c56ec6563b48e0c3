#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "picture/canvas.hpp"

namespace lamella::picture {

/// How often colours occur, in steps of 4 of each part.
class Histogram {
 public:
  static constexpr int kBits = 6;
  static constexpr std::size_t kBins = std::size_t{1} << (3 * kBits);

  Histogram() : counts_(kBins) {}
  void add(const Image& image);
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }

  [[nodiscard]] static std::size_t bin(int r, int g, int b) {
    return static_cast<std::size_t>((r >> 2) << (2 * kBits) | (g >> 2) << kBits | b >> 2);
  }

 private:
  std::vector<std::uint64_t> counts_;
};

/// A few colours for many.
class Palette {
 public:
  /// At most `size` colours that stand for those of the histogram. Frequent colours count more, but not as much more as
  /// they are frequent: small things should keep theirs.
  Palette(const Histogram& histogram, std::size_t size);

  [[nodiscard]] const std::vector<Pixel>& colors() const { return colors_; }
  /// The colour for a pixel at (x, y). Between two colours of the palette a fixed pattern of both is made, by places
  /// alone: what does not change does not flicker.
  [[nodiscard]] std::uint8_t index(Pixel pixel, unsigned x, unsigned y);

 private:
  [[nodiscard]] std::uint8_t nearest(std::size_t bin);

  std::vector<Pixel> colors_;
  std::vector<std::int16_t> nearest_;  ///< by bin; below 0: not yet looked for
};

}  // namespace lamella::picture
