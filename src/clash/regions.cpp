#include "clash/regions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/union_find.hpp"

namespace lamella::clash {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// How far apart spans of neighbouring columns may be along the rays.
struct Nearness {
  float cell = 0;
  float thickness = 0;  ///< of walls; 0: not known

  /// A wall's span is longer than the wall is thick by 1 / cos, and a cell farther on its depth has changed by tan.
  [[nodiscard]] float of(const Span& a, const Span& b) const {
    constexpr float kSteepest = 16;
    if (!(thickness > 0)) return cell;
    return cell * std::clamp(std::max(a.end - a.begin, b.end - b.begin) / thickness, 1.0f, kSteepest);
  }
};

/// That of a wall where it faces the rays: of a round one, a tenth does so within 1 %.
float wall_thickness(std::span<const Span> spans) {
  std::vector<float> lengths;
  lengths.reserve(spans.size());
  for (const Span& s : spans) lengths.push_back(s.end - s.begin);
  const auto tenth = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 10);
  std::nth_element(lengths.begin(), tenth, lengths.end());
  return *tenth;
}

/// Unites spans of one column with those of a later one: both ascend by depth.
void connect(std::span<const Span> spans, std::size_t first, std::size_t first_end, std::size_t second,
             std::size_t second_end, const Nearness& nearness, UnionFind& sets) {
  while (first < first_end && second < second_end) {
    const Span &a = spans[first], &b = spans[second];
    const float near = nearness.of(a, b);
    if (a.begin <= b.end + near && b.begin <= a.end + near)
      sets.unite(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second));
    a.end < b.end ? ++first : ++second;
  }
}

/// Where the spans of each column begin; those of column c are [first[c], first[c + 1]).
std::vector<std::uint32_t> first_spans(const Grid& grid, std::span<const Span> spans) {
  std::vector<std::uint32_t> first(grid.column_count() + 1, 0);
  for (const Span& s : spans) ++first[s.column + 1];
  for (std::size_t c = 0; c < grid.column_count(); ++c) first[c + 1] += first[c];
  return first;
}

void unite_neighbours(const Grid& grid, std::span<const Span> spans, Walls walls, UnionFind& sets) {
  const std::vector<std::uint32_t> first = first_spans(grid, spans);
  const Nearness nearness{static_cast<float>(std::max(grid.cell_u(), grid.cell_v())),
                          walls == Walls::thin ? wall_thickness(spans) : 0};
  for (std::size_t c = 0; c < grid.column_count(); ++c) {
    if (first[c] == first[c + 1]) continue;
    const std::size_t u = c % grid.columns, v = c / grid.columns;
    const auto with = [&](std::size_t d) {
      connect(spans, first[c], first[c + 1], first[d], first[d + 1], nearness, sets);
    };
    if (u + 1 < grid.columns) with(c + 1);
    if (v + 1 == grid.rows) continue;
    if (u > 0) with(c + grid.columns - 1);
    with(c + grid.columns);
    if (u + 1 < grid.columns) with(c + grid.columns + 1);
  }
}

/// Of one region, in grid coordinates turned into the world's directions.
struct Sums {
  double length = 0;
  Vec3d moment{};
  Vec3d min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
};

class Adder {
 public:
  Adder(const Grid& grid, const Quaternion& rotation) : grid_(grid), rotation_(rotation) {
    for (int k = 0; k < 3; ++k) {
      Vec3d axis;
      axis[k] = 1;
      axes_[k] = rotate(rotation, axis);
    }
  }

  void add(const Span& span, Sums& sums) const {
    const double length = double{span.end} - span.begin;
    const Vec3d middle = rotate(rotation_, sample_position(grid_, span.column, 0.5 * (double{span.begin} + span.end)));
    Vec3d half;
    half[grid_.u()] = 0.5 * grid_.cell_u();
    half[grid_.v()] = 0.5 * grid_.cell_v();
    half[grid_.w()] = 0.5 * length;
    sums.length += length;
    sums.moment = sums.moment + middle * length;
    for (int i = 0; i < 3; ++i) {
      const double reach =
          std::abs(axes_[0][i]) * half[0] + std::abs(axes_[1][i]) * half[1] + std::abs(axes_[2][i]) * half[2];
      sums.min[i] = std::min(sums.min[i], middle[i] - reach);
      sums.max[i] = std::max(sums.max[i], middle[i] + reach);
    }
  }

 private:
  const Grid& grid_;
  Quaternion rotation_;
  Vec3d axes_[3];
};

void take_bounds(std::span<const Sums> regions, Vec3d origin, Regions& out) {
  Vec3d min = regions[0].min, max = regions[0].max;
  for (const Sums& s : regions)
    for (int i = 0; i < 3; ++i) {
      min[i] = std::min(min[i], s.min[i]);
      max[i] = std::max(max[i], s.max[i]);
    }
  out.min = min + origin;
  out.max = max + origin;
}

}  // namespace

Regions find_regions(const Grid& grid, std::span<const Span> spans, const Transform& to_world, Walls walls) {
  Regions regions;
  if (spans.empty()) return regions;
  UnionFind sets(spans.size());
  unite_neighbours(grid, spans, walls, sets);
  std::vector<std::uint32_t> number(spans.size(), kNone);
  std::vector<Sums> sums;
  const Adder adder(grid, to_world.rotation);
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    std::uint32_t& region = number[sets.root(i)];
    if (region == kNone) {
      region = static_cast<std::uint32_t>(sums.size());
      sums.emplace_back();
    }
    adder.add(spans[i], sums[region]);
  }
  regions.count = static_cast<std::uint32_t>(sums.size());
  const Vec3d origin = to_world.translation;
  take_bounds(sums, origin, regions);
  std::stable_sort(sums.begin(), sums.end(), [](const Sums& x, const Sums& y) { return x.length > y.length; });
  sums.resize(std::min(sums.size(), kMostRegions));
  for (const Sums& s : sums)
    regions.largest.push_back(
        {s.length * grid.cell_area(), s.moment * (1 / s.length) + origin, s.min + origin, s.max + origin});
  return regions;
}

}  // namespace lamella::clash
