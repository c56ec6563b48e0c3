#pragma once

// Queries on the crossings of a tile. The walk along a column is that of query/column_walk.hpp; here a vector of
// columns is walked at a time, one in each lane, where they are plain: entries and exits alternate. Other columns are
// walked one at a time by that walk itself.

#include <cstdint>

#include "core/face_crossing.hpp"
#include "engines/software/record_list.hpp"
#include "engines/software/tile.hpp"
#include "lamella/result.hpp"

namespace lamella::software {

/// What a query counts.
struct ColumnCounts {
  std::uint32_t open = 0, occupied = 0, inside_out = 0;
};

using SpanList = RecordList<Span>;

/// The end of a span: its triangle, and the column of the image's row.
struct FoundEnd {
  std::uint32_t face, u;
};
/// The ends of a row's spans, in any order. The layers must have faces.
struct FoundEnds {
  RecordList<FoundEnd> begins[2], ends[2];  ///< by mesh
  SpanList unsure;  ///< spans that are not in these lists: several crossings have one of the depths

  void clear() {
    for (auto& list : begins) list.clear();
    for (auto& list : ends) list.clear();
    unsure.clear();
  }
};

/// Where a row of a tile goes. Spans get the columns of the image, from `first_column` on.
struct RowSpans {
  std::uint32_t first_column = 0;
  float thickness = 0;  ///< spans not longer than this do not count; a depth
  SpanList& spans;
  ColumnCounts& counts;
  FoundEnds* ends = nullptr;  ///< also the ends of all spans, if it is not null
};

/// Spans inside both meshes, in one row of the tile.
void walk_pair(Layers& a, Layers& b, std::uint32_t row, const RowSpans& out);

/// Spans that the mesh covers more than once, and those where it is inside out.
void walk_self(Layers& mesh, std::uint32_t row, const RowSpans& out, SpanList& inside_out);

/// Counts columns only.
void check_columns(Layers& mesh, std::uint32_t row, float thickness, ColumnCounts& counts);

/// Appends the sorted columns of one row to `out`, and writes their lengths.
void sort_row(Layers& mesh, std::uint32_t row, RecordList<Crossing>& out, std::uint32_t* lengths);
/// With faces, which the layers must have.
void sort_row(Layers& mesh, std::uint32_t row, RecordList<FaceCrossing>& out, std::uint32_t* lengths);

}  // namespace lamella::software
