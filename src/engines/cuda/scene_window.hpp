#pragma once

// Cells that a box touches, with a margin of one for rounding: as in Grouping, for kernels too.

#include <cmath>

#include "core/host_device.hpp"
#include "core/window.hpp"

namespace lamella::cuda {

/// The cells along one image axis that [low, high] touches.
LAMELLA_HOST_DEVICE inline void touched_cells(float low, float high, float origin, double cell, std::uint32_t cells,
                                              std::uint32_t& first, std::uint32_t& end) {
  const double count = cells;
  const double before = ::floor((low - static_cast<double>(origin)) / cell) - 1;
  const double behind = ::ceil((high - static_cast<double>(origin)) / cell) + 1;
  first = static_cast<std::uint32_t>(before < 0 ? 0 : before > count ? count : before);
  end = static_cast<std::uint32_t>(behind < 0 ? 0 : behind > count ? count : behind);
}

LAMELLA_HOST_DEVICE inline Window touched_window(const Aabb& box, const Grid& grid) {
  Window w;
  const int u = grid.u(), v = grid.v();
  touched_cells(box.min[u], box.max[u], grid.box.min[u], grid.cell_u(), grid.columns, w.first_u, w.end_u);
  touched_cells(box.min[v], box.max[v], grid.box.min[v], grid.cell_v(), grid.rows, w.first_v, w.end_v);
  return w;
}

}  // namespace lamella::cuda
