#pragma once

#include <algorithm>

#include "lamella/math.hpp"

namespace lamella {

/// Which of the triangles of two quads share a point; exact as triangles_meet is. Corners go round the quad: (x, y),
/// (x + 1, y), (x + 1, y + 1), (x, y + 1) of a geometry image, all in one frame. Triangle 0 is corners 0, 1, 2,
/// triangle 1 is corners 0, 2, 3. Bit 2 * i + j: triangle i of a meets triangle j of b.
[[nodiscard]] unsigned quads_meet(const Vec3 a[4], const Vec3 b[4]);

/// The same for a single triangle: bit j if it meets triangle j of b.
[[nodiscard]] unsigned triangle_meets_quad(const Vec3 a[3], const Vec3 b[4]);

/// Whether the boxes of A points and of B points share no point. Their convex hulls then share none either.
template <int A, int B>
[[nodiscard]] bool boxes_apart(const Vec3* a, const Vec3* b) {
  const auto apart = [&](float Vec3::*axis) {
    float a_min = a[0].*axis, a_max = a_min, b_min = b[0].*axis, b_max = b_min;
    for (int i = 1; i < A; ++i) a_min = std::min(a_min, a[i].*axis), a_max = std::max(a_max, a[i].*axis);
    for (int i = 1; i < B; ++i) b_min = std::min(b_min, b[i].*axis), b_max = std::max(b_max, b[i].*axis);
    return a_max < b_min || b_max < a_min;
  };
  return apart(&Vec3::x) || apart(&Vec3::y) || apart(&Vec3::z);
}

}  // namespace lamella
