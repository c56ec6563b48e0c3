// The invariant of watertight_test.cpp, on OpenGL's lattice: for a closed mesh the signs of every column sum to 0. It
// holds for as long as the driver can snap the vertices: some tens of box widths away.

#include "lamella/ldi_query.hpp"
#include "support/health.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::Random;

class OpenGlClosed : public test::OpenGlTest {};

/// Moves vertices that are farther than `widths` box widths away up to there. Triangles share them: closed stays
/// closed.
Mesh brought_within(Mesh mesh, const Grid& grid, float widths) {
  const Vec3 reach = extent(grid.box) * widths, low = center(grid.box) - reach, high = center(grid.box) + reach;
  for (Vec3& p : mesh.positions)
    for (int k = 0; k < 3; ++k) p[k] = std::clamp(p[k], low[k], high[k]);
  return mesh;
}

TEST_P(OpenGlClosed, EveryColumnOfARandomClosedMeshCloses) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    const Mesh mesh = brought_within(test::random_closed_mesh(random, grid), grid, 50);
    const Ldi ldi = build(mesh, grid);
    const LdiReport report = validate(ldi);
    ASSERT_TRUE(report.well_formed) << report.problem;
    // Where two surfaces that face the same way meet in one depth, peeling loses one, and says so.
    if (ldi.dropped_crossings == 0)
      EXPECT_EQ(report.open_columns, 0u);
    else
      EXPECT_EQ(GetParam(), "gl-ordered");
  }
}

TEST_P(OpenGlClosed, VerticesAndEdgesExactlyOnSamplesNeitherLeakNorDouble) {
  // A box whose faces, edges and diagonals all run through samples: 8 x 8 cells of size 1, samples at halves.
  const Mesh mesh = test::box_mesh({1.5f, 2.5f, 1}, {5.5f, 6.5f, 3});
  const Ldi ldi = build(mesh, {{{0, 0, 0}, {8, 8, 8}}, Axis::z, 8, 8});
  EXPECT_EQ(validate(ldi).open_columns, 0u);
  EXPECT_EQ(ldi.crossings.size(), 2u * 4 * 4) << "half-open: four samples each way, not five, not three";
}

TEST_P(OpenGlClosed, ASliverThinnerThanTheLatticeVanishesWhole) {
  const Mesh mesh = test::box_mesh({0.5f, 0, 0}, {0.500001f, 1, 1});
  EXPECT_EQ(validate(build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 16, 16})).open_columns, 0u);
}

TEST_P(OpenGlClosed, AHoleShowsAsOpenColumns) {
  Mesh mesh = test::round_sphere(20, 40);
  mesh.triangles.resize(mesh.triangles.size() - 300);
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::y, 64, 64};
  const std::uint32_t open = validate(build(mesh, grid)).open_columns;
  Ldi expected;
  make_engine({.engine = "software"})->build(mesh, grid, expected);
  EXPECT_GT(open, 30u);
  EXPECT_NEAR(open, validate(expected).open_columns, 20);
}

TEST_P(OpenGlClosed, AbsurdlyFarVerticesCrashNothingAndOpenColumnsAreCounted) {
  for (const float far : {1e3f, 1e6f, 1e9f, 1e13f})
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(testing::Message() << far << " box widths, seed " << seed);
      Random random(1000 + seed);
      const Grid grid = test::random_grid(random);
      Mesh mesh = brought_within(test::random_closed_mesh(random, grid), grid, 2);
      for (Vec3& p : mesh.positions)
        if (random.below(6) == 0) p = p * far;
      const Ldi ldi = build(mesh, grid);
      const LdiReport report = validate(ldi);
      ASSERT_TRUE(report.well_formed) << report.problem;
      SelfOverlap o;
      lamella::self_intersect(ldi, 0, o);
      EXPECT_EQ(o.health.open_columns, report.open_columns);
      EXPECT_EQ(test::all_close(o.health),
                report.open_columns == 0 && ldi.dropped_crossings == 0 && ldi.skipped_triangles == 0);
    }
}

TEST_P(OpenGlClosed, TheGroundUnderASmallBoxIsThere) {
  // Two triangles' worth of ground, a hundred box widths across.
  const Mesh ground = test::box_mesh({-50, -50, -50}, {50, 50, 0.5f});
  for (const std::uint32_t n : {16u, 200u}) {
    const Ldi ldi = build(ground, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, n, n});
    EXPECT_EQ(validate(ldi).open_columns, 0u);
    ASSERT_EQ(ldi.crossings.size(), 2u * n * n);
    for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) ASSERT_NEAR(ldi.column(i)[1].depth(), 0.5f, 2e-5f);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlClosed, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
