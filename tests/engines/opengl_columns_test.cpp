// The smallest LDIs of the OpenGL engines, whose every crossing is known.

#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::kAxes;

class OpenGlColumns : public test::OpenGlTest {
 protected:
  /// Depths may be off by a few roundings where they went through a depth buffer.
  void expect_column(const Ldi& ldi, std::size_t column, std::vector<std::pair<float, bool>> expected) {
    const auto crossings = ldi.column(column);
    ASSERT_EQ(crossings.size(), expected.size()) << "column " << column;
    const double tolerance = lists() ? 0 : 4e-7 * ldi.grid.depth();
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_NEAR(crossings[k].depth(), expected[k].first, tolerance) << "column " << column;
      EXPECT_EQ(crossings[k].entry(), expected[k].second) << "column " << column;
    }
  }
  void expect_columns(const Ldi& ldi, const std::vector<std::pair<float, bool>>& expected) {
    const LdiReport report = validate(ldi);
    ASSERT_TRUE(report.well_formed) << report.problem;
    for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) ASSERT_NO_FATAL_FAILURE(expect_column(ldi, i, expected));
  }
};

TEST_P(OpenGlColumns, OneTriangleOverOneSample) {
  const Mesh mesh{{{-1, -1, 0.25f}, {3, -1, 0.25f}, {-1, 3, 0.25f}}, {{0, 1, 2}}};
  const Ldi ldi = build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 1, 1});
  expect_columns(ldi, {{0.25f, false}});  // its normal points along the ray, so the ray leaves
  EXPECT_EQ(ldi.outside, End::both);
}

TEST_P(OpenGlColumns, BoxHasOneEntryAndOneExitInEveryColumn) {
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 2, 3});
  for (const Axis axis : kAxes) {
    const Grid grid{{{0, 0, 0}, {1, 2, 3}}, axis, 8, 5};
    expect_columns(build(mesh, grid), {{0.0f, true}, {grid.depth(), false}});
  }
}

TEST_P(OpenGlColumns, ColumnsCountAlongUAndRowsAlongV) {
  // A box over the first three columns and the first two rows.
  for (const Axis axis : kAxes) {
    const Grid grid{{{0, 0, 0}, {7, 7, 7}}, axis, 7, 7};
    Vec3 high;
    high[grid.u()] = 3;
    high[grid.v()] = 2;
    high[grid.w()] = 5;
    const Ldi ldi = build(box_mesh({0, 0, 0}, high), grid);
    for (std::size_t i = 0; i < grid.column_count(); ++i)
      EXPECT_EQ(ldi.column(i).size(), i % 7 < 3 && i / 7 < 2 ? 2u : 0u) << "column " << i;
  }
}

TEST_P(OpenGlColumns, CrossingsBeyondTheBoxAreMovedOntoItsFaces) {
  for (const Axis axis : kAxes) {
    Grid grid{{{0, 0, 0}, {1, 1, 1}}, axis, 2, 2};
    Vec3 low{0, 0, 0}, high{1, 1, 1};
    low[grid.w()] = -5;
    high[grid.w()] = 5;
    const Ldi ldi = build(box_mesh(low, high), grid);
    expect_columns(ldi, {{0.0f, true}, {1.0f, false}});
    EXPECT_EQ(ldi.outside, End::both);
  }
}

TEST_P(OpenGlColumns, WhatIsWhollyBehindTheBoxLiesOnItsFace) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 3, 3};
  expect_columns(build(box_mesh({0, 0, 2}, {1, 1, 3}), grid), {{1.0f, false}, {1.0f, true}});
  expect_columns(build(box_mesh({0, 0, -3}, {1, 1, -2}), grid), {{0.0f, false}, {0.0f, true}});
}

TEST_P(OpenGlColumns, ACutBuildSaysWhatItLeftOut) {
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4};
  Ldi ldi;
  engine_->build_cut(box_mesh({0, 0, 0.25f}, {1, 1, 5}), grid, End::low, ldi);
  if (lists())
    expect_columns(ldi, {{0.25f, true}, {1.0f, false}});
  else
    expect_columns(ldi, {{0.25f, true}});
  EXPECT_EQ(ldi.outside, lists() ? End::both : End::low);
  engine_->build_cut(box_mesh({0, 0, -5}, {1, 1, 0.75f}), grid, End::high, ldi);
  if (lists())
    expect_columns(ldi, {{0.0f, true}, {0.75f, false}});
  else
    expect_columns(ldi, {{0.75f, false}});
  EXPECT_EQ(ldi.outside, lists() ? End::both : End::high);
}

TEST_P(OpenGlColumns, SurfacesOnTheBoxsOwnFacesSurviveACut) {
  // The object's outside face is the box's by construction: the sample is exactly on it.
  const Grid grid{{{0, 0, 0.1f}, {1, 1, 0.7f}}, Axis::z, 4, 4};
  for (const End outside : {End::low, End::high}) {
    Ldi ldi;
    engine_->build_cut(box_mesh({0, 0, 0.1f}, {1, 1, 0.7f}), grid, outside, ldi);
    expect_columns(ldi, {{0.0f, true}, {grid.depth(), false}});
  }
}

TEST_P(OpenGlColumns, FacingSurfacesAtOneDepthSurvive) {
  // Two boxes of one mesh that share a face plane: there the ray leaves the one and enters the other.
  for (const Axis axis : kAxes) {
    const Grid grid{{{0, 0, 0}, {3, 3, 3}}, axis, 9, 9};
    Vec3 middle_high{3, 3, 3}, middle_low{0, 0, 0};
    middle_high[grid.w()] = middle_low[grid.w()] = 1.1f;
    Mesh mesh = box_mesh({0, 0, 0}, middle_high);
    test::append(mesh, box_mesh(middle_low, {3, 3, 3}));
    const Ldi ldi = build(mesh, grid);
    expect_columns(ldi, {{0.0f, true}, {1.1f, false}, {1.1f, true}, {3.0f, false}});
    EXPECT_EQ(ldi.column(0)[1].depth(), ldi.column(0)[2].depth()) << "exactly";
    EXPECT_EQ(ldi.dropped_crossings, 0u);
    const SelfOverlap o = self_intersect(mesh, {.resolution = 33, .axis = axis});
    EXPECT_TRUE(o.health.ok());
    EXPECT_FALSE(o.colliding()) << "touching is not overlapping";
  }
}

TEST_P(OpenGlColumns, SurfacesThatFaceTheSameWayAtOneDepthAreKeptOrReportedAsDropped) {
  Mesh mesh = box_mesh({0, 0, 0}, {1, 2, 3});
  test::append(mesh, box_mesh({0, 0, 0}, {1, 2, 3}));
  const Grid grid{{{0, 0, 0}, {1, 2, 3}}, Axis::x, 16, 16};
  const Ldi ldi = build(mesh, grid);
  const SelfOverlap o = self_intersect(mesh, {.resolution = 32});
  if (GetParam() == "gl-ordered") {
    expect_columns(ldi, {{0.0f, true}, {1.0f, false}});
    EXPECT_EQ(ldi.dropped_crossings, 2u * 16 * 16);
    EXPECT_EQ(o.health.dropped_crossings, 2u * 32 * 32);
    EXPECT_FALSE(o.health.ok());
    EXPECT_THROW((void)self_intersect(mesh, {.resolution = 32, .strict = true}), Error);
  } else {
    expect_columns(ldi, {{0.0f, true}, {0.0f, true}, {1.0f, false}, {1.0f, false}});
    EXPECT_EQ(ldi.dropped_crossings, 0u);
    EXPECT_TRUE(o.health.ok());
    EXPECT_NEAR(o.volume, 6, 1e-5) << "winding 2 all through";
  }
}

TEST_P(OpenGlColumns, ColumnsAreThoseOfTheSmallestGridAndOfAnUnevenOne) {
  const Mesh mesh = test::round_sphere(40, 80);
  constexpr std::uint32_t kSizes[][2] = {{1, 1}, {1, 200}, {200, 1}, {3, 130}, {129, 2}};
  for (const auto& size : kSizes) {
    const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::y, size[0], size[1]};
    const LdiReport report = validate(build(mesh, grid));
    EXPECT_TRUE(report.well_formed) << report.problem;
    EXPECT_EQ(report.open_columns, 0u);
    EXPECT_GT(report.occupied_columns, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlColumns, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
