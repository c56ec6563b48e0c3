#include "engines/software/tile_queries.hpp"

#include <algorithm>

namespace lamella::software {

void OverlapTiles::ask_pair(const Grid& grid, const QueryOptions& options, Overlap& out, TileEnds* ends) {
  ask(grid, options, out, nullptr, ends);
}

void OverlapTiles::ask_self(const Grid& grid, const QueryOptions& options, SelfOverlap& out, TileEnds* ends) {
  ask(grid, options, out, &out, ends);
  out.inside_out.clear();
}

void OverlapTiles::ask(const Grid& grid, const QueryOptions& options, Overlap& out, SelfOverlap* self, TileEnds* ends) {
  grid_ = grid;
  thickness_ = options.min_thickness * grid.depth();
  keep_ = !options.keep_spans ? Keep::nothing : workers_.count() > 1 ? Keep::copy : Keep::append;
  out_ = &out;
  self_ = self;
  ends_ = ends;
  keep_ends_ = ends != nullptr && options.ends && options.keep_spans;
  copied_ = 0;
  if (keep_ != Keep::copy) out.spans.clear();
  out.ends.clear();
}

void OverlapTiles::start(const Tiling& tiling) {
  tiling_ = tiling;
  spans_.start(tiling, workers_.count());
  inside_out_.start(tiling, workers_.count());
  std::fill(counts_.begin(), counts_.end(), ColumnCounts{});
  sums_.chunks.resize((grid_.rows + rows_of_chunk(grid_) - 1) / rows_of_chunk(grid_));
  for (ChunkSums& chunk : sums_.chunks) chunk.clear();
  if (keep_ends_) end_runs_.start(tiling, workers_.count());
  if (ends_ != nullptr) moments_.assign(sums_.chunks.size(), {});
  sums_.start_lines(grid_, workers_.count());
}

void OverlapTiles::begin_rows(std::uint32_t first, std::uint32_t end) {
  spans_.begin_rows(first, end);
  if (self_ != nullptr) inside_out_.begin_rows(first, end);
  if (keep_ends_) end_runs_.begin_rows(first, end);
}

void OverlapTiles::take(std::size_t tile, std::span<Layers> sides, unsigned worker) {
  const Window w = tiling_.window(tile);
  ColumnCounts counts;
  spans_.begin_tile(tile, worker);
  if (self_ != nullptr) inside_out_.begin_tile(tile, worker);
  if (keep_ends_) end_runs_.begin_tile(tile, worker);
  for (std::uint32_t row = 0; row < w.end_v - w.first_v; ++row) {
    const std::uint32_t first_column = (w.first_v + row) * grid_.columns + w.first_u;
    const RowSpans out{first_column, thickness_, spans_.list(worker), counts,
                       ends_ != nullptr ? ends_->start_row(worker) : nullptr};
    const std::size_t before = out.spans.size();
    if (self_ != nullptr) {
      walk_self(sides[0], row, out, inside_out_.list(worker));
      inside_out_.end_row(tile, row);
    } else {
      walk_pair(sides[0], sides[1], row, out);
    }
    spans_.end_row(tile, row);
    if (out.ends != nullptr) ends_->sum_up_row(sides, row, worker);
    if (keep_ends_) {
      ends_->find_places(sides, row, {out.spans.data() + before, out.spans.size() - before}, worker,
                         end_runs_.list(worker));
      end_runs_.end_row(tile, row);
    }
  }
  if (ends_ != nullptr) ends_->finish_tile(worker);
  ColumnCounts& total = counts_[worker];
  total.open += counts.open;
  total.occupied += counts.occupied;
  total.inside_out += counts.inside_out;
}

/// To the place of the row's spans, or appended like them.
void OverlapTiles::copy_ends(std::uint32_t row) {
  std::size_t at = keep_ == Keep::copy ? row_begin_[row - first_row_] : 0;
  end_runs_.for_row(row, [&](std::span<const SpanEnds> run) {
    if (keep_ == Keep::copy) {
      std::copy(run.begin(), run.end(), out_->ends.begin() + static_cast<std::ptrdiff_t>(at));
      at += run.size();
    } else {
      out_->ends.insert(out_->ends.end(), run.begin(), run.end());
    }
  });
}

/// Sums up the spans of rows that belong to one chunk; copies them to their place, or appends them.
void OverlapTiles::gather_chunk(std::uint32_t first_row, std::uint32_t end_row, LineSums& lines) {
  ChunkSums& sums = sums_.chunks[first_row / rows_of_chunk(grid_)];
  SpanTotals totals = sums.totals;  // in registers
  for (std::uint32_t row = first_row; row < end_row; ++row) {
    std::size_t at = keep_ == Keep::copy ? row_begin_[row - first_row_] : 0;
    const std::uint32_t row_begin = row * grid_.columns;
    ColumnAdder adder{totals};
    std::uint32_t column = row_begin;
    spans_.for_row(row, [&](std::span<const Span> run) {
      for (const Span& s : run) {
        if (s.column != column) {
          adder.close(column - row_begin, row);
          lines.add(column - row_begin, row, adder.length);
          adder.length = 0;
          column = s.column;
        }
        adder.add(s.begin, s.end);
      }
      if (ends_ != nullptr) {
        MomentSums& moments = moments_[first_row / rows_of_chunk(grid_)];
        const double at_v = from_middle(row, grid_.rows);
        for (const Span& s : run) moments.add(from_middle(s.column - row_begin, grid_.columns), at_v, s.begin, s.end);
      }
      if (keep_ == Keep::nothing)
        for (const Span& s : run)
          if (s.end - s.begin > sums.longest.end - sums.longest.begin) sums.longest = s;
      if (keep_ == Keep::copy) {
        std::copy(run.begin(), run.end(), out_->spans.begin() + static_cast<std::ptrdiff_t>(at));
        at += run.size();
      } else if (keep_ == Keep::append) {
        out_->spans.insert(out_->spans.end(), run.begin(), run.end());
      }
    });
    adder.close(column - row_begin, row);
    lines.add(column - row_begin, row, adder.length);
    if (keep_ends_) copy_ends(row);
    if (self_ != nullptr)
      inside_out_.for_row(row, [&](std::span<const Span> run) {
        for (const Span& s : run) sums.inside_out_length += static_cast<double>(s.end) - s.begin;
      });
  }
  sums.totals = totals;
}

void OverlapTiles::finish_rows(std::uint32_t first, std::uint32_t end) {
  const std::uint32_t first_row = first << tiling_.shift_v, end_row = std::min(end << tiling_.shift_v, grid_.rows);
  const std::uint32_t chunk = rows_of_chunk(grid_), first_chunk = first_row / chunk;
  const std::uint32_t chunk_count = (end_row + chunk - 1) / chunk - first_chunk;
  first_row_ = first_row;
  if (keep_ == Keep::copy) {
    std::size_t at = copied_;
    row_begin_.resize(end_row - first_row);
    for (std::uint32_t row = first_row; row < end_row; ++row) {
      row_begin_[row - first_row] = at;
      at += spans_.count_in(row);
    }
    if (out_->spans.size() < at) out_->spans.resize(at);
    if (keep_ends_) out_->ends.resize(at);
    copied_ = at;
  }
  // Appending is one worker's, in order.
  workers_.for_chunks(chunk_count, 1, [&](std::size_t i, std::size_t, unsigned worker) {
    const auto number = static_cast<std::uint32_t>(first_chunk + i);
    gather_chunk(std::max(number * chunk, first_row), std::min((number + 1) * chunk, end_row), sums_.lines[worker]);
  });
  if (self_ != nullptr)
    for (std::uint32_t row = first_row; row < end_row; ++row)
      inside_out_.for_row(row, [&](std::span<const Span> run) {
        self_->inside_out.insert(self_->inside_out.end(), run.begin(), run.end());
      });
}

void OverlapTiles::finish() {
  if (keep_ == Keep::copy) out_->spans.resize(copied_);
  for (const ColumnCounts& c : counts_) {
    sums_.chunks.front().open_columns += c.open;
    sums_.chunks.front().occupied_columns += c.occupied;
    sums_.chunks.front().inside_out_columns += c.inside_out;
  }
  if (self_ != nullptr)
    combine_sums(grid_, sums_, *self_);
  else
    combine_sums(grid_, sums_, *out_);
}

MomentSums OverlapTiles::moments() const {
  MomentSums sum;
  for (const MomentSums& chunk : moments_) sum.add(chunk);
  return sum;
}

void OverlapTiles::longest_spans(std::vector<Span>& out) const {
  if (keep_ != Keep::nothing) return;
  for (const ChunkSums& chunk : sums_.chunks)
    if (chunk.totals.spans != 0) out.push_back(chunk.longest);
}

}  // namespace lamella::software
