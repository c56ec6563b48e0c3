#include <gtest/gtest.h>

#include "lamella/query.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

TEST(Prisms, AreAClosedMeshWithTheOverlapsVolume) {
  const Mesh a = test::round_sphere(20, 40), b = test::round_sphere(20, 40, 1, {0.7f, 0.2f, 0.4f});
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Overlap o = intersect(a, b, {.resolution = 48, .axis = axis});
    const Mesh mesh = prisms(o.grid, o.spans);
    const MeshReport r = inspect(mesh);
    EXPECT_TRUE(r.closed);
    EXPECT_EQ(r.components, o.spans.size());
    EXPECT_NEAR(r.volume, o.volume, 1e-5 * o.volume);
    for (int k = 0; k < 3; ++k) {
      EXPECT_FLOAT_EQ(r.bounds.min[k], o.bounds.min[k]);
      EXPECT_FLOAT_EQ(r.bounds.max[k], o.bounds.max[k]);
    }
  }
}

TEST(Prisms, StandOnTheirCellsFromTheBeginningToTheEndOfTheirSpans) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    Grid grid{{{1, 2, 3}, {7, 8, 9}}, axis, 3, 2};  // cells of 2 x 3
    const int u = grid.u(), v = grid.v(), w = grid.w();
    const std::vector<Span> spans{{4, 0.5f, 1.25f}, {4, 2, 6}, {2, 0, 1}};  // cells (1, 1) twice, and (2, 0)
    const Mesh mesh = prisms(grid, spans);
    ASSERT_EQ(mesh.positions.size(), 24u);
    ASSERT_EQ(mesh.triangles.size(), 36u);
    for (std::uint32_t i = 0; i < 3; ++i) {
      Mesh one;
      one.positions.assign(mesh.positions.begin() + 8 * i, mesh.positions.begin() + 8 * i + 8);
      for (std::uint32_t t = 12 * i; t < 12 * i + 12; ++t) {
        const Triangle f = mesh.triangles[t];
        one.triangles.push_back({f.a - 8 * i, f.b - 8 * i, f.c - 8 * i});
      }
      const float cell_u = spans[i].column == 4 ? 1 : 2, cell_v = spans[i].column == 4 ? 1 : 0;
      Aabb box;
      box.min[u] = grid.box.min[u] + 2 * cell_u, box.max[u] = box.min[u] + 2;
      box.min[v] = grid.box.min[v] + 3 * cell_v, box.max[v] = box.min[v] + 3;
      box.min[w] = grid.box.min[w] + spans[i].begin, box.max[w] = grid.box.min[w] + spans[i].end;
      const MeshReport report = inspect(one);
      EXPECT_TRUE(report.closed);
      EXPECT_EQ(report.bounds, box);
      EXPECT_NEAR(report.volume, 6 * (spans[i].end - spans[i].begin), 1e-5) << "outward";
    }
  }
}

TEST(Prisms, OfNothingAreNothing) { EXPECT_TRUE(prisms({}, {}).triangles.empty()); }

}  // namespace
}  // namespace lamella
