#include "query/ldi_queries.hpp"

#include "query/verdict.hpp"

namespace lamella {

void combine_sums(const Grid& grid, QueryScratch& scratch, Overlap& out) {
  SpanTotals totals;
  std::uint64_t spans = 0;  // there may be more than the totals can count
  out.grid = grid;
  out.health.open_columns = out.health.occupied_columns = out.health.inside_out_columns = 0;
  for (const ChunkSums& chunk : scratch.chunks) {
    merge(totals, chunk.totals);
    spans += chunk.totals.spans;
    out.health.open_columns += chunk.open_columns;
    out.health.occupied_columns += chunk.occupied_columns;
    out.health.inside_out_columns += chunk.inside_out_columns;
  }
  out.span_count = spans;
  out.volume = 0;
  out.centroid = {};
  out.bounds = {};
  const double area = summarise(grid, totals, out.volume, out.centroid, out.bounds);
  for (std::size_t i = 1; i < scratch.lines.size(); ++i) scratch.lines.front().add(scratch.lines[i]);
  out.volume_error = volume_error(grid, scratch.lines.front().facts(), out.volume, out.bounds);
  out.health.untrusted_volume = out.health.open_columns * area * grid.depth();
  out.verdict = verdict_of(spans, out.health);
}

void combine_sums(const Grid& grid, QueryScratch& scratch, SelfOverlap& out) {
  combine_sums(grid, scratch, static_cast<Overlap&>(out));
  double length = 0;
  for (const ChunkSums& chunk : scratch.chunks) length += chunk.inside_out_length;
  out.inside_out_volume = length * grid.cell_area();
}

void combine(const Grid& grid, QueryScratch& scratch, Overlap& out) {
  out.spans.clear();
  for (const ChunkSums& chunk : scratch.chunks)
    out.spans.insert(out.spans.end(), chunk.spans.begin(), chunk.spans.end());
  combine_sums(grid, scratch, out);
}

void combine(const Grid& grid, QueryScratch& scratch, SelfOverlap& out) {
  out.spans.clear();
  out.inside_out.clear();
  for (const ChunkSums& chunk : scratch.chunks) {
    out.spans.insert(out.spans.end(), chunk.spans.begin(), chunk.spans.end());
    out.inside_out.insert(out.inside_out.end(), chunk.inside_out.begin(), chunk.inside_out.end());
  }
  combine_sums(grid, scratch, out);
}

}  // namespace lamella
