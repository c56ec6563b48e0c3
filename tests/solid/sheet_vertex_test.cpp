#include "solid/sheet_vertex.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lamella::solid {
namespace {

void expect_near(Vec3d p, Vec3d q, double tolerance) {
  EXPECT_NEAR(p.x, q.x, tolerance);
  EXPECT_NEAR(p.y, q.y, tolerance);
  EXPECT_NEAR(p.z, q.z, tolerance);
}

TEST(SheetVertex, WithoutPlanesIsTheMiddleOfTheCrossings) {
  SheetVertex v;
  v.add_place({0, 0.25, 1});
  v.add_place({1, 0.75, 0});
  expect_near(v.best(), {0.5, 0.5, 0.5}, 1e-12);
}

TEST(SheetVertex, OfOnePlaneIsAboveTheMiddleOfTheCrossings) {
  SheetVertex v;
  for (const double x : {0.0, 1.0})
    for (const double y : {0.0, 1.0}) {
      v.add_place({x, y, 0.3});
      v.add_plane({0, 0, 1}, 0.4);
    }
  expect_near(v.best(), {0.5, 0.5, 0.4}, 1e-6);
}

TEST(SheetVertex, OfThreePlanesIsTheirCorner) {
  SheetVertex v;
  v.add_place({0.2, 0, 0});
  v.add_place({0, 0.9, 0});
  v.add_place({0, 0, 0.7});
  v.add_plane({1, 0, 0}, 0.2);
  v.add_plane({0, 1, 0}, 0.9);
  v.add_plane({0, 0, 1}, 0.7);
  expect_near(v.best(), {0.2, 0.9, 0.7}, 1e-5);
}

TEST(SheetVertex, PlanesThatHardlyDifferDoNotPullItAlongThem) {
  SheetVertex v;
  const double tilt = 0.02;
  for (const double side : {-1.0, 1.0}) {
    v.add_place({0.5 + side * 0.5, 0.5, 0.5});
    const double size = std::sqrt(1 + tilt * tilt);
    const Vec3d n{side * tilt / size, 0, 1 / size};
    v.add_plane(n, dot(n, {0.1 + side * 0.5, 0.5, 0.5}));  // they meet at x = 0.1
  }
  EXPECT_NEAR(v.best().x, 0.5, 0.05);
}

TEST(SheetVertex, StaysInTheCellAndAsCloseToThePlanesAsItCan) {
  // The planes meet at (1.5, 0.5, 0.5): at x = 1 the one that is not along x is nearest at y = 1.
  SheetVertex v;
  v.add_place({1, 0.5, 0.5});
  const double r = std::sqrt(0.5);
  v.add_plane({r, r, 0}, 2 * r);
  v.add_plane({0, 0, 1}, 0.5);
  v.add_plane({1, 0, 0}, 1.5);
  expect_near(v.best(), {1.5, 0.5, 0.5}, 1e-3);
  const Vec3d p = v.best_in_cell(v.best());
  EXPECT_EQ(p.x, 1);
  EXPECT_NEAR(p.y, 1, 0.05);
  EXPECT_NEAR(p.z, 0.5, 1e-6);
}

}  // namespace
}  // namespace lamella::solid
