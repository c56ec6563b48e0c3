#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "picture/camera.hpp"

namespace lamella::picture {

/// Inclusive box of samples; empty when low is above high.
struct SampleBox {
  int x_low = 0, y_low = 0, x_high = -1, y_high = -1;
};

[[nodiscard]] inline SampleBox meet(const SampleBox& a, const SampleBox& b) {
  return {std::max(a.x_low, b.x_low), std::max(a.y_low, b.y_low), std::min(a.x_high, b.x_high),
          std::min(a.y_high, b.y_high)};
}

/// Which samples a triangle covers, and where in it they lie.
///
/// Corners are snapped to a lattice finer than the samples and edges are evaluated in integers, with a rule for ties.
/// So triangles that share an edge neither leave a gap nor cover a sample twice, which on a translucent surface would
/// show as a line.
class Coverage {
 public:
  explicit Coverage(const std::array<ScreenPoint, 3>& corners) {
    for (std::size_t i = 0; i < 3; ++i) {
      x_[i] = snap(corners[i].x);
      y_[i] = snap(corners[i].y);
    }
    area_ = edge(0, x_[0], y_[0]);
    flip_ = area_ < 0 ? -1 : 1;
    area_ *= flip_;
  }

  /// No sample lies in a triangle seen edge-on.
  [[nodiscard]] bool empty() const { return area_ == 0; }

  [[nodiscard]] SampleBox box() const {
    const auto [x_low, x_high] = std::minmax({x_[0], x_[1], x_[2]});
    const auto [y_low, y_high] = std::minmax({y_[0], y_[1], y_[2]});
    return {first_sample(x_low), first_sample(y_low), last_sample(x_high), last_sample(y_high)};
  }

  /// Calls visit(x, y) for every covered sample of `box`.
  template <class Visit>
  void for_each_sample(const SampleBox& box, Visit visit) const {
    for (int y = box.y_low; y <= box.y_high; ++y) {
      const auto [low, high] = row_range(box, y);
      for (int x = low; x <= high; ++x) visit(x, y);
    }
  }

  /// Weights of the corners at a covered sample; they sum to 1. Linear on the screen: under so mild a perspective the
  /// difference does not show in a normal.
  [[nodiscard]] std::array<float, 3> weights(int x, int y) const {
    const double scale = static_cast<double>(flip_) / static_cast<double>(area_);
    std::array<float, 3> result;
    for (std::size_t i = 0; i < 3; ++i) {
      result[i] = static_cast<float>(static_cast<double>(edge(i, center(x), center(y))) * scale);
    }
    return result;
  }

 private:
  static constexpr std::int64_t kLattice = 256;  // per sample
  static constexpr std::int64_t kOffset = std::int64_t{1} << 30;

  /// Rounds by truncating a positive number, which is several times faster than std::llround. The camera keeps every
  /// corner within the image.
  static std::int64_t snap(double samples) {
    return static_cast<std::int64_t>(samples * kLattice + (kOffset + 0.5)) - kOffset;
  }
  static std::int64_t center(int sample) { return sample * kLattice + kLattice / 2; }
  static int first_sample(std::int64_t at) { return static_cast<int>((at + kLattice / 2 - 1) >> 8); }
  static int last_sample(std::int64_t at) { return static_cast<int>((at - kLattice / 2) >> 8); }

  /// Along the edge opposite to corner i.
  static std::int64_t delta(const std::array<std::int64_t, 3>& at, std::size_t i) {
    return at[(i + 2) % 3] - at[(i + 1) % 3];
  }
  [[nodiscard]] std::int64_t edge(std::size_t i, std::int64_t x, std::int64_t y) const {
    return delta(x_, i) * (y - y_[(i + 1) % 3]) - delta(y_, i) * (x - x_[(i + 1) % 3]);
  }

  struct Range {
    int low, high;  // inclusive
  };

  /// The covered samples of one row, solved for rather than tested one by one: the long thin triangles of prisms have
  /// boxes that are nearly empty.
  [[nodiscard]] Range row_range(const SampleBox& box, int y) const {
    std::int64_t first = 0, last = static_cast<std::int64_t>(box.x_high) - box.x_low;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t dx = delta(x_, i) * flip_, dy = delta(y_, i) * flip_;
      // Of two triangles on either side of an edge exactly one sees it rise, so that one owns the samples on it.
      const bool owns = dy > 0 || (dy == 0 && dx < 0);
      const std::int64_t start = edge(i, center(box.x_low), center(y)) * flip_ - (owns ? 0 : 1);
      const std::int64_t step = -dy * kLattice;  // from sample to sample; covered while start + k * step >= 0
      if (step > 0 && start < 0) first = std::max(first, (-start + step - 1) / step);
      if (step < 0) last = std::min(last, start < 0 ? -1 : start / -step);
      if (step == 0 && start < 0) last = -1;
    }
    return {box.x_low + static_cast<int>(std::min(first, last + 1)), box.x_low + static_cast<int>(last)};
  }

  std::array<std::int64_t, 3> x_{}, y_{};
  std::int64_t area_ = 0, flip_ = 1;
};

/// Depth across a triangle. It follows the corners as they are, not as snapped: faces in one plane then agree in depth
/// however they are triangulated.
class DepthPlane {
 public:
  explicit DepthPlane(const std::array<ScreenPoint, 3>& corners) : origin_(corners[0]) {
    const ScreenPoint &a = corners[0], &b = corners[1], &c = corners[2];
    low_ = std::min({a.depth, b.depth, c.depth});
    high_ = std::max({a.depth, b.depth, c.depth});
    const double det = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (det == 0) return;
    slope_x_ = ((b.depth - a.depth) * (c.y - a.y) - (c.depth - a.depth) * (b.y - a.y)) / det;
    slope_y_ = ((b.x - a.x) * (c.depth - a.depth) - (c.x - a.x) * (b.depth - a.depth)) / det;
  }

  /// At a sample's centre, within the triangle's own range: nearly edge-on planes extrapolate badly.
  [[nodiscard]] double at(int x, int y) const {
    const double depth = origin_.depth + slope_x_ * (x + 0.5 - origin_.x) + slope_y_ * (y + 0.5 - origin_.y);
    return std::clamp(depth, low_, high_);
  }

 private:
  ScreenPoint origin_;
  double low_ = 0, high_ = 0, slope_x_ = 0, slope_y_ = 0;
};

}  // namespace lamella::picture
