#pragma once

// The lattice of a solid: where the rays of the three views cross one another.

#include <array>
#include <cstdint>

#include "solid/point_bits.hpp"
#include "solid/span_views.hpp"

namespace lamella::solid {

/// The same box, with as many points along each axis as rays pass it. Point i is at box.min + (i + 1/2) * step.
struct PointLattice {
  Aabb box;
  std::uint32_t count = 0;  ///< of points along each axis

  [[nodiscard]] Grid grid(int axis) const { return square_grid(box, static_cast<Axis>(axis), count); }
  [[nodiscard]] Vec3d step() const {
    return (to_double(box.max) - to_double(box.min)) * (1.0 / static_cast<double>(count));
  }
};

/// Column of the view along `axis` that passes through a point.
constexpr std::size_t column_at(int axis, std::uint32_t count, const std::array<std::uint32_t, 3>& point) {
  return std::size_t{point[(axis + 2) % 3]} * count + point[(axis + 1) % 3];
}

/// The points inside a span: from `begin` to before `end`.
struct PointRange {
  std::int64_t begin = 0, end = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] bool has(std::int64_t i) const { return i >= begin && i < end; }
};
/// `per_step`: 1 / step along the view.
PointRange points_in(const FacedSpan& span, double per_step);

/// Volumes of spans, and of gaps between them, that have no point of the lattice in them.
struct Losses {
  double missed = 0, filled = 0;
};
[[nodiscard]] Losses losses_of(const SpanView& view, double step);

/// Points that two of the three views have inside. Views differ only where a surface passes close by, and in columns
/// that do not close.
[[nodiscard]] PointBits points_inside(const std::array<SpanView, 3>& views, const PointLattice& lattice,
                                      Workers& workers);

/// For each axis: whether points of the first and of the last plane are inside. Clears them.
[[nodiscard]] std::array<std::array<bool, 2>, 3> clear_border(PointBits& bits);

}  // namespace lamella::solid
