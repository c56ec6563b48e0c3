// Self-collision: WSCG 2004 section 3.1, stage 3a. Along a column the winding of a solid that does not overlap itself
// alternates between 0 and 1; where it reaches 2 the solid is there twice, where it falls below 0 it is inside out.

#include "lamella/ldi_query.hpp"
#include "query/column_sums.hpp"

namespace lamella {

void self_intersect(const Ldi& ldi, float min_thickness, Workers& workers, QueryScratch& scratch, SelfOverlap& out) {
  const float thickness = min_thickness * ldi.grid.depth();
  for_columns(ldi.grid, workers, scratch, [&](std::uint32_t i, std::uint32_t u, std::uint32_t v, ChunkSums& sums) {
    const auto column = ldi.column(i);
    if (column.empty()) return;
    ++sums.occupied_columns;
    if (!closes(ldi, column)) {
      ++sums.open_columns;
      return;
    }
    SpanJoiner overlap(sums.overlap, i, u, v, thickness), inside_out(sums.inside_out, i, u, v, thickness);
    int winding = initial_winding(ldi, column);
    float from = 0;
    const auto stretch_to = [&](float to) {
      if (to <= from) return;
      overlap.stretch(winding >= 2, from, to);
      inside_out.stretch(winding < 0, from, to);
      from = to;
    };
    for (const Crossing c : column) {
      stretch_to(c.depth());
      winding += c.sign();
    }
    stretch_to(ldi.grid.depth());
    overlap.close();
    sums.inside_out_columns += inside_out.close() ? 1 : 0;
  });
  out.health.skipped_triangles = ldi.skipped_triangles;
  out.health.dropped_crossings = ldi.dropped_crossings;
  combine(ldi.grid, scratch, out);
  out.inside_out.clear();
  double length = 0;
  for (const ChunkSums& chunk : scratch) {
    const auto& spans = chunk.inside_out.spans;
    out.inside_out.insert(out.inside_out.end(), spans.begin(), spans.end());
    length += chunk.inside_out.length;
  }
  out.inside_out_volume = length * ldi.grid.cell_area();
}

void self_intersect(const Ldi& ldi, float min_thickness, SelfOverlap& out) {
  Workers workers(1);
  QueryScratch scratch;
  self_intersect(ldi, min_thickness, workers, scratch, out);
}

}  // namespace lamella
