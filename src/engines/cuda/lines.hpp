#pragma once

// Sums of lengths by line of the grid, see query/line_sums.hpp: added up by the warps that walk along columns, and the
// error of a volume made from them. Sums are integers, so that their order does not matter.

#include "engines/cuda/frame.hpp"
#include "engines/cuda/platform.hpp"
#include "query/line_sums.hpp"

namespace lamella::cuda {

/// Classes of lines.
inline constexpr std::uint32_t kClasses = kLineClasses * kLineClasses;
static_assert(kWarp == 2 * kClasses);

/// The sum over all lanes, for each of them. Lengths have 40 bits, of which 32 lanes need 5 more: two halves, each of
/// which fits into 32 bits, are faster than shuffles.
__device__ inline LineSum sum_of_lanes(LineSum steps) {
  constexpr unsigned kLowBits = 24;
  const unsigned low = __reduce_add_sync(kAllLanes, static_cast<unsigned>(steps & ((1u << kLowBits) - 1)));
  const unsigned high = __reduce_add_sync(kAllLanes, static_cast<unsigned>(steps >> kLowBits));
  return (LineSum{high} << kLowBits) + low;
}

/// Adds what the adjacent columns of a warp have. All lanes must call it; `steps` is 0 for those without a length.
__device__ inline void add_to_lines(const LineStore& lines, std::uint32_t column, LineSum steps) {
  if (__any_sync(kAllLanes, steps != 0) == 0) return;
  const std::uint32_t v = column / lines.columns;
  if (steps != 0 && v < lines_in_classes(lines.rows))
    atomicAdd(lines.of_columns() + v % kLineClasses * lines.columns + (column - v * lines.columns), steps);
  const std::uint32_t first = __shfl_sync(kAllLanes, v, 0), last = __shfl_sync(kAllLanes, v, kWarp - 1);
#pragma unroll 1
  for (std::uint32_t row = first; row <= last; ++row) {
    const LineSum sum = sum_of_lanes(v == row ? steps : 0);
    if (sum != 0 && threadIdx.x % kWarp == 0) atomicAdd(lines.of_rows() + row, sum);
  }
}

// `thread` of `threads`, a multiple of kClasses, takes every so many lines.

/// Part of the sum of class thread % kClasses.
__device__ inline LineSum class_sum(const LineStore& lines, std::uint32_t thread, std::uint32_t threads) {
  const std::uint32_t number = thread % kClasses;
  const LineSum* of_class = lines.of_columns() + number / kLineClasses * lines.columns;
  LineSum sum = 0;
  for (std::uint32_t u = number % kLineClasses + thread / kClasses * kLineClasses; u < lines_in_classes(lines.columns);
       u += threads / kClasses * kLineClasses)
    sum += of_class[u];
  return sum;
}

__device__ inline double squared_column_steps(const LineStore& lines, std::uint32_t thread, std::uint32_t threads) {
  const auto sum = [&](std::uint32_t u) {
    const LineSum* at = lines.of_columns() + u;
    const std::uint32_t next = lines.columns;
    return static_cast<std::int64_t>(at[0] + at[next] + at[2 * next] + at[3 * next]);
  };
  double squares = 0;
  for (std::uint32_t u = thread; u < lines.columns; u += threads) squares += squared_step(sum, lines.columns, u);
  return squares;
}

__device__ inline double squared_row_steps(const LineStore& lines, std::uint32_t thread, std::uint32_t threads) {
  const auto sum = [&](std::uint32_t v) { return static_cast<std::int64_t>(lines.of_rows()[v]); };
  double squares = 0;
  for (std::uint32_t v = thread; v < lines.rows; v += threads) squares += squared_step(sum, lines.rows, v);
  return squares;
}

/// By a warp, whose lanes have parts of the sum of class lane % kClasses and of the squares of single steps: the
/// sampling_error(), for all lanes.
__device__ inline double error_of_lines(const Grid& grid, LineSum part, double squares) {
  part += __shfl_xor_sync(kAllLanes, part, static_cast<int>(kClasses));
#pragma unroll
  for (int apart = kWarp / 2; apart > 0; apart /= 2) squares += __shfl_xor_sync(kAllLanes, squares, apart);
  const double mine = quarter_volume(grid, static_cast<std::int64_t>(part));
  double quarter[kClasses];
#pragma unroll
  for (std::uint32_t k = 0; k < kClasses; ++k) quarter[k] = __shfl_sync(kAllLanes, mine, static_cast<int>(k));
  const double unit = step_volume(grid);
  return sampling_error(quarter, squares * unit * unit);
}

}  // namespace lamella::cuda
