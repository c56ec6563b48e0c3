// Triangles too large for the batches, or with corners outside the image: one at a time, row by row, each row filled by
// a vector kernel.

#include "engines/software/large.hpp"

namespace lamella::software {
namespace {

template <class Int>
void rasterize_rows(const LatticeVertex* corners, std::uint32_t id, const RasterTarget& target, FragmentBuffer& out) {
  RowTriangle<Int> triangle;
  if (!set_up_rows(corners, target.window, triangle)) return;
  RowSpan span;
  for (std::int64_t row = triangle.first_row; row < triangle.last_row; ++row) {
    if (!triangle.row(row, target.grid.columns, span)) continue;
    out.make_room(span.count);
    fill_row(span, triangle.depth, id, target.depth, out);
  }
}

}  // namespace

void rasterize_large(const LatticeVertex corners[3], std::uint32_t id, const RasterTarget& target,
                     FragmentBuffer& out) {
  if (is_near(corners))
    rasterize_rows<std::int64_t>(corners, id, target, out);
  else
    rasterize_rows<Wide>(corners, id, target, out);
}

}  // namespace lamella::software
