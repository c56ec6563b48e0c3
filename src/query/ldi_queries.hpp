#pragma once

// What the queries on LDIs share: columns are visited in chunks whose size depends only on the grid, each chunk keeps
// its own spans and sums, and chunks are combined in order. So the result has the same bits for any thread count.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/ldi_query.hpp"
#include "query/column_walk.hpp"
#include "query/line_sums.hpp"
#include "query/span_totals.hpp"

namespace lamella {

/// One chunk's part of an answer.
struct ChunkSums {
  std::vector<Span> spans;
  SpanTotals totals;             ///< of `spans`
  Span longest;                  ///< of them, where no spans are kept; the first of several
  std::vector<Span> inside_out;  ///< only for self_intersect
  double inside_out_length = 0;
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;

  /// Clears the contents, keeps the memory.
  void clear() {
    spans.clear();
    totals = {};
    longest = {};
    inside_out.clear();
    inside_out_length = 0;
    open_columns = occupied_columns = inside_out_columns = 0;
  }
};

/// Scratch of a query, kept between calls.
struct QueryScratch {
  std::vector<ChunkSums> chunks;  ///< in the order of rows
  std::vector<LineSums> lines;    ///< one per worker: integers, whose order does not matter

  void start_lines(const Grid& grid, unsigned workers) {
    lines.resize(workers);
    for (LineSums& l : lines) l.start(grid);
  }
};

/// Rows of the grid in a chunk of columns. The last chunk may have fewer.
inline std::uint32_t rows_of_chunk(const Grid& grid) { return std::max(1u, 2048u / grid.columns); }

/// Calls body(column, u, v, sums, lines) for every column of the grid.
template <class Body>
void for_columns(const Grid& grid, Workers& workers, QueryScratch& scratch, const Body& body) {
  const std::size_t rows = rows_of_chunk(grid);
  scratch.chunks.resize((grid.rows + rows - 1) / rows);
  scratch.start_lines(grid, workers.count());
  workers.for_chunks(grid.rows, rows, [&](std::size_t begin, std::size_t end, unsigned worker) {
    ChunkSums& sums = scratch.chunks[begin / rows];
    LineSums& lines = scratch.lines[worker];
    sums.clear();
    auto column = static_cast<std::uint32_t>(begin * grid.columns);
    for (auto v = static_cast<std::uint32_t>(begin); v < end; ++v)
      for (std::uint32_t u = 0; u < grid.columns; ++u, ++column) body(column, u, v, sums, lines);
  });
}

/// Combines the chunks' spans, sums and health into `out`. Does not change health's skipped triangles and dropped
/// crossings. The lines are added up into the first.
void combine(const Grid& grid, QueryScratch& scratch, Overlap& out);
void combine(const Grid& grid, QueryScratch& scratch, SelfOverlap& out);

/// The same without the spans.
void combine_sums(const Grid& grid, QueryScratch& scratch, Overlap& out);
void combine_sums(const Grid& grid, QueryScratch& scratch, SelfOverlap& out);

/// A column of an LDI, for the walks of column_walk.hpp.
inline KeyCursor<> cursor_of(std::span<const Crossing> column) {
  static_assert(sizeof(Crossing) == sizeof(std::uint32_t));
  return {reinterpret_cast<const std::uint32_t*>(column.data()), static_cast<std::uint32_t>(column.size())};
}
inline CutColumn ends_of(const Ldi& ldi, std::span<const Crossing> column) {
  return {initial_winding(ldi, column), ldi.grid.depth()};
}

// The three queries of lamella/ldi_query.hpp with the caller's threads and scratch.
void intersect(const Ldi& a, const Ldi& b, float min_thickness, Workers& workers, QueryScratch& scratch, Overlap& out);
void self_intersect(const Ldi& ldi, float min_thickness, Workers& workers, QueryScratch& scratch, SelfOverlap& out);
void contains(const Ldi& ldi, std::span<const Vec3> points, Workers& workers, Containment& out);

}  // namespace lamella
