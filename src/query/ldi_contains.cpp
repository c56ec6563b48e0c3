// Points in a volume: TR 395 section 2.3, "vertex-in-volume". A point is looked up in the column whose cell it lies in;
// it is inside when the winding at its depth is at least 1.

#include <atomic>

#include "lamella/options.hpp"
#include "query/contains_kernel.hpp"
#include "query/ldi_queries.hpp"

namespace lamella {
namespace {

constexpr std::size_t kPointChunk = 8192, kColumnChunk = 8192;

/// Open, inside-out and occupied columns of the whole grid.
void count_columns(const Ldi& ldi, Workers& workers, Health& health) {
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
  health.open_columns = open;
  health.inside_out_columns = inside_out;
  health.occupied_columns = occupied;
}

}  // namespace

void contains(const Ldi& ldi, std::span<const Vec3> points, Workers& workers, Containment& out) {
  out.grid = ldi.grid;
  out.inside.resize(points.size());
  std::atomic<std::uint64_t> inside{0}, untrusted{0};
  const ColumnsView columns{ldi.grid, ldi.outside, ldi.offsets, ldi.crossings};
  workers.for_chunks(points.size(), kPointChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    const PointCounts counts = flag_points(columns, points.subspan(begin, end - begin), out.inside.data() + begin);
    inside += counts.inside;
    untrusted += counts.untrusted;
  });
  out.inside_count = inside;
  out.health = {};
  out.health.skipped_triangles = ldi.skipped_triangles;
  out.health.dropped_crossings = ldi.dropped_crossings;
  out.health.untrusted_points = untrusted;
  out.alternating = ldi.alternating;
  count_columns(ldi, workers, out.health);
}

void contains(const Ldi& ldi, std::span<const Vec3> points, Containment& out) {
  Workers workers(1);
  contains(ldi, points, workers, out);
}

}  // namespace lamella
