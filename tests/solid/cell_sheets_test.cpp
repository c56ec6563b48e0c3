#include "solid/cell_sheets.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace lamella::solid {
namespace {

TEST(CellSheets, OfACellAllInsideOrOutsideAreNone) {
  EXPECT_EQ(sheets_of(0).count, 0);
  EXPECT_EQ(sheets_of(0xff).count, 0);
}

TEST(CellSheets, OneCornerIsCutOffByThreeEdges) {
  for (unsigned corner = 0; corner < 8; ++corner) {
    const CellSheets& cell = sheets_of(1u << corner);
    EXPECT_EQ(cell.count, 1);
    int edges = 0;
    for (unsigned e = 0; e < kCellEdges; ++e) {
      const auto ends = edge_corners(e);
      const bool of_corner = ends[0] == corner || ends[1] == corner;
      EXPECT_EQ(cell.of_edge[e], of_corner ? 0 : CellSheets::kNone);
      edges += of_corner ? 1 : 0;
    }
    EXPECT_EQ(edges, 3);
  }
}

TEST(CellSheets, CornersAcrossAFaceAreOneSheetUnlessItIsTurned) {
  // Corners 0 and 3 are across the low face along z.
  const unsigned corners = 0b1001, face = 1u << 4;
  EXPECT_EQ(find_sheets(corners, 0).count, 1);
  EXPECT_EQ(find_sheets(corners, 0).alternating, face);
  EXPECT_EQ(find_sheets(corners, face).count, 2);
  // The same of what is outside: there the corners that are inside are joined, so that two sheets cut the others off.
  EXPECT_EQ(find_sheets(~corners & 0xffu, 0).count, 2);
  EXPECT_EQ(find_sheets(~corners & 0xffu, face).count, 1);
}

TEST(CellSheets, CornersAcrossTheCellAreTwoSheets) { EXPECT_EQ(sheets_of(0b10000001).count, 2); }

TEST(CellSheets, EverySheetHasAtLeastThreeEdgesWhateverIsTurned) {
  for (unsigned corners = 0; corners < 256; ++corners)
    for (unsigned turned = 0; turned < 64; ++turned) {
      const CellSheets cell = find_sheets(corners, turned);
      std::array<int, 12> edges{};
      for (unsigned e = 0; e < kCellEdges; ++e) {
        const auto ends = edge_corners(e);
        const bool crossed = (((corners >> ends[0]) ^ (corners >> ends[1])) & 1u) != 0;
        ASSERT_EQ(cell.of_edge[e] != CellSheets::kNone, crossed);
        if (crossed) ++edges[cell.of_edge[e]];
      }
      ASSERT_LE(cell.count, 4);
      for (int s = 0; s < cell.count; ++s) ASSERT_GE(edges[s], 3) << corners;
    }
}

TEST(CellSheets, TurningAFaceOfOneSheetSplitsIt) {
  int split = 0;
  for (unsigned corners = 0; corners < 256; ++corners)
    for (unsigned turned = 0; turned < 64; ++turned)
      for (int axis = 0; axis < 3; ++axis)
        for (unsigned side = 0; side < 2; ++side) {
          const unsigned face = 1u << (static_cast<unsigned>(axis) * 2 + side);
          const CellSheets before = find_sheets(corners, turned), after = find_sheets(corners, turned ^ face);
          if ((before.alternating & face) == 0) {
            ASSERT_EQ(before.of_edge, after.of_edge);
            continue;
          }
          ASSERT_EQ(after.count, before.count + (is_one_sheet(before, axis, side) ? 1 : -1));
          ++split;
        }
  EXPECT_GT(split, 0);
}

}  // namespace
}  // namespace lamella::solid
