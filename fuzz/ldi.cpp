// Layered depth images of any content through validate(), and well-formed ones, whole and cut, through the queries on
// them. Expected answers come from one rule: the winding between two crossings is the sum of all signs before.

#include "lamella/ldi.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "lamella/error.hpp"
#include "lamella/ldi_query.hpp"
#include "rules.hpp"

namespace lamella::fuzz {
namespace {

Grid take_grid(Input& input) {
  Grid g;
  g.axis = static_cast<Axis>(input.below(3));
  g.columns = static_cast<std::uint32_t>(1 + input.below(5));
  g.rows = static_cast<std::uint32_t>(1 + input.below(3));
  constexpr float kSizes[] = {1, 8, 3, 0.1f, 0x1p-70f, 0x1p90f, 5, 2};
  for (int k = 0; k < 3; ++k) {
    g.box.min[k] = static_cast<float>(input.take<std::int8_t>() >> 4);
    const float size = kSizes[input.below(8)];
    if (size < 1e-9f || size > 1e9f) g.box.min[k] = 0;
    g.box.max[k] = g.box.min[k] + size;
  }
  return g;
}

/// Well formed. Depths are mostly whole numbers of sixteenths of the box, so that they often coincide.
Ldi take_image(Input& input, const Grid& grid) {
  Ldi ldi;
  ldi.grid = grid;
  ldi.outside = static_cast<End>(input.below(3));
  ldi.alternating = input.below(16) == 0;
  ldi.skipped_triangles = static_cast<std::uint32_t>(input.below(4));
  ldi.dropped_crossings = input.below(3);
  ldi.offsets.assign(1, 0);
  for (std::size_t i = 0; i < grid.column_count(); ++i) {
    std::vector<Crossing> column(input.below(8));
    for (Crossing& c : column) {
      const auto bits = input.take<std::uint8_t>();
      float depth = grid.depth() * static_cast<float>(bits >> 4) / 15;
      if ((bits & 14) == 14) depth = std::abs(input.take<float>());
      c = Crossing::make(depth <= grid.depth() ? depth : 0, (bits & 1) != 0);
    }
    // Mostly closed: what is missing is added at the end.
    if (ldi.outside == End::both && input.below(8) != 0)
      for (int sum = balance(column); sum != 0; sum += sum > 0 ? -1 : 1)
        column.push_back(Crossing::make(grid.depth(), sum < 0));
    std::sort(column.begin(), column.end());
    ldi.crossings.insert(ldi.crossings.end(), column.begin(), column.end());
    ldi.offsets.push_back(static_cast<std::uint32_t>(ldi.crossings.size()));
  }
  return ldi;
}

// ---- the rule

/// Before every crossing: minus what follows where only the high end is outside.
int winding_at_start(const Ldi& ldi, std::span<const Crossing> column) {
  int sum = 0;
  for (const Crossing c : column) sum += c.entry() ? 1 : -1;
  return ldi.outside == End::high ? -sum : 0;
}
/// Just after `depth`.
int winding_after(const Ldi& ldi, std::span<const Crossing> column, float depth) {
  int winding = winding_at_start(ldi, column);
  for (const Crossing c : column)
    if (c.depth() <= depth) winding += c.entry() ? 1 : -1;
  return winding;
}
bool is_closed(const Ldi& ldi, std::span<const Crossing> column) {
  int sum = 0;
  for (const Crossing c : column) sum += c.entry() ? 1 : -1;
  return ldi.outside != End::both || sum == 0;
}

/// The intervals between neighbouring depths of the column where `counts(depth)`, joined where they meet, that are
/// longer than `thickness`. With `joined` false they stay apart.
template <class Counts>
std::vector<Span> intervals(std::uint32_t column, const std::set<float>& depths, float thickness, bool joined,
                            const Counts& counts) {
  std::vector<Span> spans;
  for (auto from = depths.begin(); from != depths.end() && std::next(from) != depths.end(); ++from) {
    if (!counts(*from)) continue;
    const float to = *std::next(from);
    if (joined && !spans.empty() && spans.back().end == *from)
      spans.back().end = to;
    else
      spans.push_back({column, *from, to});
  }
  std::erase_if(spans, [&](const Span& s) { return !(s.end - s.begin > thickness); });
  return spans;
}

std::set<float> depths_of(const Ldi& ldi, std::initializer_list<std::span<const Crossing>> columns) {
  std::set<float> depths{0, ldi.grid.depth()};
  for (const auto column : columns)
    for (const Crossing c : column) depths.insert(c.depth());
  return depths;
}

void append(std::vector<Span>& to, const std::vector<Span>& spans) { to.insert(to.end(), spans.begin(), spans.end()); }

// ---- the queries

constexpr float kThickness[] = {0x1p-20f, 0, 0.05f, 0.5f};

void check_sums(const Overlap& o, const Overlap& expected) {
  require(o.spans == expected.spans, "spans are where the windings say");
  require(o.health.open_columns == expected.health.open_columns &&
              o.health.occupied_columns == expected.health.occupied_columns &&
              o.health.inside_out_columns == expected.health.inside_out_columns,
          "columns are counted");
  require(o.health.skipped_triangles == expected.health.skipped_triangles &&
              o.health.dropped_crossings == expected.health.dropped_crossings,
          "what the builds left out is added up");
  double length = 0;
  for (const Span& s : o.spans) length += static_cast<double>(s.end) - static_cast<double>(s.begin);
  const double volume = length * o.grid.cell_area();
  require(std::abs(o.volume - volume) <= 1e-9 * volume, "the volume is that of the spans");
  const double untrusted = o.health.open_columns * o.grid.cell_area() * static_cast<double>(o.grid.depth());
  require(std::abs(o.health.untrusted_volume - untrusted) <= 1e-9 * untrusted, "open columns are not trusted");
}

void intersect_images(Input& input) {
  const Grid grid = take_grid(input);
  const float min_thickness = kThickness[input.below(4)], thickness = min_thickness * grid.depth();
  const Ldi a = take_image(input, grid), b = take_image(input, grid);
  Overlap expected, o;
  for (std::uint32_t i = 0; i < grid.column_count(); ++i) {
    const auto in_a = a.column(i), in_b = b.column(i);
    expected.health.occupied_columns += in_a.empty() && in_b.empty() ? 0 : 1;
    if (!is_closed(a, in_a) || !is_closed(b, in_b)) {
      ++expected.health.open_columns;
      continue;
    }
    if (in_a.empty() || in_b.empty()) continue;
    const auto depths = depths_of(a, {in_a, in_b});
    append(expected.spans, intervals(i, depths, thickness, true, [&](float z) {
             return winding_after(a, in_a, z) >= 1 && winding_after(b, in_b, z) >= 1;
           }));
    expected.health.inside_out_columns += intervals(
                                              i, depths, thickness, false,
                                              [&](float z) {
                                                return winding_after(a, in_a, z) < 0 || winding_after(b, in_b, z) < 0;
                                              }).empty()
                                              ? 0
                                              : 1;
  }
  expected.health.skipped_triangles = a.skipped_triangles + b.skipped_triangles;
  expected.health.dropped_crossings = a.dropped_crossings + b.dropped_crossings;
  intersect(a, b, min_thickness, o);
  require(o.grid == grid && o.alternating == (a.alternating || b.alternating), "grid and mark are passed on");
  check_sums(o, expected);
  Overlap swapped;
  intersect(b, a, min_thickness, swapped);
  require(same(o, swapped), "the order of the images does not matter");
  intersect(a, a, min_thickness, swapped);  // memory is used again
  intersect(a, b, min_thickness, swapped);
  require(same(o, swapped), "an earlier answer leaves nothing behind");
}

void self_intersect_image(Input& input) {
  const Grid grid = take_grid(input);
  const float min_thickness = kThickness[input.below(4)], thickness = min_thickness * grid.depth();
  const Ldi ldi = take_image(input, grid);
  SelfOverlap expected, o;
  for (std::uint32_t i = 0; i < grid.column_count(); ++i) {
    const auto column = ldi.column(i);
    if (column.empty()) continue;
    ++expected.health.occupied_columns;
    if (!is_closed(ldi, column)) {
      ++expected.health.open_columns;
      continue;
    }
    const auto depths = depths_of(ldi, {column});
    append(expected.spans,
           intervals(i, depths, thickness, true, [&](float z) { return winding_after(ldi, column, z) >= 2; }));
    const auto below =
        intervals(i, depths, thickness, true, [&](float z) { return winding_after(ldi, column, z) < 0; });
    expected.health.inside_out_columns += below.empty() ? 0 : 1;
    append(expected.inside_out, below);
  }
  expected.health.skipped_triangles = ldi.skipped_triangles;
  expected.health.dropped_crossings = ldi.dropped_crossings;
  try {
    self_intersect(ldi, min_thickness, o);
  } catch (const Error&) {
    return require(ldi.alternating, "only an image whose crossings alternate is refused");
  }
  require(!ldi.alternating, "an image whose crossings alternate is refused");
  check_sums(o, expected);
  require(o.inside_out == expected.inside_out, "what is inside out is where the windings say");
}

void look_points_up(Input& input) {
  const Grid grid = take_grid(input);
  const Ldi ldi = take_image(input, grid);
  std::vector<Vec3> points(input.below(24));
  for (Vec3& p : points) {
    for (int k = 0; k < 3; ++k)
      p[k] = grid.box.min[k] + extent(grid.box)[k] * static_cast<float>(input.take<std::uint8_t>() % 18) / 15;
    if (input.below(8) == 0) p[static_cast<int>(input.below(3))] = input.take<float>();
  }
  Containment got;
  contains(ldi, points, got);
  std::uint64_t untrusted = 0, count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = points[i];
    const float u = (p[grid.u()] - grid.box.min[grid.u()]) * static_cast<float>(1 / grid.cell_u());
    const float v = (p[grid.v()] - grid.box.min[grid.v()]) * static_cast<float>(1 / grid.cell_v());
    const float z = p[grid.w()] - grid.box.min[grid.w()];
    bool expected = false, unknown = false;
    if (u >= 0 && v >= 0 && u < static_cast<float>(grid.columns) && v < static_cast<float>(grid.rows) && z >= 0 &&
        z <= grid.depth()) {
      const auto column = ldi.column(static_cast<std::size_t>(v) * grid.columns + static_cast<std::size_t>(u));
      int winding = winding_at_start(ldi, column);
      for (const Crossing c : column)
        if (c.depth() < z) winding += c.entry() ? 1 : -1;
      const bool open = !is_closed(ldi, column);
      unknown = open || winding < 0;
      untrusted += unknown ? 1 : 0;
      expected = !open && winding >= 1;
    }
    count += expected ? 1 : 0;
    require(got.inside[i] == (unknown    ? kPointUnknown
                              : expected ? kPointInside
                                         : kPointOutside),
            "a point is inside where the winding says");
  }
  require(got.inside.size() == points.size() && got.inside_count == count, "one flag a point, and their count");
  require(got.health.untrusted_points == untrusted, "points in open columns are counted");
  require(got.grid == grid && got.alternating == ldi.alternating, "grid and mark are passed on");
  const LdiReport report = validate(ldi);
  require(got.health.open_columns == report.open_columns && got.health.occupied_columns == report.occupied_columns &&
              got.health.skipped_triangles == ldi.skipped_triangles &&
              got.health.dropped_crossings == ldi.dropped_crossings,
          "the health is that of the image");
}

/// Offsets and crossings of any value: only what is well formed may pass.
void validate_anything(Input& input) {
  Ldi ldi;
  ldi.grid = take_grid(input);
  if (input.below(8) == 0) ldi.grid.box.max.x = input.take<float>();
  if (input.below(8) == 0) ldi.grid.columns = input.flag() ? 0 : input.take<std::uint32_t>();
  ldi.outside = static_cast<End>(input.below(3));
  ldi.offsets.assign(input.below(8) != 0 ? 1 : 0, 0);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < ldi.grid.column_count() && i < 16; ++i)
    ldi.offsets.push_back(sum += static_cast<std::uint32_t>(input.below(4)));
  ldi.crossings.resize(sum < 64 ? sum : 0);
  for (Crossing& c : ldi.crossings)
    c = input.below(4) == 0 ? Crossing{input.take<std::uint32_t>()}
                            : Crossing::make(static_cast<float>(input.below(8)), input.flag());
  if (input.below(4) == 0 && !ldi.offsets.empty())
    ldi.offsets[input.below(ldi.offsets.size())] = input.take<std::uint32_t>();
  if (input.below(8) == 0) ldi.crossings.emplace_back();

  const std::size_t columns = ldi.grid.column_count();
  bool well_formed =
      ldi.offsets.size() == columns + 1 && ldi.offsets.front() == 0 && ldi.offsets.back() == ldi.crossings.size();
  for (std::size_t i = 0; well_formed && i < columns; ++i) well_formed = ldi.offsets[i] <= ldi.offsets[i + 1];
  std::uint32_t open = 0, occupied = 0, most = 0;
  for (std::size_t i = 0; well_formed && i < columns; ++i) {
    const auto column = ldi.column(i);
    for (std::size_t k = 0; k < column.size(); ++k) {
      well_formed = well_formed && column[k].depth() <= ldi.grid.depth();  // not if it is NaN
      well_formed = well_formed && (k == 0 || column[k - 1].key <= column[k].key);
    }
    open += is_closed(ldi, column) ? 0 : 1;
    occupied += column.empty() ? 0 : 1;
    most = std::max(most, static_cast<std::uint32_t>(column.size()));
  }
  const LdiReport report = validate(ldi);
  require(report.well_formed == well_formed, "validate finds what is not well formed");
  require(report.problem.empty() == well_formed, "it says what, and only then");
  if (!well_formed) return;
  require(report.open_columns == open && report.occupied_columns == occupied && report.max_layers == most,
          "it counts columns and layers");
  std::size_t crossings = 0;
  for (const DepthLayer& layer : depth_layers(ldi)) {
    require(layer.depth.size() == columns, "a layer has a depth for each column");
    crossings +=
        static_cast<std::size_t>(std::count_if(layer.depth.begin(), layer.depth.end(), [](float z) { return z >= 0; }));
  }
  require(crossings == ldi.crossings.size(), "every crossing is in one layer");
}

}  // namespace
}  // namespace lamella::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lamella::fuzz;
  Input input(data, size);
  constexpr void (*kChecks[])(Input&) = {intersect_images, self_intersect_image, look_points_up, validate_anything};
  kChecks[input.below(std::size(kChecks))](input);
  return 0;
}
