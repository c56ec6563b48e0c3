#include "lamella/ldi.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
  ldi.offsets = {0, 4};
  EXPECT_FALSE(validate(ldi).well_formed);
  ldi.offsets = {0, 2, 3};
  EXPECT_FALSE(validate(ldi).well_formed);
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
