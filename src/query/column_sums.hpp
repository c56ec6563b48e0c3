#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/query.hpp"

namespace lamella {

// What the span queries share: columns are visited in chunks of a size that depends on the grid alone, each chunk keeps
// its own spans and sums, and chunks are put together in order. So the result has the same bits for any thread count.

/// Spans of consecutive columns and what is summed over them.
struct SpanSums {
  std::vector<Span> spans;
  double length = 0;                                               ///< of all spans
  Vec3d moment;                                                    ///< in cells along u and v, in depth along w
  std::uint32_t low_u = ~0u, low_v = ~0u, high_u = 0, high_v = 0;  ///< cells
  float low = 0, high = 0;                                         ///< depths; valid when there are spans

  void clear() {
    spans.clear();
    length = 0;
    moment = {};
    low_u = low_v = ~0u;
    high_u = high_v = 0;
  }

  void add(std::uint32_t column, std::uint32_t u, std::uint32_t v, float begin, float end) {
    const double l = static_cast<double>(end) - begin;
    low = spans.empty() ? begin : std::min(low, begin);
    high = spans.empty() ? end : std::max(high, end);
    spans.push_back({column, begin, end});
    length += l;
    moment = moment + Vec3d{(u + 0.5) * l, (v + 0.5) * l, 0.5 * l * (static_cast<double>(begin) + end)};
    low_u = std::min(low_u, u);
    high_u = std::max(high_u, u);
    low_v = std::min(low_v, v);
    high_v = std::max(high_v, v);
  }
};

/// Joins the stretches of one column that satisfy a condition into spans, and drops those that are too thin. Where the
/// condition fails for no length at all (a surface that leaves and enters at the same depth) the span goes on.
class SpanJoiner {
 public:
  SpanJoiner(SpanSums& sums, std::uint32_t column, std::uint32_t u, std::uint32_t v, float thickness)
      : sums_(sums), column_(column), u_(u), v_(v), thickness_(thickness) {}

  /// Stretches come in order; `to` must be above `from`.
  void stretch(bool holds, float from, float to) {
    if (!holds) return;
    if (from != end_) {
      close();
      begin_ = from;
    }
    end_ = to;
  }
  /// After the last stretch. Returns whether the column got a span.
  bool close() {
    const bool thick = end_ - begin_ > thickness_;
    if (thick) sums_.add(column_, u_, v_, begin_, end_);
    begin_ = end_ = -1;
    any_ = any_ || thick;
    return any_;
  }

 private:
  SpanSums& sums_;
  std::uint32_t column_, u_, v_;
  float thickness_;
  float begin_ = -1, end_ = -1;  // depths are never negative
  bool any_ = false;
};

/// One chunk's part of an answer.
struct ChunkSums {
  SpanSums overlap;
  SpanSums inside_out;  ///< of self_intersect alone
  std::uint32_t open_columns = 0, occupied_columns = 0, inside_out_columns = 0;

  void clear() {
    overlap.clear();
    inside_out.clear();
    open_columns = occupied_columns = inside_out_columns = 0;
  }
};

/// Scratch of a query, kept between calls.
using QueryScratch = std::vector<ChunkSums>;

/// Calls body(column, u, v, sums) for every column of the grid.
template <class Body>
void for_columns(const Grid& grid, Workers& workers, QueryScratch& scratch, const Body& body) {
  constexpr std::size_t kColumns = 2048;
  const std::size_t rows = std::max<std::size_t>(1, kColumns / grid.columns);
  scratch.resize((grid.rows + rows - 1) / rows);
  workers.for_chunks(grid.rows, rows, [&](std::size_t begin, std::size_t end, unsigned) {
    ChunkSums& sums = scratch[begin / rows];
    sums.clear();
    auto column = static_cast<std::uint32_t>(begin * grid.columns);
    for (auto v = static_cast<std::uint32_t>(begin); v < end; ++v)
      for (std::uint32_t u = 0; u < grid.columns; ++u, ++column) body(column, u, v, sums);
  });
}

/// Puts the chunks' overlap and health into `out`. Health's skipped triangles and dropped crossings are left alone.
void combine(const Grid& grid, const QueryScratch& scratch, Overlap& out);

// The three queries with threads and scratch of the caller's.
void intersect(const Ldi& a, const Ldi& b, float min_thickness, Workers& workers, QueryScratch& scratch, Overlap& out);
void self_intersect(const Ldi& ldi, float min_thickness, Workers& workers, QueryScratch& scratch, SelfOverlap& out);
void contains(const Ldi& ldi, std::span<const Vec3> points, Workers& workers, Containment& out);

}  // namespace lamella
