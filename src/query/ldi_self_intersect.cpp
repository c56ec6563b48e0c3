// Self-collision: WSCG 2004 section 3.1, stage 3a. Along a column the winding of a solid that does not overlap itself
// alternates between 0 and 1; where it reaches 2 the solid overlaps itself, where it falls below 0 it is inside out.

#include "lamella/error.hpp"
#include "query/ldi_queries.hpp"

namespace lamella {

void self_intersect(const Ldi& ldi, float min_thickness, Workers& workers, QueryScratch& scratch, SelfOverlap& out) {
  if (ldi.alternating)
    throw Error(
        "entries and exits of this image were assumed to alternate, so it cannot show where the mesh overlaps itself; "
        "build it with another engine, for example \"software\" or \"gl-unordered\"");
  const float thickness = min_thickness * ldi.grid.depth();
  for_columns(ldi.grid, workers, scratch,
              [&](std::uint32_t i, std::uint32_t u, std::uint32_t v, ChunkSums& sums, LineSums& lines) {
                const auto column = ldi.column(i);
                if (column.empty()) return;
                ++sums.occupied_columns;
                if (!closes(ldi, column)) {
                  ++sums.open_columns;
                  return;
                }
                ColumnAdder adder{sums.totals};
                const std::size_t inside_out_before = sums.inside_out.size();
                const auto sweep = [&](const auto& ends) {
                  sweep_self(
                      cursor_of(column), ends, thickness,
                      [&](float begin, float end) {
                        sums.spans.push_back({i, begin, end});
                        adder.add(begin, end);
                      },
                      [&](float begin, float end) {
                        sums.inside_out.push_back({i, begin, end});
                        sums.inside_out_length += static_cast<double>(end) - begin;
                      });
                };
                if (ldi.outside == End::both)
                  sweep(WholeColumn{});
                else
                  sweep(ends_of(ldi, column));
                adder.close(u, v);
                lines.add(u, v, adder.length);
                sums.inside_out_columns += sums.inside_out.size() != inside_out_before ? 1 : 0;
              });
  out.health.skipped_triangles = ldi.skipped_triangles;
  out.health.dropped_crossings = ldi.dropped_crossings;
  combine(ldi.grid, scratch, out);
}

void self_intersect(const Ldi& ldi, float min_thickness, SelfOverlap& out) {
  Workers workers(1);
  QueryScratch scratch;
  self_intersect(ldi, min_thickness, workers, scratch, out);
}

}  // namespace lamella
