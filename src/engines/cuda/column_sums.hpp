#pragma once

#include "engines/cuda/sums.hpp"

namespace lamella::cuda {

/// Adds one column's spans to a thread's sums; see query/column_sums.hpp.
struct ColumnAdder {
  BlockSums& sums;
  double length = 0;

  __device__ void add(float begin, float end) {
    const double l = static_cast<double>(end) - begin;
    length += l;
    sums.moment_w += 0.5 * l * (static_cast<double>(begin) + end);
    sums.low = fminf(sums.low, begin);
    sums.high = fmaxf(sums.high, end);
    ++sums.spans;
  }
  __device__ void add_inside_out(float begin, float end) const {
    sums.inside_out_length += static_cast<double>(end) - begin;
    ++sums.inside_out_spans;
  }
  /// After the last span: what depends on where the column is.
  __device__ void close(std::uint32_t u, std::uint32_t v) const {
    if (length == 0) return;
    sums.length += length;
    sums.moment_u += (u + 0.5) * length;
    sums.moment_v += (v + 0.5) * length;
    sums.low_u = std::min(sums.low_u, u);
    sums.low_v = std::min(sums.low_v, v);
    sums.high_u = std::max(sums.high_u, u);
    sums.high_v = std::max(sums.high_v, v);
  }
};

}  // namespace lamella::cuda
