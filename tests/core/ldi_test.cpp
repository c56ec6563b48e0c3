#include "lamella/ldi.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/face_crossing.hpp"

namespace lamella {
namespace {

Ldi two_columns() {
  Ldi ldi;
  ldi.grid = {{{0, 0, 0}, {1, 1, 4}}, Axis::z, 2, 1};
  ldi.offsets = {0, 2, 4};
  ldi.crossings = {Crossing::make(1, true), Crossing::make(2, false), Crossing::make(0, true),
                   Crossing::make(4, false)};
  return ldi;
}

TEST(Crossing, KeepsDepthAndOrientation) {
  for (const float depth : {0.0f, 1e-38f, 0.1f, 3.0f, 1e30f})
    for (const bool entry : {false, true}) {
      EXPECT_EQ(Crossing::make(depth, entry).depth(), depth);
      EXPECT_EQ(Crossing::make(depth, entry).entry(), entry);
      EXPECT_EQ(Crossing::make(depth, entry).sign(), entry ? 1 : -1);
    }
}

TEST(Crossing, OrdersByDepthAndExitsFirstAtEqualDepth) {
  std::vector<Crossing> c{Crossing::make(2, false), Crossing::make(1, true), Crossing::make(0, false),
                          Crossing::make(1, false)};
  std::sort(c.begin(), c.end());
  EXPECT_EQ(c, (std::vector<Crossing>{Crossing::make(0, false), Crossing::make(1, false), Crossing::make(1, true),
                                      Crossing::make(2, false)}));
}

TEST(Ldi, AGoodOneValidates) {
  const LdiReport report = validate(two_columns());
  EXPECT_TRUE(report.well_formed) << report.problem;
  EXPECT_EQ(report.open_columns, 0u);
  EXPECT_EQ(report.max_layers, 2u);
  EXPECT_EQ(report.occupied_columns, 2u);
}

TEST(Ldi, ValidateFindsEachKindOfDamage) {
  Ldi ldi = two_columns();
  std::swap(ldi.crossings[0], ldi.crossings[1]);
  EXPECT_EQ(validate(ldi).problem, "column 0 is not sorted");
  ldi = two_columns();
  ldi.crossings[3] = Crossing::make(4.5f, false);
  EXPECT_EQ(validate(ldi).problem, "column 1 has a depth beyond the box");
  ldi = two_columns();
  ldi.offsets = {0, 5, 4};
  EXPECT_EQ(validate(ldi).problem, "offsets do not ascend");
  for (const auto& offsets : {std::vector<std::uint32_t>{0, 4}, {0, 2, 4, 4}, {}}) {
    ldi.offsets = offsets;
    EXPECT_EQ(validate(ldi).problem, "offsets: expected one per column and one more");
  }
  for (const auto& offsets : {std::vector<std::uint32_t>{0, 2, 3}, {1, 2, 4}, {0, 2, 5}}) {
    ldi.offsets = offsets;
    EXPECT_EQ(validate(ldi).problem, "offsets do not span the crossings");
    EXPECT_FALSE(validate(ldi).well_formed);
  }
}

TEST(Ldi, TheReportCountsEveryColumn) {
  Ldi ldi;
  ldi.grid = {{{0, 0, 0}, {1, 1, 4}}, Axis::z, 3, 2};
  ldi.offsets = {0, 0, 1, 1, 4, 4, 6};  // columns 1 and 3 are open, 5 is closed
  ldi.crossings = {Crossing::make(1, true), Crossing::make(0, true),  Crossing::make(1, true),
                   Crossing::make(2, true), Crossing::make(1, false), Crossing::make(1, true)};
  const LdiReport report = validate(ldi);
  EXPECT_TRUE(report.well_formed) << report.problem;
  EXPECT_EQ(report.open_columns, 2u);
  EXPECT_EQ(report.occupied_columns, 3u);
  EXPECT_EQ(report.max_layers, 3u);
}

TEST(Ldi, LayersHaveTheCrossingsOfOneKindByDepth) {
  Ldi ldi;
  ldi.grid = {{{0, 0, 0}, {1, 1, 4}}, Axis::z, 3, 1};
  ldi.offsets = {0, 4, 4, 6};
  ldi.crossings = {Crossing::make(0, true),  Crossing::make(1, true),  Crossing::make(2, false),
                   Crossing::make(3, false), Crossing::make(1, false), Crossing::make(4, true)};
  const std::vector<DepthLayer> layers = depth_layers(ldi);
  ASSERT_EQ(layers.size(), 4u);
  const std::vector<float> expected[] = {{0, -1, 4}, {1, -1, -1}, {2, -1, 1}, {3, -1, -1}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(layers[i].entry, i < 2) << i;
    EXPECT_EQ(layers[i].depth, expected[i]) << i;
    EXPECT_FALSE(layers[i].mixed);
  }
  // What lies behind the grid's columns is not looked at.
  ldi.grid.columns = 2;
  EXPECT_EQ(depth_layers(ldi).front().depth, (std::vector<float>{0, -1}));
  ldi.grid.columns = 1;
  ldi.offsets = {0, 1, 4, 6};
  EXPECT_EQ(depth_layers(ldi).size(), 1u);
}

TEST(FaceCrossing, SortsByDepthThenExitsFirstThenByFace) {
  const FaceCrossing sorted[] = {
      FaceCrossing::make(Crossing::make(1, false), 0xffffffffu), FaceCrossing::make(Crossing::make(1, true), 0),
      FaceCrossing::make(Crossing::make(1, true), 1), FaceCrossing::make(Crossing::make(2, false), 0)};
  for (int i = 0; i < 3; ++i) EXPECT_LT(sorted[i], sorted[i + 1]) << i;
  EXPECT_EQ(sorted[0].face(), 0xffffffffu);
  EXPECT_EQ(sorted[0].sign(), -1);
  EXPECT_EQ(sorted[1].sign(), 1);
  EXPECT_EQ(sorted[3].depth(), 2);
  EXPECT_EQ(sorted[2].crossing(), Crossing::make(1, true));
}

TEST(Ldi, AColumnWithoutItsExitIsOpenUnlessTheBoxMayHaveCutIt) {
  Ldi ldi = two_columns();
  ldi.offsets = {0, 1, 3};
  ldi.crossings.erase(ldi.crossings.begin() + 1);
  EXPECT_EQ(validate(ldi).open_columns, 1u);
  ldi.outside = End::low;
  EXPECT_EQ(validate(ldi).open_columns, 0u);
  EXPECT_EQ(initial_winding(ldi, ldi.column(0)), 0);
  ldi.outside = End::high;
  EXPECT_EQ(initial_winding(ldi, ldi.column(0)), -1) << "one entry before the outside: it must have started below";
}

}  // namespace
}  // namespace lamella
