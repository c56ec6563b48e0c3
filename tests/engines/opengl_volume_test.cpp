// The answers of the OpenGL engines against the software engine's, on the scenes that everything else is shown with.

#include "lamella/query.hpp"
#include "scenes/scenes.hpp"
#include "support/health.hpp"
#include "support/on_grid.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::kAxes;

class OpenGlVolume : public test::OpenGlTest {
 protected:
  void expect_like_software(const Overlap& o, const Overlap& expected, MeshView mesh) {
    EXPECT_EQ(o.engine, GetParam());
    EXPECT_EQ(expected.engine, "software");
    EXPECT_EQ(o.grid, expected.grid);
    EXPECT_TRUE(test::all_close(o.health));
    EXPECT_EQ(o.colliding(), expected.colliding());
    EXPECT_NEAR(o.volume, expected.volume, 0.005 * expected.volume);
    EXPECT_TRUE(std::is_sorted(o.spans.begin(), o.spans.end(), [](const Span& a, const Span& b) {
      return a.column != b.column ? a.column < b.column : a.end < b.begin;
    }));
    double sum = 0;
    for (const Span& s : o.spans) {
      EXPECT_LT(s.begin, s.end);
      EXPECT_GE(s.begin, 0);
      EXPECT_LE(s.end, o.grid.depth());
      sum += static_cast<double>(s.end) - s.begin;
    }
    EXPECT_NEAR(sum * o.grid.cell_area(), o.volume, 1e-9 * o.volume);
    if (!o.colliding()) return;
    // A column more or less at the rim, so within a cell.
    const Vec3 size = extent(o.grid.box);
    const Aabb box = bounds(mesh);
    for (int k = 0; k < 3; ++k) {
      const double cell = k == o.grid.w() ? size[k] : size[k] / o.grid.columns;
      EXPECT_NEAR(o.centroid[k], expected.centroid[k], 0.005 * size[k]);
      EXPECT_NEAR(o.bounds.min[k], expected.bounds.min[k], 1.01 * cell);
      EXPECT_NEAR(o.bounds.max[k], expected.bounds.max[k], 1.01 * cell);
      EXPECT_GE(o.centroid[k], o.bounds.min[k]);
      EXPECT_LE(o.centroid[k], o.bounds.max[k]);
      EXPECT_GE(o.bounds.min[k], box.min[k] - 1e-4f * size[k]);
      EXPECT_LE(o.bounds.max[k], box.max[k] + 1e-4f * size[k]);
    }
  }

  void expect_pair_like_software(const scenes::Pair& pair) {
    for (const Axis axis : kAxes) {
      SCOPED_TRACE(testing::Message() << "axis " << static_cast<int>(axis));
      const Overlap o = intersect(pair.a, pair.b, {.axis = axis});
      const Overlap expected = software(pair.a, pair.b, o.grid, axis);
      ASSERT_TRUE(expected.colliding());
      expect_like_software(o, expected, pair.a);
    }
    const Overlap o = intersect(pair.b, pair.a);
    expect_like_software(o, software(pair.b, pair.a, o.grid, {}), pair.a);
  }

  /// gl-lists has the software engine's box; the others, which cut meshes, have one with outside faces.
  Overlap software(MeshView a, MeshView b, const Grid& grid, std::optional<Axis> axis) {
    if (lists()) return lamella::intersect(a, b, {.engine = "software", .axis = axis});
    const auto voi = choose_pair_voi(bounds(a), bounds(b), axis);
    EXPECT_TRUE(voi && grid == square_grid(voi->box, voi->axis, QueryOptions{}.resolution));
    return test::overlap_on(grid, a, b);
  }

  void expect_self_like_software(MeshView mesh) {
    for (const Axis axis : kAxes) {
      SCOPED_TRACE(testing::Message() << "axis " << static_cast<int>(axis));
      const SelfOverlap expected = lamella::self_intersect(mesh, {.engine = "software", .axis = axis});
      const SelfOverlap o = self_intersect(mesh, {.axis = axis});
      expect_like_software(o, expected, mesh);
      EXPECT_NEAR(o.inside_out_volume, expected.inside_out_volume, 0.005 * expected.inside_out_volume);
      const std::vector<Vec3> points = scenes::random_points(mesh, 20001);
      const Containment c = contains(mesh, points, {.axis = axis});
      const Containment wanted = lamella::contains(mesh, points, {.engine = "software", .axis = axis});
      EXPECT_TRUE(test::all_close(c.health));
      EXPECT_EQ(c.grid, wanted.grid);
      EXPECT_NEAR(static_cast<double>(c.inside_count), static_cast<double>(wanted.inside_count),
                  0.005 * static_cast<double>(wanted.inside_count));
      EXPECT_EQ(c.inside_count, static_cast<std::uint64_t>(std::count(c.inside.begin(), c.inside.end(), 1)));
    }
  }
};

TEST_P(OpenGlVolume, TwoBoxesShareTheirExactVolume) {
  const Mesh a = test::box_mesh({0, 0, 0}, {2, 2, 2}), b = test::box_mesh({1, 1, 1}, {3, 3, 3});
  for (const Axis axis : kAxes)
    for (const std::uint32_t n : {1u, 2u, 33u, 128u}) {
      const Overlap o = intersect(a, b, {.resolution = n, .axis = axis});
      EXPECT_NEAR(o.volume, 1, 1e-6);
      EXPECT_EQ(o.spans.size(), n * n);
      EXPECT_EQ(o.bounds, (Aabb{{1, 1, 1}, {2, 2, 2}}));
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(o.centroid[k], 1.5, 1e-6);
    }
}

TEST_P(OpenGlVolume, HandAndPhone) { expect_pair_like_software(scenes::hand_and_phone(4800, 900, 0.5f)); }

TEST_P(OpenGlVolume, HatAndMouse) { expect_pair_like_software(scenes::hat_and_mouse(3000, 6000, 0.25f)); }

TEST_P(OpenGlVolume, KnotInSerpent) {
  expect_pair_like_software(scenes::overlapping("torus_knot", 6000, "serpent", 12000, true));
}

TEST_P(OpenGlVolume, BlobAndTorus) {
  expect_pair_like_software(scenes::overlapping("blob", 8000, "torus", 4000, false));
}

TEST_P(OpenGlVolume, AFistOverlapsItself) { expect_self_like_software(scenes::hand(4800, 1)); }

TEST_P(OpenGlVolume, AThickKnotOverlapsItself) { expect_self_like_software(scenes::torus_knot(6000, 0.6f)); }

TEST_P(OpenGlVolume, ASerpentDoesNotOverlapItself) { expect_self_like_software(scenes::serpent(12000)); }

TEST_P(OpenGlVolume, ABlobTurnedInsideOut) { expect_self_like_software(test::inside_out(scenes::blob(8000))); }

INSTANTIATE_TEST_SUITE_P(All, OpenGlVolume, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
