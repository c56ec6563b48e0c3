// Intersection volume: TR 395 section 2.3. Two LDIs on one grid are combined column by column; a span of the answer is
// where the winding of both is at least 1. The paper alternates inside and outside; we count the winding instead, as
// WSCG 2004 does for self-collisions, so that a solid that overlaps itself still counts as inside.

#include <cassert>

#include "query/ldi_queries.hpp"

namespace lamella {

void intersect(const Ldi& a, const Ldi& b, float min_thickness, Workers& workers, QueryScratch& scratch, Overlap& out) {
  assert(a.grid == b.grid);
  const float thickness = min_thickness * a.grid.depth();
  const bool whole = a.outside == End::both && b.outside == End::both;
  for_columns(a.grid, workers, scratch,
              [&](std::uint32_t i, std::uint32_t u, std::uint32_t v, ChunkSums& sums, LineSums& lines) {
                const auto column_a = a.column(i), column_b = b.column(i);
                if (column_a.empty() && column_b.empty()) return;
                ++sums.occupied_columns;
                if (!closes(a, column_a) || !closes(b, column_b)) {
                  ++sums.open_columns;
                  return;
                }
                // Outside at one end and no crossings: outside everywhere.
                if (column_a.empty() || column_b.empty()) return;
                ColumnAdder adder{sums.totals};
                const auto sweep = [&](const auto& ends_a, const auto& ends_b) {
                  return sweep_pair(cursor_of(column_a), cursor_of(column_b), ends_a, ends_b, thickness,
                                    [&](float begin, float end) {
                                      sums.spans.push_back({i, begin, end});
                                      adder.add(begin, end);
                                    });
                };
                const bool inside_out =
                    whole ? sweep(WholeColumn{}, WholeColumn{}) : sweep(ends_of(a, column_a), ends_of(b, column_b));
                adder.close(u, v);
                lines.add(u, v, adder.length);
                sums.inside_out_columns += inside_out ? 1 : 0;
              });
  out.health.skipped_triangles = a.skipped_triangles + b.skipped_triangles;
  out.health.dropped_crossings = a.dropped_crossings + b.dropped_crossings;
  out.alternating = a.alternating || b.alternating;
  combine(a.grid, scratch, out);
}

void intersect(const Ldi& a, const Ldi& b, float min_thickness, Overlap& out) {
  Workers workers(1);
  QueryScratch scratch;
  intersect(a, b, min_thickness, workers, scratch, out);
}

}  // namespace lamella
