#include "scene/pair_error.hpp"

#include <algorithm>

#include "core/grow.hpp"
#include "query/line_sums.hpp"

namespace lamella {
namespace {

/// Lines of a grid from `begin` on, all or some of them.
struct Lines {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] std::uint32_t count() const { return end - begin; }
};

/// The lines around those with spans, `first` to `last`. They begin at a multiple of kLineClasses, so that classes stay
/// the same, and beyond the spans there are as many empty lines as a step looks at: the answer is that of the whole
/// grid.
Lines lines_around(std::uint32_t first, std::uint32_t last, std::uint32_t all) {
  constexpr std::uint32_t kAround = 4;
  const auto aligned = [](std::uint32_t line) { return line / kLineClasses * kLineClasses; };
  const std::uint32_t begin = aligned(first - std::min(first, kAround));
  return {begin, std::min(all, aligned(last + kAround + kLineClasses))};
}

void clear_to(std::vector<std::int64_t>& sums, std::size_t count) {
  resize_with_margin(sums, count);
  std::fill(sums.begin(), sums.end(), 0);
}

double squared_steps(std::span<const std::int64_t> sums) {
  const auto sum = [&](std::uint32_t i) { return sums[i]; };
  const auto count = static_cast<std::uint32_t>(sums.size());
  double squares = 0;
  for (std::uint32_t i = 0; i < count; ++i) squares += squared_step(sum, count, i);
  return squares;
}

/// Of the spans' prisms, as in an Overlap.
Aabb bounds_of(const Grid& grid, std::span<const PairSpan> spans, Lines columns, Lines rows) {
  Aabb bounds = grid.box;
  bounds.min[grid.u()] += static_cast<float>(columns.begin * grid.cell_u());
  bounds.max[grid.u()] = static_cast<float>(grid.box.min[grid.u()] + columns.end * grid.cell_u());
  bounds.min[grid.v()] += static_cast<float>(rows.begin * grid.cell_v());
  bounds.max[grid.v()] = static_cast<float>(grid.box.min[grid.v()] + rows.end * grid.cell_v());
  float low = spans.front().begin, high = spans.front().end;
  for (const PairSpan& s : spans) {
    low = std::min(low, s.begin);
    high = std::max(high, s.end);
  }
  bounds.min[grid.w()] = grid.box.min[grid.w()] + low;
  bounds.max[grid.w()] = grid.box.min[grid.w()] + high;
  return bounds;
}

}  // namespace

double PairErrors::error_of(const Grid& grid, std::span<const PairSpan> spans, double volume) {
  if (spans.empty()) return 0;
  std::uint32_t first = ~0u, last = 0;
  CellCursor cell(grid);
  for (const PairSpan& s : spans) {
    cell.move_to(s.column);
    first = std::min(first, cell.u);
    last = std::max(last, cell.u);
  }
  const Lines columns = lines_around(first, last, grid.columns);
  const Lines rows = lines_around(spans.front().column / grid.columns, cell.v, grid.rows);
  clear_to(of_columns_, columns.count());
  clear_to(of_rows_, rows.count());

  constexpr std::uint32_t kClasses = kLineClasses * kLineClasses;
  std::int64_t classes[kClasses] = {};
  const double scale = length_scale(grid), unit = step_volume(grid);
  for (const PairSpan& s : spans) {
    cell.move_to(s.column);
    const std::int64_t steps = in_steps(static_cast<double>(s.length), scale);
    of_columns_[cell.u - columns.begin] += steps;
    of_rows_[cell.v - rows.begin] += steps;
    if (cell.u < lines_in_classes(grid.columns) && cell.v < lines_in_classes(grid.rows))
      classes[cell.v % kLineClasses * kLineClasses + cell.u % kLineClasses] += steps;
  }
  double quarter[kClasses], squares = squared_steps(of_columns_) + squared_steps(of_rows_);
  for (std::uint32_t k = 0; k < kClasses; ++k) quarter[k] = quarter_volume(grid, classes[k]);
  return volume_error(grid, sampling_error(quarter, squares * unit * unit), volume,
                      bounds_of(grid, spans, {first, last + 1}, {spans.front().column / grid.columns, cell.v + 1}));
}

}  // namespace lamella
