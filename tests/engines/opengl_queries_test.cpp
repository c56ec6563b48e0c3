// A whole query must answer what the CPU's query code answers on the engine's own LDIs. For gl-lists that compares
// the compute shaders with src/query/, to the last bit but for the order of the sums.

#include <sstream>

#include "lamella/ldi_query.hpp"
#include "scenes/scenes.hpp"
#include "support/opengl.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::kAxes;

std::string words(const Health& h) {
  std::ostringstream out;
  out << h.open_columns << " open of " << h.occupied_columns << ", " << h.inside_out_columns << " inside out, "
      << h.skipped_triangles << " skipped, " << h.dropped_crossings << " dropped, untrusted " << h.untrusted_volume
      << " and " << h.untrusted_points << " points";
  return out.str();
}

class OpenGlQueries : public test::OpenGlTest {
 protected:
  static void expect_same(const Overlap& o, const Overlap& expected) {
    EXPECT_EQ(o.grid, expected.grid);
    EXPECT_EQ(words(o.health), words(expected.health));
    EXPECT_TRUE(o.spans == expected.spans) << o.spans.size() << " spans, expected " << expected.spans.size();
    EXPECT_NEAR(o.volume, expected.volume, 1e-9 * expected.volume);
    EXPECT_EQ(o.bounds, expected.bounds);
    if (!expected.colliding()) {
      EXPECT_EQ(o.centroid, Vec3d{});
      return;
    }
    const Vec3 size = extent(expected.grid.box);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(o.centroid[k], expected.centroid[k], 1e-9 * size[k]);
  }

  void expect_pair_of_own_ldis(MeshView a, MeshView b, const QueryOptions& options) {
    const Overlap o = intersect(a, b, options);
    const auto voi = lists() ? choose_shared_voi(bounds(a), bounds(b), options.axis)
                             : choose_pair_voi(bounds(a), bounds(b), options.axis);
    if (!voi) {
      EXPECT_EQ(o.grid, Grid{});
      EXPECT_FALSE(o.colliding());
      return;
    }
    const Grid grid{voi->box, voi->axis, options.resolution, options.resolution};
    Ldi ldi_a, ldi_b;
    if (lists()) {
      engine_->build(a, grid, ldi_a);
      engine_->build(b, grid, ldi_b);
    } else {
      engine_->build_cut(a, grid, voi->outside_a, ldi_a);
      engine_->build_cut(b, grid, voi->outside_b, ldi_b);
    }
    Overlap expected;
    lamella::intersect(ldi_a, ldi_b, options.min_thickness, expected);
    expect_same(o, expected);
  }

  void expect_self_of_own_ldi(MeshView mesh, const QueryOptions& options) {
    const Aabb box = bounds(mesh);
    const auto axis = choose_axis(box);
    ASSERT_TRUE(axis);
    const Ldi ldi = build(mesh, {box, options.axis.value_or(*axis), options.resolution, options.resolution});
    const SelfOverlap o = self_intersect(mesh, options);
    SelfOverlap expected;
    lamella::self_intersect(ldi, options.min_thickness, expected);
    expect_same(o, expected);
    EXPECT_TRUE(o.inside_out == expected.inside_out);
    EXPECT_NEAR(o.inside_out_volume, expected.inside_out_volume, 1e-9 * expected.inside_out_volume);

    // Beyond the box, on its faces, in cell borders; not a multiple of four.
    std::vector<Vec3> points = scenes::random_points(mesh, 2000);
    test::Random random(options.resolution);
    const Vec3 margin = extent(box) * 0.2f;
    for (int i = 0; i < 999; ++i) points.push_back(random.in({box.min - margin, box.max + margin}));
    points.insert(points.end(), {box.min, box.max, center(box), {NAN, 0, 0}, {0, 0, INFINITY}, {1e30f, -1e30f, 0}});
    const Containment c = contains(mesh, points, options);
    Containment wanted;
    lamella::contains(ldi, points, wanted);
    EXPECT_EQ(c.grid, wanted.grid);
    EXPECT_EQ(c.inside_count, wanted.inside_count);
    EXPECT_TRUE(c.inside == wanted.inside);
    EXPECT_EQ(words(c.health), words(wanted.health));
  }

  /// Every axis with odd resolutions; fewer where the queries are the CPU's anyway.
  template <class Check>
  void at_all_sizes(const Check& check) {
    std::uint32_t turn = 0;
    for (const std::uint32_t n : {1u, 7u, 33u, 100u, 129u})
      for (const Axis axis : kAxes) {
        if (!lists() && turn++ % 4 != 0) continue;
        SCOPED_TRACE(testing::Message() << n << " columns, axis " << static_cast<int>(axis));
        check(QueryOptions{.resolution = n, .axis = axis});
      }
  }
  void expect_pair_at_all_sizes(MeshView a, MeshView b) {
    at_all_sizes([&](const QueryOptions& options) { expect_pair_of_own_ldis(a, b, options); });
  }
  void expect_self_at_all_sizes(MeshView mesh) {
    at_all_sizes([&](const QueryOptions& options) { expect_self_of_own_ldi(mesh, options); });
  }
};

TEST_P(OpenGlQueries, TwoBoxes) {
  expect_pair_at_all_sizes(box_mesh({0, 0, 0}, {2, 2, 2}), box_mesh({0.5f, 1.1f, 1}, {3, 1.7f, 3}));
}

TEST_P(OpenGlQueries, AHandAndAPhone) {
  const auto [hand, phone] = scenes::hand_and_phone(2400, 900, 0.5f);
  expect_pair_at_all_sizes(hand, phone);
}

TEST_P(OpenGlQueries, AKnotAndASerpent) {
  const auto [knot, serpent] = scenes::overlapping("torus_knot", 2400, "serpent", 4000, true);
  expect_pair_at_all_sizes(knot, serpent);
}

TEST_P(OpenGlQueries, AnOpenMeshAndAnInsideOutOne) {
  Mesh open = test::round_sphere(24, 48);
  open.triangles.resize(open.triangles.size() - 400);
  expect_pair_at_all_sizes(open, test::inside_out(scenes::torus(1000)));
}

TEST_P(OpenGlQueries, AFistThatOverlapsItself) { expect_self_at_all_sizes(scenes::hand(2400, 1)); }

TEST_P(OpenGlQueries, AnInsideOutShellInATwistedOne) {
  Mesh mesh = test::nested_spheres(3);
  test::append(mesh, test::inside_out(test::round_sphere(20, 40, 0.8f, {0.5f, 0, 0})));
  expect_self_at_all_sizes(mesh);
}

TEST_P(OpenGlQueries, AnOpenMesh) {
  Mesh mesh = test::nested_spheres(2, 20);
  mesh.triangles.resize(mesh.triangles.size() - 300);
  expect_self_at_all_sizes(mesh);
}

TEST_P(OpenGlQueries, SpansThinnerThanAskedForAreLeftOutAlike) {
  const auto [hat, mouse] = scenes::hat_and_mouse(1500, 3000, 0.25f);
  const Mesh fist = scenes::hand(2400, 1);
  for (const float thickness : {0.0f, 0.01f, 0.1f, 0.5f}) {
    expect_pair_of_own_ldis(hat, mouse, {.resolution = 64, .min_thickness = thickness});
    expect_self_of_own_ldi(fist, {.resolution = 64, .min_thickness = thickness});
  }
}

TEST_P(OpenGlQueries, RandomClosedMeshes) {
  for (std::uint32_t seed = 0; seed < (lists() ? 25 : 8); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::Random random(seed);
    const Grid grid = test::random_grid(random);
    const auto near = [&] {
      Mesh mesh = test::random_closed_mesh(random, grid);
      const Vec3 size = extent(grid.box);
      for (Vec3& p : mesh.positions)
        for (int k = 0; k < 3; ++k) p[k] = std::clamp(p[k], grid.box.min[k] - size[k], grid.box.max[k] + size[k]);
      return mesh;
    };
    const Mesh a = near(), b = near();
    expect_pair_of_own_ldis(a, b, {.resolution = grid.columns, .axis = grid.axis});
    if (choose_axis(bounds(a))) expect_self_of_own_ldi(a, {.resolution = grid.rows, .axis = grid.axis});
  }
}

INSTANTIATE_TEST_SUITE_P(All, OpenGlQueries, test::kOpenGlEngines, test::test_name);

}  // namespace
}  // namespace lamella
