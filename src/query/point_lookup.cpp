// Points in a volume: TR 395 section 2.3, "vertex-in-volume". A point is looked up in the column whose cell it lies in;
// it is inside when the winding at its depth is at least 1. The paper answers yes or no; we also say how far the point
// is from both ends of the interval that it lies in.

#include "query/point_lookup.hpp"

#include <atomic>
#include <limits>

#include "query/contains_kernel.hpp"
#include "query/ldi_queries.hpp"

namespace lamella {
namespace {

constexpr std::size_t kPointChunk = 8192, kColumnChunk = 8192;

ColumnsView columns_of(const LookupTarget& target) {
  return {target.ldi.grid, target.ldi.outside, target.ldi.offsets, target.ldi.crossings, target.mesh_box};
}

/// A chunk of points in the LDI's frame: as given, or placed in the worker's memory.
std::span<const Vec3> in_frame(const LookupTarget& target, std::span<const Vec3> points, unsigned worker,
                               LookupScratch& scratch) {
  if (target.into_grid == nullptr) return points;
  Vec3* to = scratch.placed.data() + worker * kPointChunk;
  place_positions(points, *target.into_grid, to);
  return {to, points.size()};
}

void make_room(const LookupTarget& target, const Workers& workers, LookupScratch& scratch) {
  if (target.into_grid != nullptr) scratch.placed.resize(workers.count() * kPointChunk);
}

/// The ways out of the solid from a point that the winding says is inside.
struct WaysOut {
  const LookupTarget& target;
  bool open_below, open_above;  ///< the mesh continues beyond the box's low face, high face

  explicit WaysOut(const LookupTarget& t)
      : target(t),
        open_below(t.mesh_box->min[t.ldi.grid.w()] < t.ldi.grid.box.min[t.ldi.grid.w()]),
        open_above(t.mesh_box->max[t.ldi.grid.w()] > t.ldi.grid.box.max[t.ldi.grid.w()]) {}

  [[nodiscard]] VertexInside from(Vec3 p, std::uint32_t number) const {
    const Grid& g = target.ldi.grid;
    const auto column = target.ldi.column(column_at(g, p));
    const float z = p[g.w()] - g.box.min[g.w()], depth = g.depth();
    VertexInside out{number, 0, 0};
    sweep_inside(cursor_of(column), ends_of(target.ldi, column), 0, [&](float begin, float end) {
      if (z < begin || end < z) return;
      constexpr float kBeyond = std::numeric_limits<float>::infinity();
      out.back = begin == 0 && open_below ? kBeyond : z - begin;
      out.ahead = end == depth && open_above ? kBeyond : end - z;
    });
    return out;
  }

 private:
  /// As the kernel finds it.
  static std::size_t column_at(const Grid& g, Vec3 p) {
    return std::size_t{cell_along(g, p, g.v(), g.cell_v(), g.rows)} * g.columns +
           cell_along(g, p, g.u(), g.cell_u(), g.columns);
  }
};

}  // namespace

Health health_of_columns(const Ldi& ldi, Workers& workers) {
  const float thickness = QueryOptions{}.min_thickness * ldi.grid.depth();
  std::atomic<std::uint32_t> open{0}, inside_out{0}, occupied{0};
  workers.for_chunks(ldi.grid.column_count(), kColumnChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::uint32_t open_here = 0, inside_out_here = 0, occupied_here = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const auto column = ldi.column(i);
      if (column.empty()) continue;
      ++occupied_here;
      if (!closes(ldi, column))
        ++open_here;
      else if (turns_inside_out(cursor_of(column), ends_of(ldi, column), thickness))
        ++inside_out_here;
    }
    open += open_here;
    inside_out += inside_out_here;
    occupied += occupied_here;
  });
  Health health;
  health.open_columns = open;
  health.inside_out_columns = inside_out;
  health.occupied_columns = occupied;
  health.skipped_triangles = ldi.skipped_triangles;
  health.dropped_crossings = ldi.dropped_crossings;
  return health;
}

void flag_points(const LookupTarget& target, std::span<const Vec3> points, const Health& health, Workers& workers,
                 LookupScratch& scratch, Containment& out) {
  out.grid = target.ldi.grid;
  out.inside.resize(points.size());
  make_room(target, workers, scratch);
  std::atomic<std::uint64_t> inside{0}, untrusted{0};
  workers.for_chunks(points.size(), kPointChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    const auto chunk = in_frame(target, points.subspan(begin, end - begin), worker, scratch);
    const PointCounts counts = flag_points(columns_of(target), chunk, out.inside.data() + begin);
    inside += counts.inside;
    untrusted += counts.untrusted;
  });
  out.inside_count = inside;
  out.health = health;
  out.health.untrusted_points = untrusted;
  out.alternating = target.ldi.alternating;
}

std::uint64_t find_vertices(const LookupTarget& target, std::span<const Vec3> vertices, float thickness,
                            Workers& workers, LookupScratch& scratch, VerticesOfOne& out) {
  out.grid = target.ldi.grid;
  make_room(target, workers, scratch);
  scratch.flags.resize(workers.count() * kPointChunk);
  const std::size_t chunks = (vertices.size() + kPointChunk - 1) / kPointChunk;
  if (scratch.found.size() < chunks) scratch.found.resize(chunks);
  const WaysOut ways(target);
  std::atomic<std::uint64_t> untrusted{0}, looked_up{0};
  workers.for_chunks(vertices.size(), kPointChunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    const auto chunk = in_frame(target, vertices.subspan(begin, end - begin), worker, scratch);
    std::uint8_t* flags = scratch.flags.data() + worker * kPointChunk;
    const PointCounts counts = flag_points(columns_of(target), chunk, flags);
    untrusted += counts.untrusted;
    looked_up += counts.looked_up;
    auto& found = scratch.found[begin / kPointChunk];
    found.clear();
    if (counts.inside == 0) return;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      if (flags[i] != kPointInside) continue;
      const VertexInside vertex = ways.from(chunk[i], static_cast<std::uint32_t>(begin + i));
      if (is_thick(0, vertex.depth(), thickness)) found.push_back(vertex);
    }
  });
  for (std::size_t i = 0; i < chunks; ++i)
    out.inside.insert(out.inside.end(), scratch.found[i].begin(), scratch.found[i].end());
  out.looked_up = looked_up;
  return untrusted;
}

}  // namespace lamella
