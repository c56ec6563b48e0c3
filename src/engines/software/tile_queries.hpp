#pragma once

// Whole queries on tiles: no LDI is made.

#include <span>
#include <vector>

#include "engines/software/tile_ends.hpp"
#include "engines/software/tile_runs.hpp"
#include "engines/software/tile_sampler.hpp"
#include "engines/software/tile_walk.hpp"
#include "query/ldi_queries.hpp"

namespace lamella::software {

/// Makes an Overlap or SelfOverlap of the tiles' spans. Sums are taken over the spans in the order of the image, in the
/// chunks of rows that queries on LDIs have: so the bits are those of the same query on an LDI, for any tiles and
/// threads.
class OverlapTiles : public TileConsumer {
 public:
  explicit OverlapTiles(Workers& workers) : workers_(workers), counts_(workers.count()) {}

  // Once for each query, before it is sampled. `out` is filled by finish(). `ends`: gets the ends of all spans, if it
  // is not null; the tiles must have faces then. They are also kept if the options say so.
  void ask_pair(const Grid& grid, const QueryOptions& options, Overlap& out, TileEnds* ends = nullptr);
  void ask_self(const Grid& grid, const QueryOptions& options, SelfOverlap& out, TileEnds* ends = nullptr);
  /// After it was sampled: sums and health, except for skipped triangles.
  void finish();
  /// After finish(), where no spans are kept: adds the longest span of each chunk of rows.
  void longest_spans(std::vector<Span>& out) const;
  /// After finish(), with ends: of all spans.
  [[nodiscard]] MomentSums moments() const;

  void start(const Tiling& tiling) override;
  void begin_rows(std::uint32_t first, std::uint32_t end) override;
  void take(std::size_t tile, std::span<Layers> sides, unsigned worker) override;
  void finish_rows(std::uint32_t first, std::uint32_t end) override;

 private:
  void ask(const Grid& grid, const QueryOptions& options, Overlap& out, SelfOverlap* self, TileEnds* ends);
  void copy_ends(std::uint32_t row);
  void gather_chunk(std::uint32_t first_row, std::uint32_t end_row, LineSums& lines);

  Workers& workers_;
  Tiling tiling_;
  Grid grid_;
  float thickness_ = 0;
  /// What becomes of spans: left out, appended row by row, or copied by several workers to their place.
  enum class Keep : std::uint8_t { nothing, append, copy } keep_ = Keep::append;
  Overlap* out_ = nullptr;
  SelfOverlap* self_ = nullptr;  ///< the same, or null
  TileEnds* ends_ = nullptr;
  bool keep_ends_ = false;
  TileRuns<Span> spans_, inside_out_;
  TileRuns<SpanEnds> end_runs_;       ///< in step with `spans_`
  std::vector<MomentSums> moments_;   ///< by chunk of rows
  std::vector<ColumnCounts> counts_;  ///< by worker
  QueryScratch sums_;
  std::size_t copied_ = 0;              ///< spans in their place, before the rows that are held
  std::uint32_t first_row_ = 0;         ///< of the rows that are held
  std::vector<std::size_t> row_begin_;  ///< where the spans of each of them go
};

}  // namespace lamella::software
