// Intersection volume: TR 395 section 2.3. Two LDIs on one grid are combined column by column; a span of the answer is
// where the winding of both is at least 1. The paper alternates inside and outside; we count the winding instead, as
// WSCG 2004 does for self-collisions, so that a solid that overlaps itself still counts as inside.

#include <cassert>

#include "lamella/ldi_query.hpp"
#include "query/column_sums.hpp"

namespace lamella {
namespace {

struct ColumnSweep {
  std::span<const Crossing> a, b;
  int winding_a = 0, winding_b = 0;
};

/// Calls stretch(from, to, winding_a, winding_b) for the stretches of some length between crossings of either.
template <class Stretch>
void sweep(ColumnSweep s, float depth, const Stretch& stretch) {
  std::size_t i = 0, j = 0;
  float from = 0;
  while (i < s.a.size() || j < s.b.size()) {
    const bool take_a = j == s.b.size() || (i < s.a.size() && s.a[i] <= s.b[j]);
    const Crossing c = take_a ? s.a[i++] : s.b[j++];
    if (c.depth() > from) stretch(from, c.depth(), s.winding_a, s.winding_b);
    (take_a ? s.winding_a : s.winding_b) += c.sign();
    from = c.depth();
  }
  if (depth > from) stretch(from, depth, s.winding_a, s.winding_b);
}

}  // namespace

void intersect(const Ldi& a, const Ldi& b, float min_thickness, Workers& workers, QueryScratch& scratch, Overlap& out) {
  assert(a.grid == b.grid);
  const float depth = a.grid.depth();
  const float thickness = min_thickness * depth;
  for_columns(a.grid, workers, scratch, [&](std::uint32_t i, std::uint32_t u, std::uint32_t v, ChunkSums& sums) {
    const auto column_a = a.column(i), column_b = b.column(i);
    if (column_a.empty() && column_b.empty()) return;
    ++sums.occupied_columns;
    if (!closes(a, column_a) || !closes(b, column_b)) {
      ++sums.open_columns;
      return;
    }
    // Outside at one end and nothing crossed: outside all along.
    if (column_a.empty() || column_b.empty()) return;
    const ColumnSweep start{column_a, column_b, initial_winding(a, column_a), initial_winding(b, column_b)};
    SpanJoiner overlap(sums.overlap, i, u, v, thickness);
    bool inside_out = false;
    sweep(start, depth, [&](float from, float to, int wa, int wb) {
      overlap.stretch(wa >= 1 && wb >= 1, from, to);
      inside_out = inside_out || ((wa < 0 || wb < 0) && to - from > thickness);
    });
    overlap.close();
    sums.inside_out_columns += inside_out ? 1 : 0;
  });
  out.health.skipped_triangles = a.skipped_triangles + b.skipped_triangles;
  out.health.dropped_crossings = a.dropped_crossings + b.dropped_crossings;
  combine(a.grid, scratch, out);
}

void intersect(const Ldi& a, const Ldi& b, float min_thickness, Overlap& out) {
  Workers workers(1);
  QueryScratch scratch;
  intersect(a, b, min_thickness, workers, scratch, out);
}

}  // namespace lamella
