#pragma once

// Random LDIs whose numbers are sums of few powers of two, so that the expected answers are exact, and the windings in
// their columns found by brute force: for each interval between neighbouring depths, all crossings are looked at again.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "lamella/ldi.hpp"
#include "support/closed_meshes.hpp"

namespace lamella::test {

/// The default of Options::min_thickness, written again.
inline constexpr float kThin = 0x1p-20f;

struct Interval {
  float begin = 0, end = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};
using Intervals = std::vector<Interval>;

/// Cells and depth of the box are powers of two, and its corner is on a coarse lattice.
inline Grid exact_grid(Random& random, std::uint32_t columns, std::uint32_t rows) {
  Grid grid;
  grid.axis = static_cast<Axis>(random.below(3));
  grid.columns = columns;
  grid.rows = rows;
  const auto size = [&] { return 0.25f * static_cast<float>(1u << random.below(5)); };
  for (int k = 0; k < 3; ++k) grid.box.min[k] = static_cast<float>(random.below(9)) - 4;
  grid.box.max[grid.u()] = grid.box.min[grid.u()] + static_cast<float>(columns) * size();
  grid.box.max[grid.v()] = grid.box.min[grid.v()] + static_cast<float>(rows) * size();
  grid.box.max[grid.w()] = grid.box.min[grid.w()] + size();
  return grid;
}
inline Grid exact_grid(Random& random) { return exact_grid(random, 1 + random.below(9), 1 + random.below(9)); }

/// A sixteenth of the box's depth, or up to two default thicknesses beyond one. Both faces are among them.
inline float exact_depth(Random& random, const Grid& grid) {
  const float thin = random.below(4) == 0 ? static_cast<float>(random.below(3)) * kThin : 0;
  return std::min(1.0f, static_cast<float>(random.below(17)) / 16 + thin) * grid.depth();
}

/// Empty columns, closed ones with windings of any sign, and now and then one that does not close.
inline Ldi random_ldi(Random& random, const Grid& grid) {
  Ldi ldi;
  ldi.grid = grid;
  ldi.outside = std::array{End::both, End::both, End::low, End::high}[random.below(4)];
  ldi.skipped_triangles = random.below(100);
  ldi.dropped_crossings = random.below(100);
  ldi.offsets.push_back(0);
  const std::uint32_t emptiness = 2 + random.below(4);
  for (std::size_t i = 0; i < grid.column_count(); ++i) {
    std::vector<Crossing> column;
    if (random.below(emptiness) == 0) {
      const std::uint32_t pairs = 1 + random.below(4);
      for (std::uint32_t k = 0; k < pairs; ++k) {
        column.push_back(Crossing::make(exact_depth(random, grid), true));
        column.push_back(Crossing::make(exact_depth(random, grid), false));
        // Most solids are the right way round.
        if (random.below(4) != 0 && column[2 * k].depth() > column[2 * k + 1].depth())
          column[2 * k] = Crossing::make(
              std::exchange(column[2 * k + 1], Crossing::make(column[2 * k].depth(), false)).depth(), true);
      }
      if (random.below(4) == 0) column.push_back(Crossing::make(exact_depth(random, grid), random.below(2) == 0));
      std::sort(column.begin(), column.end());
    }
    ldi.crossings.insert(ldi.crossings.end(), column.begin(), column.end());
    ldi.offsets.push_back(static_cast<std::uint32_t>(ldi.crossings.size()));
  }
  return ldi;
}

/// The sum of the signs of the crossings that `counts` accepts.
template <class Counts>
int sum_of_signs(std::span<const Crossing> column, const Counts& counts) {
  int sum = 0;
  for (const Crossing c : column)
    if (counts(c.depth())) sum += c.entry() ? 1 : -1;
  return sum;
}

/// The winding between two neighbouring depths. Counted from the end that is outside.
inline int winding_between(std::span<const Crossing> column, End outside, Interval where) {
  return outside == End::high ? -sum_of_signs(column, [&](float depth) { return depth >= where.end; })
                              : sum_of_signs(column, [&](float depth) { return depth <= where.begin; });
}

inline bool is_open(std::span<const Crossing> column, End outside) {
  return outside == End::both && sum_of_signs(column, [](float) { return true; }) != 0;
}

/// The intervals between neighbouring depths of all `columns` from 0 to `depth`, none of length 0.
inline Intervals pieces(std::initializer_list<std::span<const Crossing>> columns, float depth) {
  std::vector<float> ends{0, depth};
  for (const auto column : columns)
    for (const Crossing c : column) ends.push_back(c.depth());
  std::sort(ends.begin(), ends.end());
  Intervals found;
  for (std::size_t i = 1; i < ends.size(); ++i)
    if (ends[i - 1] < ends[i]) found.push_back({ends[i - 1], ends[i]});
  return found;
}

/// Joins the pieces that `chosen` accepts where they meet, and leaves out what is not longer than `thickness`.
template <class Chosen>
Intervals joined(const Intervals& pieces, float thickness, const Chosen& chosen) {
  Intervals all;
  for (const Interval& piece : pieces) {
    if (!chosen(piece)) continue;
    if (!all.empty() && all.back().end == piece.begin)
      all.back().end = piece.end;
    else
      all.push_back(piece);
  }
  std::erase_if(all, [&](const Interval& i) { return i.end - i.begin <= thickness; });
  return all;
}

}  // namespace lamella::test
