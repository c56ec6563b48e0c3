#include "measure/sweep_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "measure/side_by_side.hpp"

namespace lamella {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kMostLevels = 9;  ///< 256 x 256 cells: their numbers are bytes

}  // namespace

std::uint32_t SweepCells::cell(std::uint32_t level, std::uint32_t u, std::uint32_t v) const {
  return level_begin_[level] + (v << (levels_ - 1 - level)) + u;
}

/// Calls visit(cell) for the cells that a triangle is filed in, 4 at most.
template <class Visit>
void SweepCells::for_cells(const Filed& f, const Visit& visit) const {
  const std::uint32_t end_u = (f.last_u >> f.level) + 1u, end_v = (f.last_v >> f.level) + 1u;
  for (std::uint32_t v = f.first_v >> f.level; v < end_v; ++v)
    for (std::uint32_t u = f.first_u >> f.level; u < end_u; ++u) visit(cell(f.level, u, v));
}

std::span<std::uint32_t> SweepCells::in_cell(Side& side, std::uint32_t cell) const {
  return std::span(side.of_cell).subspan(side.begin[cell], side.begin[cell + 1] - side.begin[cell]);
}

/// About two triangles to a cell, over what both sides cover.
void SweepCells::lay_out(std::size_t boxes, const Side& a, const Side& b) {
  levels_ = std::min<std::uint32_t>(kMostLevels, 1 + static_cast<std::uint32_t>(std::bit_width(boxes / 2)) / 2);
  level_begin_.assign(1, 0);
  for (std::uint32_t level = 0; level < levels_; ++level)
    level_begin_.push_back(level_begin_.back() + (1u << 2 * (levels_ - 1 - level)));
  Aabb of[2];
  for (const Side* side : {&a, &b})
    for (const SweptBox& box : side->boxes) {
      Aabb& all = of[side == &a ? 0 : 1];
      all = unite(all, {box.min, box.max});
    }
  for (int i = 0; i < 2; ++i) {
    min_[i] = std::max(of[0].min[i], of[1].min[i]);
    const double size = std::min(of[0].max[i], of[1].max[i]) - min_[i];
    scale_[i] = size > 0 ? (1u << (levels_ - 1)) / size : 0;
  }
}

void SweepCells::file(Side& side, bool highest) {
  const std::uint32_t cells = level_begin_.back();
  const double last = (1u << (levels_ - 1)) - 1;
  const auto number = [&](float x, int axis) {  // of a NaN, which 0 times infinity is: 0
    const double at = (x - min_[axis]) * scale_[axis];
    return static_cast<std::uint8_t>(at > 0 ? std::min(at, last) : 0);
  };
  side.filed.resize(side.boxes.size());
  side.begin.assign(cells + 2, 0);
  side.bound.assign(cells, highest ? -kInfinity : kInfinity);
  for (std::size_t i = 0; i < side.boxes.size(); ++i) {
    const SweptBox& box = side.boxes[i];
    Filed f{number(box.min.x, 0), number(box.min.y, 1), number(box.max.x, 0), number(box.max.y, 1), 0};
    const auto spans_more = [&](int first, int last_cell) { return (last_cell >> f.level) - (first >> f.level) > 1; };
    while (spans_more(f.first_u, f.last_u) || spans_more(f.first_v, f.last_v)) ++f.level;
    side.filed[i] = f;
    for_cells(f, [&](std::uint32_t c) {
      ++side.begin[c + 2];
      side.bound[c] = highest ? std::max(side.bound[c], box.max.z) : std::min(side.bound[c], box.min.z);
    });
  }
  for (std::size_t c = 2; c < side.begin.size(); ++c) side.begin[c] += side.begin[c - 1];
  side.of_cell.resize(side.begin.back());
  for (std::uint32_t i = 0; i < side.boxes.size(); ++i)
    for_cells(side.filed[i], [&](std::uint32_t c) { side.of_cell[side.begin[c + 1]++] = i; });
}

void SweepCells::gather_bounds(Side& side, bool highest) const {
  side.bound_above = side.bound;
  for (std::uint32_t level = levels_ - 1; level-- > 0;) {
    const std::uint32_t across = 1u << (levels_ - 1 - level);
    for (std::uint32_t v = 0; v < across; ++v)
      for (std::uint32_t u = 0; u < across; ++u) {
        float& own = side.bound_above[cell(level, u, v)];
        const float above = side.bound_above[cell(level + 1, u / 2, v / 2)];
        own = highest ? std::max(own, above) : std::min(own, above);
      }
  }
}

/// A heap of the cells in which something may touch, the earliest first.
void SweepCells::order_cells(double most) {
  queue_.clear();
  for (std::uint32_t level = 0; level < levels_; ++level) {
    const std::uint32_t across = 1u << (levels_ - 1 - level);
    for (std::uint32_t v = 0; v < across; ++v)
      for (std::uint32_t u = 0; u < across; ++u) {
        const std::uint32_t c = cell(level, u, v);
        const float bound =
            std::min(fixed_.bound_above[c] - moving_.bound[c], fixed_.bound[c] - moving_.bound_above[c]);
        if (bound <= most) queue_.push_back({bound, level, u, v});
      }
  }
}

/// Pairs of one moving and one fixed cell, one of which is cell (u, v) of `level` and the other is around it. A pair
/// whose boxes share several cells is tested in the first of them.
double SweepCells::meet(std::uint32_t moving_cell, std::uint32_t fixed_cell, std::uint32_t level, std::uint32_t u,
                        std::uint32_t v, double most, const TestPair& test) {
  const std::span<std::uint32_t> movers = in_cell(moving_, moving_cell), fixed = in_cell(fixed_, fixed_cell);
  if (movers.empty() || fixed.empty()) return most;
  constexpr std::size_t kFew = 8;
  if (fixed.size() > kFew)
    std::sort(fixed.begin(), fixed.end(), [&](std::uint32_t i, std::uint32_t k) {
      const float low_i = fixed_.boxes[i].min.z, low_k = fixed_.boxes[k].min.z;
      return low_i != low_k ? low_i < low_k : i < k;
    });
  for (const std::uint32_t m : movers) {
    const SweptBox& p = moving_.boxes[m];
    const Filed& at_p = moving_.filed[m];
    if (fixed_.bound[fixed_cell] - p.max.z > most) continue;
    for (const std::uint32_t f : fixed) {
      const SweptBox& q = fixed_.boxes[f];
      if (q.min.z - p.max.z > most) {
        if (fixed.size() > kFew) break;  // they ascend
        continue;
      }
      if (p.min.x > q.max.x || q.min.x > p.max.x || p.min.y > q.max.y || q.min.y > p.max.y) continue;
      const Filed& at_q = fixed_.filed[f];
      if (std::max(at_p.first_u, at_q.first_u) >> level != static_cast<int>(u) ||
          std::max(at_p.first_v, at_q.first_v) >> level != static_cast<int>(v))
        continue;
      if (q.max.z < p.min.z) continue;  // behind it
      most = std::min(most, test(p.triangle, q.triangle));
    }
  }
  return most;
}

double SweepCells::open_cell(std::uint32_t level, std::uint32_t u, std::uint32_t v, double most, const TestPair& test) {
  const std::uint32_t own = cell(level, u, v);
  most = meet(own, own, level, u, v, most, test);
  for (std::uint32_t above = level + 1; above < levels_; ++above) {
    const std::uint32_t around = cell(above, u >> (above - level), v >> (above - level));
    most = meet(own, around, level, u, v, most, test);
    most = meet(around, own, level, u, v, most, test);
  }
  return most;
}

void SweepCells::search(std::span<const SweptBox> moving, std::span<const SweptBox> fixed, double most,
                        Workers& workers, const TestPair& test) {
  if (moving.empty() || fixed.empty()) return;
  moving_.boxes = moving;
  fixed_.boxes = fixed;
  lay_out(std::max(moving.size(), fixed.size()), moving_, fixed_);
  const auto prepare = [this](Side& side, bool highest) {
    file(side, highest);
    gather_bounds(side, highest);
  };
  side_by_side(
      workers, [&] { prepare(moving_, true); }, [&] { prepare(fixed_, false); });
  order_cells(most);
  const auto later = [](const Waiting& a, const Waiting& b) {
    if (a.bound != b.bound) return a.bound > b.bound;
    return a.level != b.level ? a.level > b.level : a.v != b.v ? a.v > b.v : a.u > b.u;
  };
  std::make_heap(queue_.begin(), queue_.end(), later);
  while (!queue_.empty() && queue_.front().bound <= most) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Waiting next = queue_.back();
    queue_.pop_back();
    most = open_cell(next.level, next.u, next.v, most, test);
  }
}

}  // namespace lamella
