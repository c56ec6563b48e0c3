#pragma once

// What the interface promises about every answer, whatever the meshes are.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "input.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"

namespace lamella::fuzz {

/// The answer, or none when the call threw an Error. `good`: it must not throw.
template <class Call>
auto answer_of(bool good, const Call& call) -> std::optional<std::remove_cvref_t<decltype(call())>> {
  try {
    return call();
  } catch (const Error& e) {
    require(!good, std::string("good arguments are accepted, without: ") + e.what());
    require(e.what()[0] != '\0', "an error has a message");
    return std::nullopt;
  }
}

inline bool is_finite(Vec3d p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// The spans of a column are in order and apart, each inside the grid and longer than `thickness`.
inline void check_spans(const Grid& grid, std::span<const Span> spans, float min_thickness) {
  const float thickness = min_thickness * grid.depth();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Span& s = spans[i];
    require(s.column < grid.column_count(), "a span lies in a column of the grid");
    require(s.begin >= 0 && s.end <= grid.depth(), "a span lies within the depth of the box");
    require(s.end - s.begin > thickness && s.begin < s.end, "a span is longer than the smallest thickness");
    if (i == 0) continue;
    const Span& before = spans[i - 1];
    require(before.column < s.column || (before.column == s.column && before.end < s.begin),
            "spans ascend and do not meet");
  }
}

/// `images`: how many LDIs were counted together.
inline void check_health(const Health& health, const Grid& grid, std::size_t triangles, std::uint64_t images = 1) {
  require(health.occupied_columns <= images * grid.column_count(), "occupied columns are columns of the grid");
  require(std::uint64_t{health.open_columns} + health.inside_out_columns <= health.occupied_columns,
          "open and inside-out columns are different occupied ones");
  require(health.skipped_triangles <= triangles, "only triangles that exist are skipped");
  require(health.dropped_crossings == 0, "engines on the CPU drop no crossing");
  require(std::isfinite(health.untrusted_volume) && health.untrusted_volume >= 0, "the untrusted volume is a volume");
  require(health.ok() == (health.open_columns == 0 && health.inside_out_columns == 0 && health.skipped_triangles == 0 &&
                          health.dropped_crossings == 0 && health.closed_edges == 0),
          "health is ok without defects");
}

inline double box_volume(const Grid& grid) {
  return grid.cell_area() * static_cast<double>(grid.column_count()) * static_cast<double>(grid.depth());
}

inline void check_overlap(const Overlap& o, float min_thickness, std::size_t triangles) {
  const Grid& g = o.grid;
  check_spans(g, o.spans, min_thickness);
  check_health(o.health, g, triangles);
  require(o.colliding() == !o.spans.empty(), "spans are what collides");
  require(std::isfinite(o.volume) && is_finite(o.centroid), "volume and centroid are finite");
  if (g.column_count() == 0) {
    require(o.spans.empty() && o.volume == 0 && o.bounds.empty() && o.health.occupied_columns == 0,
            "nothing was sampled, so nothing is found");
    return;
  }
  require(o.volume >= 0 && o.volume <= box_volume(g) * (1 + 1e-9), "the volume is not above that of the box");
  const double untrusted = o.health.open_columns * g.cell_area() * static_cast<double>(g.depth());
  require(std::abs(o.health.untrusted_volume - untrusted) <= 1e-9 * untrusted,
          "the untrusted volume is that of the columns left out");
  double length = 0;
  for (const Span& s : o.spans) length += static_cast<double>(s.end) - static_cast<double>(s.begin);
  require(std::abs(o.volume - length * g.cell_area()) <= 1e-9 * o.volume, "the volume is that of the spans");
  require(o.bounds.empty() == o.spans.empty(), "bounds are those of the spans");
  if (o.spans.empty()) {
    require(o.volume == 0 && o.centroid == Vec3d{}, "without spans there is no volume");
    return;
  }
  for (int k = 0; k < 3; ++k) {
    const double low = g.box.min[k], high = g.box.max[k], rounding = 1e-6 * std::max(std::abs(low), std::abs(high));
    require(o.bounds.min[k] >= low - rounding && o.bounds.max[k] <= high + rounding, "bounds lie in the box");
    require(o.centroid[k] >= o.bounds.min[k] - rounding && o.centroid[k] <= o.bounds.max[k] + rounding,
            "the centroid lies in the bounds");
  }
}

inline void check_self_overlap(const SelfOverlap& o, float min_thickness, std::size_t triangles) {
  check_overlap(o, min_thickness, triangles);
  check_spans(o.grid, o.inside_out, min_thickness);
  std::uint32_t columns = 0;
  double length = 0;
  for (std::size_t i = 0; i < o.inside_out.size(); ++i) {
    const Span& s = o.inside_out[i];
    columns += i == 0 || o.inside_out[i - 1].column != s.column ? 1 : 0;
    length += static_cast<double>(s.end) - static_cast<double>(s.begin);
  }
  require(columns == o.health.inside_out_columns, "columns that are inside out have spans that are");
  if (o.grid.column_count() == 0) return require(o.inside_out.empty(), "nothing was sampled, so nothing is found");
  require(std::abs(o.inside_out_volume - length * o.grid.cell_area()) <= 1e-9 * o.inside_out_volume,
          "the volume inside out is that of its spans");
}

/// `box`: of the mesh, in the frame of the points; no point outside it is inside the mesh.
/// As far as a depth can tell in a box of this size.
inline Aabb with_rounding(Aabb box) {
  const Vec3 size = extent(box);
  for (int k = 0; k < 3; ++k) {
    box.min[k] -= 0x1p-22f * size[k];
    box.max[k] += 0x1p-22f * size[k];
  }
  return box;
}

inline void check_containment(const Containment& c, std::span<const Vec3> points, const Aabb& box,
                              std::size_t triangles) {
  check_health(c.health, c.grid, triangles);
  require(c.inside.size() == points.size(), "one flag a point");
  std::uint64_t inside = 0, not_looked_at = 0;
  const auto in = [](const Aabb& b, Vec3 p) {
    return p.x >= b.min.x && p.y >= b.min.y && p.z >= b.min.z && p.x <= b.max.x && p.y <= b.max.y && p.z <= b.max.z;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(c.inside[i] <= kPointUnknown, "a flag is 0, 1 or 2");
    inside += c.inside[i] == kPointInside ? 1 : 0;
    if (c.inside[i] == kPointInside)
      require(in(box, points[i]), "no point outside the box of a mesh is inside the mesh");
    if (c.inside[i] == kPointUnknown)
      require(in(with_rounding(box), points[i]), "no point outside the box of a mesh is unknown");
    if (!c.box || in(*c.box, points[i])) continue;
    ++not_looked_at;
    require(c.inside[i] == 0, "a point that was not looked at has no flag");
  }
  require(c.inside_count == inside, "the count is that of the flags");
  require(c.not_looked_at == not_looked_at, "points outside the box are counted");
  require(c.inside_count + c.health.untrusted_points <= points.size() - not_looked_at,
          "a point is inside, untrusted or neither");
  if (c.health.untrusted_points > 0) require(c.health.occupied_columns > 0, "only columns make points untrusted");
}

/// `rigid`: the other mesh's grid is in its own frame.
inline void check_vertices(const VerticesOfOne& of, std::span<const Vec3> vertices, float min_thickness, bool rigid) {
  const float thickness = min_thickness * of.grid.depth();
  require(of.looked_up <= vertices.size() && of.inside.size() <= of.looked_up, "only vertices looked up are inside");
  const auto in_grid = [&](Vec3 p) {
    for (int k = 0; k < 3; ++k)
      if (!(p[k] >= of.grid.box.min[k] && p[k] <= of.grid.box.max[k])) return false;
    return true;
  };
  if (!rigid && of.grid.column_count() != 0)
    require(of.looked_up == static_cast<std::uint64_t>(std::count_if(vertices.begin(), vertices.end(), in_grid)),
            "all vertices in the box are looked up");
  for (std::size_t i = 0; i < of.inside.size(); ++i) {
    const VertexInside& v = of.inside[i];
    require(v.vertex < vertices.size() && (i == 0 || of.inside[i - 1].vertex < v.vertex), "vertices ascend");
    require(v.back >= 0 && v.ahead >= 0 && std::isfinite(v.depth()), "one way out is finite");
    require(v.depth() > thickness, "a vertex that only touches does not count");
    if (!rigid) require(in_grid(vertices[v.vertex]), "a vertex inside lies in the box");
  }
}

/// By how much depths of two engines may differ: a few roundings of the largest that goes into them.
inline float depth_tolerance(const Mesh& mesh, const Grid& grid) {
  float largest = grid.depth();
  for (const Vec3 p : mesh.positions)
    if (std::abs(p[grid.w()]) <= 0x1p100f) largest = std::max(largest, std::abs(p[grid.w()] - grid.box.min[grid.w()]));
  return largest * 8 * 0x1p-24f;
}

inline bool same(const Health& a, const Health& b) {
  return a.open_columns == b.open_columns && a.occupied_columns == b.occupied_columns &&
         a.inside_out_columns == b.inside_out_columns && a.skipped_triangles == b.skipped_triangles &&
         a.dropped_crossings == b.dropped_crossings && a.untrusted_volume == b.untrusted_volume &&
         a.untrusted_points == b.untrusted_points;
}
inline bool same(const Ldi& a, const Ldi& b) {
  return a.grid == b.grid && a.outside == b.outside && a.offsets == b.offsets && a.crossings == b.crossings &&
         a.skipped_triangles == b.skipped_triangles && a.dropped_crossings == b.dropped_crossings;
}
inline bool same(const Overlap& a, const Overlap& b) {
  return a.grid == b.grid && a.spans == b.spans && a.volume == b.volume && a.centroid == b.centroid &&
         a.bounds == b.bounds && same(a.health, b.health);
}
inline bool same(const SelfOverlap& a, const SelfOverlap& b) {
  return same(static_cast<const Overlap&>(a), static_cast<const Overlap&>(b)) && a.inside_out == b.inside_out &&
         a.inside_out_volume == b.inside_out_volume;
}
inline bool same(const Containment& a, const Containment& b) {
  return a.grid == b.grid && a.inside == b.inside && a.inside_count == b.inside_count && a.box == b.box &&
         a.not_looked_at == b.not_looked_at && same(a.health, b.health);
}
inline bool same(const VerticesOfOne& a, const VerticesOfOne& b) {
  return a.grid == b.grid && a.inside == b.inside && a.looked_up == b.looked_up;
}
inline bool same(const VerticesInside& a, const VerticesInside& b) {
  return same(a.a_in_b, b.a_in_b) && same(a.b_in_a, b.b_in_a) && same(a.health, b.health);
}

}  // namespace lamella::fuzz
