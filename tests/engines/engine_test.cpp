// One test for every engine that builds LDIs on the lattice: its columns must be those of the reference engine,
// crossing by crossing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lamella/cuda.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::Random;

/// Signs must agree exactly; depths within a few roundings of the largest number that went into them.
void expect_same_columns(const Ldi& ldi, const Ldi& expected, float tolerance) {
  ASSERT_EQ(ldi.grid, expected.grid);
  const LdiReport report = validate(ldi);
  ASSERT_TRUE(report.well_formed) << report.problem;
  for (std::size_t i = 0; i < expected.grid.column_count(); ++i) {
    const auto a = ldi.column(i), b = expected.column(i);
    ASSERT_EQ(a.size(), b.size()) << "crossings of column " << i;
    ASSERT_EQ(balance(a), balance(b)) << "column " << i;
    // Near-equal depths may sort differently, so compare the two orientations apart.
    for (const bool entry : {false, true}) {
      std::vector<float> da, db;
      for (const Crossing c : a)
        if (c.entry() == entry) da.push_back(c.depth());
      for (const Crossing c : b)
        if (c.entry() == entry) db.push_back(c.depth());
      ASSERT_EQ(da.size(), db.size()) << "column " << i;
      for (std::size_t k = 0; k < da.size(); ++k) ASSERT_NEAR(da[k], db[k], tolerance) << "column " << i;
    }
  }
}

float depth_tolerance(MeshView mesh, const Grid& grid) {
  float largest = grid.depth();
  for (const Vec3 p : mesh.positions)
    if (std::isfinite(p[grid.w()])) largest = std::max(largest, std::abs(p[grid.w()] - grid.box.min[grid.w()]));
  return largest * 8 * 0x1p-24f;
}

/// Moves vertices beyond the box's sides onto them. Triangles share them: closed stays closed.
void bring_within(Mesh& mesh, const Grid& grid) {
  for (Vec3& p : mesh.positions)
    for (const int k : {grid.u(), grid.v()}) p[k] = std::clamp(p[k], grid.box.min[k], grid.box.max[k]);
}

class EngineTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "cuda" && !cuda::unavailable().empty())
      GTEST_SKIP() << "CUDA is not available: " << cuda::unavailable();
    engine_ = make_engine({.engine = GetParam(), .threads = 2});
  }

  void expect_matches_reference(MeshView mesh, const Grid& grid) {
    Ldi ldi, expected;
    engine_->build(mesh, grid, ldi);
    reference_->build(mesh, grid, expected);
    expect_same_columns(ldi, expected, depth_tolerance(mesh, grid));
    EXPECT_EQ(ldi.skipped_triangles, expected.skipped_triangles);
  }

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Engine> reference_ = make_engine({.engine = "reference"});
};

TEST_P(EngineTest, OneTriangleOverOneSample) {
  const Mesh mesh{{{-1, -1, 0.25f}, {3, -1, 0.25f}, {-1, 3, 0.25f}}, {{0, 1, 2}}};
  Ldi ldi;
  engine_->build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 1, 1}, ldi);
  ASSERT_EQ(ldi.crossings.size(), 1u);
  EXPECT_EQ(ldi.crossings[0].depth(), 0.25f);
  EXPECT_FALSE(ldi.crossings[0].entry()) << "its normal points along the ray, so the ray leaves";
}

TEST_P(EngineTest, BoxHasOneEntryAndOneExitInEveryColumn) {
  const Mesh mesh = test::box_mesh({0, 0, 0}, {1, 2, 3});
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Grid grid{{{0, 0, 0}, {1, 2, 3}}, axis, 8, 5};
    Ldi ldi;
    engine_->build(mesh, grid, ldi);
    for (std::size_t i = 0; i < grid.column_count(); ++i) {
      ASSERT_EQ(ldi.column(i).size(), 2u);
      EXPECT_EQ(ldi.column(i)[0], Crossing::make(0, true));
      EXPECT_EQ(ldi.column(i)[1], Crossing::make(grid.depth(), false));
    }
    expect_matches_reference(mesh, grid);
  }
}

TEST_P(EngineTest, CrossingsBeyondTheBoxAreMovedOntoItsFaces) {
  const Mesh mesh = test::box_mesh({0, 0, -5}, {1, 1, 5});
  Ldi ldi;
  engine_->build(mesh, {{{0, 0, 0}, {1, 1, 2}}, Axis::z, 2, 2}, ldi);
  ASSERT_EQ(ldi.column(3).size(), 2u);
  EXPECT_EQ(ldi.column(3)[0], Crossing::make(0, true));
  EXPECT_EQ(ldi.column(3)[1], Crossing::make(2, false));
}

TEST_P(EngineTest, MatchesReferenceOnRandomClosedMeshesAndGrids) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Grid grid = test::random_grid(random);
    Mesh mesh = test::random_closed_mesh(random, grid);
    // What software-wscg clips at the sides of the image differs within a lattice step: see wscg_test.cpp.
    if (GetParam() == "software-wscg") bring_within(mesh, grid);
    expect_matches_reference(mesh, grid);
    if (HasFatalFailure()) return;
  }
}

TEST_P(EngineTest, MatchesReferenceOnASphereAtEveryTriangleSize) {
  for (const int rings : {2, 5, 20, 60, 200}) {
    const Mesh mesh = test::round_sphere(rings, 2 * rings);
    for (const std::uint32_t n : {9u, 64u, 200u})
      for (const Axis axis : {Axis::x, Axis::y, Axis::z})
        expect_matches_reference(mesh, {{{-1, -1, -1}, {1, 1, 1}}, axis, n, n});
  }
}

TEST_P(EngineTest, SkipsAndCountsTrianglesThatCannotBePlaced) {
  Mesh mesh = test::round_sphere(10, 20);
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  mesh.positions[5].y = nan;
  mesh.positions[60].x = inf;
  mesh.positions[100].z = -1e38f;
  // Triangles all of whose corners are broken count too.
  test::append(mesh, {{{nan, nan, nan}, {nan, 0, 0}, {inf, inf, 0}}, {{0, 1, 2}}});
  Ldi ldi;
  const Grid grid{{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 33, 33};
  engine_->build(mesh, grid, ldi);
  EXPECT_EQ(ldi.skipped_triangles, 5u + 6 + 6 + 1);
  EXPECT_GT(validate(ldi).open_columns, 0u);
  expect_matches_reference(mesh, grid);
}

TEST_P(EngineTest, AnIndexOutOfRangeIsAnError) {
  Mesh mesh = test::round_sphere(40, 80);
  mesh.triangles[4321].b = static_cast<std::uint32_t>(mesh.positions.size());
  Ldi ldi;
  EXPECT_THROW(engine_->build(mesh, {{{-1, -1, -1}, {1, 1, 1}}, Axis::z, 8, 8}, ldi), Error);
}

TEST_P(EngineTest, AnIndexOutOfRangeIsAnErrorAlsoBehindABrokenVertex) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Ldi ldi;
  const Grid grid{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4};
  const Mesh mesh{{{nan, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  engine_->build(mesh, grid, ldi);
  EXPECT_EQ(ldi.skipped_triangles, 1u);
  for (const Triangle t : {Triangle{0, 1, 3}, Triangle{0, 3, 1}, Triangle{3, 0, 1}, Triangle{1, 0, 3}})
    EXPECT_THROW(engine_->build(Mesh{mesh.positions, {t}}, grid, ldi), Error) << t.a << t.b << t.c;
}

TEST_P(EngineTest, TrianglesWithoutAnyVertexAreAnError) {
  Ldi ldi;
  const Mesh mesh{{}, std::vector<Triangle>(100)};
  EXPECT_THROW(engine_->build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 4, 4}, ldi), Error);
}

TEST_P(EngineTest, AnEmptyMeshGivesEmptyColumns) {
  Ldi ldi;
  engine_->build({}, {{{0, 0, 0}, {1, 1, 1}}, Axis::x, 4, 3}, ldi);
  EXPECT_EQ(ldi.offsets, std::vector<std::uint32_t>(13, 0));
  EXPECT_TRUE(validate(ldi).well_formed);
  EXPECT_TRUE(engine_->bounds({}).empty());
}

TEST_P(EngineTest, BoundsAreThoseOfTheFiniteVertices) {
  Random random(7);
  for (std::size_t n = 1; n < 70; ++n) {
    Mesh mesh;
    Aabb expected;
    for (std::size_t i = 0; i < n; ++i) {
      mesh.positions.push_back(random.in({{-3, -2, -1}, {1, 2, 3}}));
      expected = extend(expected, mesh.positions.back());
    }
    EXPECT_EQ(engine_->bounds(mesh), expected) << n << " vertices";
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(engine_->bounds(Mesh{{{0, 0, 0}, {nan, nan, nan}, {1, 2, 3}}, {}}), (Aabb{{0, 0, 0}, {1, 2, 3}}));
  EXPECT_EQ(engine_->bounds(Mesh{{{0, 0, 0}, {nan, 1e6f, 0}, {1, 2, 3}}, {}}), (Aabb{{0, 0, 0}, {1, 2, 3}}))
      << "a vertex with one broken coordinate does not count at all";
}

INSTANTIATE_TEST_SUITE_P(All, EngineTest, testing::Values("software", "software-wscg", "cuda", "reference"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace lamella
