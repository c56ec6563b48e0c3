// Points in a volume: TR 395 section 2.3, "vertex-in-volume". A point is looked up in the column whose cell it lies in;
// it is inside when the winding at its depth is at least 1.

#include <atomic>

#include "lamella/ldi_query.hpp"
#include "query/column_sums.hpp"

namespace lamella {
namespace {

constexpr std::size_t kPointChunk = 8192;

struct Lookup {
  const Ldi& ldi;
  int u, v, w;
  float origin_u, origin_v, origin_w, inverse_u, inverse_v, depth;
  float columns, rows;
};

Lookup make_lookup(const Ldi& ldi) {
  const Grid& g = ldi.grid;
  return {ldi,
          g.u(),
          g.v(),
          g.w(),
          g.box.min[g.u()],
          g.box.min[g.v()],
          g.box.min[g.w()],
          static_cast<float>(1 / g.cell_u()),
          static_cast<float>(1 / g.cell_v()),
          g.depth(),
          static_cast<float>(g.columns),
          static_cast<float>(g.rows)};
}

constexpr std::size_t kNoColumn = ~std::size_t{0};

/// Column of the cell that holds `p`, or kNoColumn outside the box (and for NaN).
std::size_t find_column(const Lookup& l, Vec3 p) {
  const float u = (p[l.u] - l.origin_u) * l.inverse_u, v = (p[l.v] - l.origin_v) * l.inverse_v;
  const float z = p[l.w] - l.origin_w;
  if (!(u >= 0 && u < l.columns && v >= 0 && v < l.rows && z >= 0 && z <= l.depth)) return kNoColumn;
  return static_cast<std::size_t>(v) * l.ldi.grid.columns + static_cast<std::size_t>(u);
}

}  // namespace

void contains(const Ldi& ldi, std::span<const Vec3> points, Workers& workers, Containment& out) {
  const Lookup lookup = make_lookup(ldi);
  out.grid = ldi.grid;
  out.inside.resize(points.size());
  std::atomic<std::uint64_t> count{0}, untrusted{0};
  workers.for_chunks(points.size(), kPointChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::uint64_t found = 0, in_open = 0;
    for (std::size_t i = begin; i < end; ++i) {
      out.inside[i] = 0;
      const std::size_t column = find_column(lookup, points[i]);
      if (column == kNoColumn) continue;
      const auto crossings = ldi.column(column);
      const Crossing here = Crossing::make(points[i][lookup.w] - lookup.origin_w, false);
      int before = 0, sum = 0;
      for (const Crossing c : crossings) {
        before += c < here ? c.sign() : 0;
        sum += c.sign();
      }
      const bool open = ldi.outside == End::both && sum != 0;
      const int winding = before - (ldi.outside == End::high ? sum : 0);
      const bool inside = !open && winding >= 1;
      in_open += open ? 1 : 0;
      found += inside ? 1 : 0;
      out.inside[i] = inside ? 1 : 0;
    }
    count += found;
    untrusted += in_open;
  });
  out.count = count;
  const LdiReport report = validate(ldi);
  out.health = {};
  out.health.skipped_triangles = ldi.skipped_triangles;
  out.health.open_columns = report.open_columns;
  out.health.occupied_columns = report.occupied_columns;
  out.health.untrusted_points = untrusted;
}

void contains(const Ldi& ldi, std::span<const Vec3> points, Containment& out) {
  Workers workers(1);
  contains(ldi, points, workers, out);
}

}  // namespace lamella
