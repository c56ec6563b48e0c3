#pragma once

// Sums over spans, and volume, centroid and bounds from the sums. Shared by the CPU and CUDA kernels, which differ only
// in the order of their additions.

#include <cstdint>
#include <limits>

#include "core/host_device.hpp"
#include "lamella/grid.hpp"

namespace lamella {

/// Sums over the spans of some columns: in cells along u and v, in depth along w.
struct SpanTotals {
  double length = 0, moment_u = 0, moment_v = 0, moment_w = 0;
  std::uint32_t spans = 0;
  std::uint32_t low_u = ~0u, low_v = ~0u, high_u = 0,
                high_v = 0;                                      ///< cells; meaningless without spans, as the next two
  float low = std::numeric_limits<float>::infinity(), high = 0;  ///< depths
};

/// Adds the spans of one column to `totals`.
struct ColumnAdder {
  SpanTotals& totals;
  double length = 0;  ///< of this column's spans

  LAMELLA_HOST_DEVICE void add(float begin, float end) {
    const double l = static_cast<double>(end) - begin;
    length += l;
    totals.moment_w += 0.5 * l * (static_cast<double>(begin) + end);
    totals.low = min_of(totals.low, begin);
    totals.high = max_of(totals.high, end);
    ++totals.spans;
  }
  /// Call after the last span: adds what depends on the column's position.
  LAMELLA_HOST_DEVICE void close(std::uint32_t u, std::uint32_t v) const {
    if (length == 0) return;
    totals.length += length;
    totals.moment_u += (u + 0.5) * length;
    totals.moment_v += (v + 0.5) * length;
    totals.low_u = u < totals.low_u ? u : totals.low_u;
    totals.low_v = v < totals.low_v ? v : totals.low_v;
    totals.high_u = totals.high_u < u ? u : totals.high_u;
    totals.high_v = totals.high_v < v ? v : totals.high_v;
  }
};

LAMELLA_HOST_DEVICE inline void merge(SpanTotals& into, const SpanTotals& from) {
  into.length += from.length;
  into.moment_u += from.moment_u;
  into.moment_v += from.moment_v;
  into.moment_w += from.moment_w;
  into.spans += from.spans;
  into.low_u = from.low_u < into.low_u ? from.low_u : into.low_u;
  into.low_v = from.low_v < into.low_v ? from.low_v : into.low_v;
  into.high_u = into.high_u < from.high_u ? from.high_u : into.high_u;
  into.high_v = into.high_v < from.high_v ? from.high_v : into.high_v;
  into.low = min_of(into.low, from.low);
  into.high = max_of(into.high, from.high);
}

/// Turns totals over a grid into volume, centroid and bounds of the spans' prisms; does not change them when there are
/// no spans. Returns the area of a cell. A GPU does this on one thread, where divisions and memory accesses are slow:
/// each cell size is computed once, and results are written directly to their place.
LAMELLA_HOST_DEVICE inline double summarise(const Grid& grid, const SpanTotals& t, double& volume, Vec3d& centroid,
                                            Aabb& bounds) {
  const int u = grid.u(), v = grid.v(), w = grid.w();
  const double cell_u = grid.cell_u(), cell_v = grid.cell_v(), area = cell_u * cell_v;
  if (t.spans == 0) return area;
  const double origin_u = grid.box.min[u], origin_v = grid.box.min[v], origin_w = grid.box.min[w];
  volume = t.length * area;
  centroid[u] = origin_u + t.moment_u / t.length * cell_u;
  centroid[v] = origin_v + t.moment_v / t.length * cell_v;
  centroid[w] = origin_w + t.moment_w / t.length;
  bounds.min[u] = static_cast<float>(origin_u + t.low_u * cell_u);
  bounds.max[u] = static_cast<float>(origin_u + (t.high_u + 1.0) * cell_u);
  bounds.min[v] = static_cast<float>(origin_v + t.low_v * cell_v);
  bounds.max[v] = static_cast<float>(origin_v + (t.high_v + 1.0) * cell_v);
  bounds.min[w] = static_cast<float>(origin_w + static_cast<double>(t.low));
  bounds.max[w] = static_cast<float>(origin_w + static_cast<double>(t.high));
  return area;
}

}  // namespace lamella
