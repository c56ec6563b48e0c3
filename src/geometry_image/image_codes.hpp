#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lamella/geometry_image.hpp"

namespace lamella::io {

// Conversion of coordinates and normals to 16-bit codes and back; docs/gi-file.md has the formulas. Computed in double,
// one value at a time: equal values get equal codes, and a larger value never gets a smaller code.

inline constexpr double kTopCode = 65535;
/// Squares of larger distances would overflow a float.
inline constexpr float kMaxCoordinate = kMaxImageCoordinate;

/// Positions along one axis of the box.
class AxisCodes {
 public:
  AxisCodes(float low, float high)
      : low_(low), high_(high), extent_(double{high} - low), scale_(extent_ > 0 ? kTopCode / extent_ : 0) {}

  /// Values outside of the box take its nearest face.
  [[nodiscard]] std::uint16_t encode(float value) const {
    const double t = (double{value} - low_) * scale_ + 0.5;
    return static_cast<std::uint16_t>(std::clamp(t, 0.0, kTopCode));
  }
  /// Within the interval: a step is at least 2^-40 of the larger end, far more than double's roundings. The ends are
  /// exact, so that what was read has the same box when it is written again.
  [[nodiscard]] float decode(std::uint16_t code) const {
    return code == kTopCode ? high_ : static_cast<float>(low_ + code / kTopCode * extent_);
  }

 private:
  float low_, high_;
  double extent_, scale_;
};

/// Positions in a box.
class BoxCodes {
 public:
  explicit BoxCodes(const Aabb& box) : x_(box.min.x, box.max.x), y_(box.min.y, box.max.y), z_(box.min.z, box.max.z) {}

  void encode(Vec3 p, std::uint16_t* code) const {
    code[0] = x_.encode(p.x);
    code[1] = y_.encode(p.y);
    code[2] = z_.encode(p.z);
  }
  [[nodiscard]] Vec3 decode(const std::uint16_t* code) const {
    return {x_.decode(code[0]), y_.decode(code[1]), z_.decode(code[2])};
  }

 private:
  AxisCodes x_, y_, z_;
};

/// -1 is 0, 0 is 32767, 1 is 65534: unlike the full range this has a zero, for normals along an axis and for none.
inline constexpr double kNormalZero = 32767;

inline void encode_normal(Vec3 normal, std::uint16_t* code) {
  for (int axis = 0; axis < 3; ++axis) {
    const double t = std::clamp(double{normal[axis]}, -1.0, 1.0) * kNormalZero;
    code[axis] = static_cast<std::uint16_t>(t + kNormalZero + 0.5);
  }
}

/// Of unit length, or zero for the code of zero.
inline Vec3 decode_normal(const std::uint16_t* code) {
  const double x = code[0] - kNormalZero, y = code[1] - kNormalZero, z = code[2] - kNormalZero;
  const double square = x * x + y * y + z * z;
  if (square == 0) return {};
  const double length = std::sqrt(square);
  return {static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length)};
}

}  // namespace lamella::io
