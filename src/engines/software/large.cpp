// Triangles too large for the batches, or with corners outside the image: one at a time, row by row; a vector kernel
// files the rows.

#include "engines/software/large.hpp"

#include <algorithm>

namespace lamella::software {
namespace {

/// Depths along a row are steps from its first sample in the window, whichever tile they are in: so a row has the same
/// bits however the image is cut.
template <class Int>
void rasterize_rows(const LatticeVertex* corners, std::uint32_t face, const RasterTarget& target, Layers& out) {
  RowTriangle<Int> triangle;
  if (!set_up_rows(corners, target.window, triangle)) return;
  const Window& tile = out.tile();
  const std::int64_t first_row = std::max<std::int64_t>(triangle.first_row, tile.first_v);
  const std::int64_t last_row = std::min<std::int64_t>(triangle.last_row, tile.end_v);
  if (triangle.first_u >= tile.end_u || triangle.last_u <= tile.first_u) return;
  if (first_row >= last_row) return;
  constexpr std::size_t kRows = 32;  // that wait to be filed together
  TileRow rows[kRows];
  std::size_t waiting = 0;
  const auto file = [&] { file_rows({rows, waiting}, triangle.depth, face, target.depth, out), waiting = 0; };
  RowWalk<Int> walk(triangle, first_row);
  for (std::int64_t row = first_row; row < last_row; ++row) {
    RowSpan& span = rows[waiting].span;
    if (!walk.next(target.grid.columns, span)) continue;
    const std::uint32_t row_begin = static_cast<std::uint32_t>(row) * target.grid.columns;
    const std::uint32_t first = span.first_column - row_begin, end = first + span.count;
    const std::uint32_t begin = std::max(first, tile.first_u), count = std::min(end, tile.end_u) - begin;
    if (begin >= end || begin >= tile.end_u) continue;
    const std::uint32_t tile_row = static_cast<std::uint32_t>(row) - tile.first_v;
    rows[waiting].column = tile_row * out.stride() + begin - tile.first_u;
    rows[waiting].count = count;
    rows[waiting].skipped = begin - first;
    if (++waiting == kRows) file();
  }
  if (waiting != 0) file();
}

}  // namespace

void rasterize_large(const LatticeVertex corners[3], std::uint32_t face, const RasterTarget& target, Layers& out) {
  if (is_near(corners))
    rasterize_rows<std::int64_t>(corners, face, target, out);
  else
    rasterize_rows<Wide>(corners, face, target, out);
}

}  // namespace lamella::software
