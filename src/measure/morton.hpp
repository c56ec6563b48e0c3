#pragma once

#include <algorithm>
#include <cstdint>

#include "lamella/math.hpp"

namespace lamella::measure {

/// Numbers along a Z-shaped curve through the cells of a box, 1024 along each axis.
class MortonGrid {
 public:
  static constexpr float kLast = 1023;

  explicit MortonGrid(const Aabb& box) : low_(box.min) {
    for (int k = 0; k < 3; ++k) {
      const float scale = kLast / (box.max[k] - box.min[k]);
      scale_[k] = scale < 0x1p100f ? scale : 0;  // also for a box without extent
    }
  }

  /// Cells are (position - low) * scale, rounded down.
  [[nodiscard]] Vec3 low() const { return low_; }
  [[nodiscard]] Vec3 scale() const { return scale_; }

  /// Points outside the box are in its outermost cells, and NaN in the first.
  [[nodiscard]] std::uint32_t code(Vec3 p) const {
    return spread(cell(p, 0)) | spread(cell(p, 1)) << 1 | spread(cell(p, 2)) << 2;
  }

 private:
  [[nodiscard]] std::uint32_t cell(Vec3 p, int k) const {
    const float at = (p[k] - low_[k]) * scale_[k];
    return static_cast<std::uint32_t>(at > 0 ? std::min(at, kLast) : 0.0f);
  }
  static constexpr std::uint32_t spread(std::uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
  }

  Vec3 low_, scale_;
};

}  // namespace lamella::measure
