// The invariant everything rests on: for a closed mesh the signs of every column sum to 0.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "lamella/engine.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::Random;

void require_closed(Engine& engine, MeshView mesh, const Grid& grid) {
  Ldi ldi;
  engine.build(mesh, grid, ldi);
  const LdiReport report = validate(ldi);
  RC_ASSERT(report.problem == "");
  RC_ASSERT(report.open_columns == 0u);
}

TEST(Watertight, EveryColumnOfARandomClosedMeshCloses) {
  const auto engine = make_engine({.threads = 1});
  ASSERT_TRUE(rc::check("random closed meshes on random grids", [&](std::uint32_t seed) {
    Random random(seed);
    const Grid grid = test::random_grid(random);
    require_closed(*engine, test::random_closed_mesh(random, grid), grid);
  }));
}

TEST(Watertight, VerticesAndEdgesExactlyOnSamplesNeitherLeakNorDouble) {
  // A box whose faces, edges and diagonals all run through samples: 8 x 8 cells of size 1, samples at halves.
  const auto engine = make_engine({.threads = 1});
  const Mesh mesh = test::box_mesh({1.5f, 2.5f, 1}, {5.5f, 6.5f, 3});
  Ldi ldi;
  engine->build(mesh, {{{0, 0, 0}, {8, 8, 8}}, Axis::z, 8, 8}, ldi);
  EXPECT_EQ(validate(ldi).open_columns, 0u);
  EXPECT_EQ(ldi.crossings.size(), 2u * 4 * 4) << "half-open: four samples each way, not five, not three";
}

TEST(Watertight, ABoxMeasuredInCellsHasItsExactVolume) {
  const auto engine = make_engine({.threads = 1});
  ASSERT_TRUE(rc::check("boxes with corners on samples", [&](std::uint32_t seed) {
    Random random(seed);
    Vec3 low, high;
    for (int k = 0; k < 3; ++k) {
      low[k] = static_cast<float>(random.below(10)) + 0.5f;
      high[k] = low[k] + 1 + static_cast<float>(random.below(10));
    }
    const Grid grid{{{0, 0, 0}, {32, 32, 32}}, static_cast<Axis>(random.below(3)), 32, 32};
    Ldi ldi;
    engine->build(test::box_mesh(low, high), grid, ldi);
    double volume = 0;
    for (const Crossing c : ldi.crossings) volume -= c.sign() * static_cast<double>(c.depth());
    const Vec3 size = high - low;
    RC_ASSERT(volume == static_cast<double>(size.x * size.y * size.z));
  }));
}

TEST(Watertight, ASliverThinnerThanTheLatticeVanishesWhole) {
  const auto engine = make_engine({.threads = 1});
  const Mesh mesh = test::box_mesh({0.5f, 0, 0}, {0.500001f, 1, 1});
  Ldi ldi;
  engine->build(mesh, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, 16, 16}, ldi);
  EXPECT_EQ(validate(ldi).open_columns, 0u);
}

TEST(Watertight, SurfacesFarBeyondTheBoxKeepTheirSide) {
  // Two triangles' worth of ground, a million box widths across, under a small box.
  const auto engine = make_engine({.threads = 1});
  const Mesh ground = test::box_mesh({-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 0.5f});
  for (const std::uint32_t n : {16u, 1024u}) {
    Ldi ldi;
    engine->build(ground, {{{0, 0, 0}, {1, 1, 1}}, Axis::z, n, n}, ldi);
    EXPECT_EQ(validate(ldi).open_columns, 0u);
    ASSERT_EQ(ldi.crossings.size(), 2u * n * n);
    for (std::size_t i = 0; i < ldi.grid.column_count(); ++i) EXPECT_EQ(ldi.column(i)[1].depth(), 0.5f);
  }
}

}  // namespace
}  // namespace lamella
