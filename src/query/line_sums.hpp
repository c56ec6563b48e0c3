#pragma once

// How far off a sampled volume may be. Lengths are summed up by line of the grid: for every column u, in four sums by
// row modulo 4, and for every row v. From these:
//
// - The 16 grids of every fourth column and row, and the 4 of every second, are volumes of their own. How much they
//   differ tells how much a shift of the grid changes the volume: sampling errs by about as much as such grids differ,
//   less what the finer grid gains.
// - Where a face is parallel to the rays and to the lines of the grid, all of a line is inside or outside at once, and
//   the volume is off by up to half of what the line has. The grids above cannot see that where the number of lines
//   inside is a multiple of four. So single steps between two lines count by themselves.
//
// The two factors are fitted to 500 random poses of pairs of real meshes against exact volumes: see
// docs/error-bars.md.
//
// CUDA kernels use it too: sums are integers, so that their order does not matter.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/host_device.hpp"
#include "core/lattice.hpp"
#include "lamella/result.hpp"

namespace lamella {

/// Columns and rows fall into classes by their number modulo this.
inline constexpr std::uint32_t kLineClasses = 4;

/// A length in steps of a 2^40th of the box's depth.
LAMELLA_HOST_DEVICE inline double length_scale(const Grid& grid) { return 0x1p40 / static_cast<double>(grid.depth()); }
LAMELLA_HOST_DEVICE inline std::int64_t in_steps(double length, double scale) {
  return static_cast<std::int64_t>(length * scale);
}

/// What all lines together say.
struct LineFacts {
  std::int64_t classes[kLineClasses * kLineClasses] = {};  ///< [row % 4 * 4 + column % 4]
  double squared_steps = 0;                                ///< of single steps
};

/// The square of the step between lines i and i + 1, if it stands alone: as if one of them were the first beyond a
/// face. 0: there is none. `sum(k)` is the sum of line k, of `count`.
template <class Sum>
LAMELLA_HOST_DEVICE double squared_step(const Sum& sum, std::uint32_t count, std::uint32_t i) {
  constexpr double kAlone = 4;  // times as large as what is beside it
  if (i < 1 || i + 2 >= count) return 0;
  const auto bend = [&](std::uint32_t k) { return static_cast<double>(sum(k + 1) - 2 * sum(k) + sum(k - 1)); };
  const double before = bend(i), after = bend(i + 1);
  if (!(before * after < 0)) return 0;
  const double size_before = before < 0 ? -before : before, size_after = after < 0 ? -after : after;
  const double step = size_before < size_after ? size_before : size_after;
  const double left = i > 1 ? bend(i - 1) : 0, right = i + 3 < count ? bend(i + 2) : 0;
  const double size_left = left < 0 ? -left : left, size_right = right < 0 ? -right : right;
  return step > kAlone * size_left && step > kAlone * size_right ? step * step : 0;
}

/// How many lines count for the classes, so that all have as many: up to three at the high end are left out.
LAMELLA_HOST_DEVICE constexpr std::uint32_t lines_in_classes(std::uint32_t lines) {
  return lines / kLineClasses * kLineClasses;
}

/// What one step of a line's sum is as a volume.
LAMELLA_HOST_DEVICE inline double step_volume(const Grid& grid) {
  return static_cast<double>(grid.depth()) * 0x1p-40 * grid.cell_area();
}

/// The volume by the columns and rows of one class alone.
LAMELLA_HOST_DEVICE inline double quarter_volume(const Grid& grid, std::int64_t steps) {
  return static_cast<double>(steps) * step_volume(grid) * (kLineClasses * kLineClasses);
}

/// The error by the volumes of all classes and the squares of single steps, as volumes.
LAMELLA_HOST_DEVICE inline double sampling_error(const double (&quarter)[kLineClasses * kLineClasses],
                                                 double squared_steps) {
  constexpr double kOfHalves = 0.54, kOfQuarters = 0.108, kOfSteps = 0.5;
  double half[4] = {};
  LAMELLA_UNROLLED
  for (std::uint32_t k = 0; k < kLineClasses * kLineClasses; ++k)
    half[k / kLineClasses % 2 * 2 + k % 2] += quarter[k] / 4;
  const double mean = (half[0] + half[1] + half[2] + half[3]) / 4;
  double of_halves = 0, of_quarters = 0;  // sums of squares
  for (const double h : half) of_halves += (h - mean) * (h - mean);
  LAMELLA_UNROLLED
  for (std::uint32_t k = 0; k < kLineClasses * kLineClasses; ++k) {
    const double off = quarter[k] - half[k / kLineClasses % 2 * 2 + k % 2];
    of_quarters += off * off;
  }
  const double grids = kOfHalves * kOfHalves * of_halves / 12 + kOfQuarters * kOfQuarters * of_quarters / 12;
  return std::sqrt(grids + kOfSteps * kOfSteps * squared_steps);
}

/// The error by the lattice, which moves every vertex by up to half a step across the rays, and a tilted face by its
/// slope times that along them. Where a few large faces bound a film, no other vertices make up for it. The slope is
/// taken to be such that the spans of every line reach through the depth of `bounds`, those of all spans' prisms: then
/// their number does not matter.
LAMELLA_HOST_DEVICE inline double lattice_error(const Grid& grid, const Aabb& bounds) {
  constexpr double kOfSteps = 0.35;
  const auto size = [&](int axis) { return static_cast<double>(bounds.max[axis]) - bounds.min[axis]; };
  if (!(size(grid.w()) > 0)) return 0;
  const double side_u = size(grid.u()) * grid.cell_v(), side_v = size(grid.v()) * grid.cell_u();
  return kOfSteps / kSubStep * size(grid.w()) * std::sqrt(side_u * side_u + side_v * side_v);
}

/// The error that 95 of 100 volumes stay within, from sampling_error().
LAMELLA_HOST_DEVICE inline double volume_error(const Grid& grid, double error, double volume, const Aabb& bounds) {
  constexpr double kRounding = 0x1p-22;  // of depths
  constexpr std::uint32_t kFewest = 2 * kLineClasses;
  if (!(volume > 0)) return 0;
  if (grid.columns < kFewest || grid.rows < kFewest) return volume;
  const double lattice = lattice_error(grid, bounds);
  return std::sqrt(error * error + lattice * lattice) + kRounding * volume;
}

/// Likewise.
LAMELLA_HOST_DEVICE inline double volume_error(const Grid& grid, const LineFacts& facts, double volume,
                                               const Aabb& bounds) {
  double quarter[kLineClasses * kLineClasses];
  for (std::uint32_t k = 0; k < kLineClasses * kLineClasses; ++k) quarter[k] = quarter_volume(grid, facts.classes[k]);
  const double unit = step_volume(grid);
  return volume_error(grid, sampling_error(quarter, facts.squared_steps * unit * unit), volume, bounds);
}

/// The sums of the lines of a grid.
class LineSums {
 public:
  /// All 0; keeps its memory.
  void start(const Grid& grid);
  /// A column's spans.
  void add(std::uint32_t u, std::uint32_t v, double length) {
    const std::int64_t steps = in_steps(length, scale_);
    if (v < class_rows_) of_columns_[v % kLineClasses * columns_ + u] += steps;
    of_rows_[v] += steps;
  }
  /// Spans, ascending by column.
  void add(std::span<const Span> spans);
  /// Those of another part of the same grid.
  void add(const LineSums& other);

  [[nodiscard]] LineFacts facts() const;

 private:
  std::vector<std::int64_t> of_columns_;  ///< [row % 4 * columns + column], of rows in classes
  std::vector<std::int64_t> of_rows_;
  std::uint32_t columns_ = 0, class_rows_ = 0;
  double scale_ = 0;
};

}  // namespace lamella
