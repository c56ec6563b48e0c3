#include "scene/patch_width.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/grow.hpp"

namespace lamella {

/// Distance transform with weights 3 and 4 for straight and diagonal steps (Borgefors 1986), in two passes; within 6 %
/// of the Euclidean distance.
void PatchWidth::spread() {
  const std::size_t w = width_;
  const auto relax = [&](std::size_t i, std::size_t straight0, std::size_t straight1, std::size_t slanted0,
                         std::size_t slanted1) {
    const int least = std::min(
        {distance_[straight0] + 3, distance_[straight1] + 3, distance_[slanted0] + 4, distance_[slanted1] + 4});
    if (distance_[i] > least) distance_[i] = static_cast<std::uint16_t>(least);
  };
  for (std::size_t v = 1; v + 1 < height_; ++v)
    for (std::size_t i = v * w + 1; i < v * w + w - 1; ++i) relax(i, i - 1, i - w, i - w - 1, i - w + 1);
  for (std::size_t v = height_ - 2; v > 0; --v)
    for (std::size_t i = v * w + w - 2; i > v * w; --i) relax(i, i + 1, i + w, i + w - 1, i + w + 1);
}

void PatchWidth::measure(const PairView& view) {
  const Grid& grid = view.group->grid;
  columns_ = grid.columns;
  third_ = static_cast<float>(std::sqrt(grid.cell_area()) / 3);
  float longest = 0;
  std::uint32_t end_u = 0, end_v = 0;
  first_u_ = first_v_ = ~0u;
  CellCursor cell(grid);
  for (const PairSpan& s : view.spans) {
    longest = std::max(longest, s.end - s.begin);
    cell.move_to(s.column);
    first_u_ = std::min(first_u_, cell.u);
    first_v_ = std::min(first_v_, cell.v);
    end_u = std::max(end_u, cell.u + 1);
    end_v = std::max(end_v, cell.v + 1);
  }
  known_ = longest > static_cast<float>(std::min(grid.cell_u(), grid.cell_v()));
  if (!known_) return;
  width_ = end_u - first_u_ + 2;  // with a border of zeros
  height_ = end_v - first_v_ + 2;
  resize_with_margin(distance_, std::size_t{width_} * height_);
  std::fill(distance_.begin(), distance_.end(), std::uint16_t{0});
  for (const PairSpan& s : view.spans) {
    cell.move_to(s.column);
    distance_[place(cell.u, cell.v)] = 0xffff;
  }
  spread();
}

/// Climbs from a column to the nearest local maximum of the distance, so that a column at a patch's border gets the
/// width of its middle: a body is not free to leave sideways just because a ray is near its edge.
float PatchWidth::half(std::uint32_t column) const {
  if (!known_) return std::numeric_limits<float>::max();
  const std::size_t w = width_;
  std::size_t at = place(column % columns_, column / columns_);
  for (;;) {
    std::size_t best = at;
    for (const std::size_t n : {at - w - 1, at - w, at - w + 1, at - 1, at + 1, at + w - 1, at + w, at + w + 1})
      if (distance_[n] > distance_[best]) best = n;
    if (best == at) break;
    at = best;
  }
  return static_cast<float>(distance_[at]) * third_;
}

}  // namespace lamella
