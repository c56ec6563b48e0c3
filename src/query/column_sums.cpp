#include "query/column_sums.hpp"

namespace lamella {
namespace {

/// World box of cells [low, high] and a depth range.
Aabb cell_bounds(const Grid& grid, const SpanSums& s) {
  Vec3d low, high;
  low[grid.u()] = grid.box.min[grid.u()] + s.low_u * grid.cell_u();
  high[grid.u()] = grid.box.min[grid.u()] + (s.high_u + 1.0) * grid.cell_u();
  low[grid.v()] = grid.box.min[grid.v()] + s.low_v * grid.cell_v();
  high[grid.v()] = grid.box.min[grid.v()] + (s.high_v + 1.0) * grid.cell_v();
  low[grid.w()] = grid.box.min[grid.w()] + static_cast<double>(s.low);
  high[grid.w()] = grid.box.min[grid.w()] + static_cast<double>(s.high);
  return {to_float(low), to_float(high)};
}

Vec3d world_centroid(const Grid& grid, double length, Vec3d moment) {
  Vec3d c;
  c[grid.u()] = grid.box.min[grid.u()] + moment.x / length * grid.cell_u();
  c[grid.v()] = grid.box.min[grid.v()] + moment.y / length * grid.cell_v();
  c[grid.w()] = grid.box.min[grid.w()] + moment.z / length;
  return c;
}

}  // namespace

void combine(const Grid& grid, const QueryScratch& scratch, Overlap& out) {
  const Health known = out.health;
  out.grid = grid;
  out.spans.clear();
  out.bounds = {};
  out.health = {};
  out.health.skipped_triangles = known.skipped_triangles;
  out.health.dropped_crossings = known.dropped_crossings;
  double length = 0;
  Vec3d moment;
  for (const ChunkSums& chunk : scratch) {
    const SpanSums& s = chunk.overlap;
    out.spans.insert(out.spans.end(), s.spans.begin(), s.spans.end());
    length += s.length;
    moment = moment + s.moment;
    if (!s.spans.empty()) out.bounds = unite(out.bounds, cell_bounds(grid, s));
    out.health.open_columns += chunk.open_columns;
    out.health.occupied_columns += chunk.occupied_columns;
    out.health.inside_out_columns += chunk.inside_out_columns;
  }
  out.volume = length * grid.cell_area();
  out.centroid = length > 0 ? world_centroid(grid, length, moment) : Vec3d{};
  out.health.untrusted_volume = out.health.open_columns * grid.cell_area() * grid.depth();
}

}  // namespace lamella
