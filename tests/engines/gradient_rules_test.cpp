// The rules that all gradients obey: sums that cancel, the same answer for meshes in another order or place, and the
// same bits for any number of threads and instruction set.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "engines/software/engines.hpp"
#include "gradient_support.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/instruction_sets.hpp"

namespace lamella {
namespace {

using test::expect_near;
using test::moved;
using test::software;
using test::sum;

Vec3d torque(const std::vector<Vec3>& forces, const Mesh& mesh, Vec3d pivot) {
  Vec3d total;
  for (std::size_t i = 0; i < forces.size(); ++i)
    total += cross(to_double(mesh.positions[i]) - pivot, to_double(forces[i]));
  return total;
}

struct Scene {
  Mesh a, b;
};
Scene random_scene(test::Random& random) {
  const Grid unit{{{0, 0, 0}, {1, 1, 1}}, Axis::z, 64, 64};
  return {test::random_closed_mesh(random, unit), test::random_closed_mesh(random, unit)};
}

void expect_rules(const Mesh& a, const Mesh& b, const OverlapGradient& g) {
  const Vec3d both = g.sums.a.translation + g.sums.b.translation, turn = g.sums.a.rotation + g.sums.b.rotation;
  const double size = length(extent(g.grid.box)), area = size * size + 1e-30;
  EXPECT_LE(length(both), 1e-12 * area);
  EXPECT_LE(length(turn), 1e-10 * area * size);
  double spread_a = 0, spread_b = 0;
  for (const Vec3& v : g.vertices_a) spread_a += length(to_double(v));
  for (const Vec3& v : g.vertices_b) spread_b += length(to_double(v));
  expect_near(sum(g.vertices_a), g.sums.a.translation, 1e-5 * spread_a + 1e-12 * area, "vertices of a");
  expect_near(sum(g.vertices_b), g.sums.b.translation, 1e-5 * spread_b + 1e-12 * area, "vertices of b");
  EXPECT_EQ(g.vertices_a.size(), a.positions.size());
  EXPECT_EQ(g.vertices_b.size(), b.positions.size());
}

RC_GTEST_PROP(GradientRules, SumsOfAPairCancelAndVerticesSumUp, (std::uint32_t seed)) {
  test::Random random(seed);
  const Scene s = random_scene(random);
  const OverlapGradient g = volume_gradient(s.a, s.b, software(1 + random.below(70)));
  expect_rules(s.a, s.b, g);
}

TEST(Gradient, OfVerticesHasTheTorqueOfTheWhole) {
  const Mesh a = scenes::torus_knot(12000), b = moved(scenes::blob(8000), {0.4f, 0.7f, 0.1f});
  const OverlapGradient g = volume_gradient(a, b, software(128));
  ASSERT_GT(g.volume, 0);
  expect_rules(a, b, g);
  const double scale = g.sums.inner_b.area * length(extent(g.bounds));
  // Weights are those of the lattice, which moves vertices by half of a 1024th of a cell.
  expect_near(torque(g.vertices_a, a, g.centroid), g.sums.a.rotation, 1e-5 * scale, "torque on a");
  expect_near(torque(g.vertices_b, b, g.centroid), g.sums.b.rotation, 1e-5 * scale, "torque on b");
}

TEST(Gradient, IsTheSameForMeshesInEitherOrder) {
  const Mesh a = scenes::torus_knot(6000), b = moved(scenes::blob(4000), {0.4f, 0.7f, 0.1f});
  const OverlapGradient g = volume_gradient(a, b, software(100)), h = volume_gradient(b, a, software(100));
  EXPECT_EQ(g.sums.a.translation, h.sums.b.translation);
  EXPECT_EQ(g.sums.b.rotation, h.sums.a.rotation);
  EXPECT_EQ(g.sums.inner_a.area, h.sums.inner_b.area);
  EXPECT_EQ(g.vertices_a, h.vertices_b);
  EXPECT_EQ(g.vertices_b, h.vertices_a);
  EXPECT_EQ(g.sums.moments, h.sums.moments);
}

TEST(Gradient, TurnsWithTheScene) {
  const Mesh a = scenes::torus_knot(6000), b = moved(scenes::blob(4000), {0.4f, 0.7f, 0.1f});
  const auto turned = [](Mesh m) {  // x to y, y to z, z to x: the lattice goes along
    for (Vec3& p : m.positions) p = {p.z, p.x, p.y};
    return m;
  };
  const OverlapGradient g = volume_gradient(a, b, software(64)),
                        h = volume_gradient(turned(a), turned(b), software(64));
  const auto turn = [](Vec3d v) { return Vec3d{v.z, v.x, v.y}; };
  EXPECT_EQ(h.sums.b.translation, turn(g.sums.b.translation));
  expect_near(h.sums.b.rotation, turn(g.sums.b.rotation), 1e-9, "torque");
  for (std::size_t i = 0; i < g.vertices_a.size(); ++i)
    EXPECT_EQ(to_double(h.vertices_a[i]), turn(to_double(g.vertices_a[i])));
}

TEST(Gradient, MovesWithTheScene) {
  const Mesh a = scenes::blob(4000), b = moved(scenes::blob(3000, 2), {0.5f, 0.5f, 0.25f});
  const auto quantised = [](Mesh m, Vec3 by) {  // so that shifts lose no bits
    for (Vec3& p : m.positions)
      for (int k = 0; k < 3; ++k) p[k] = std::round(p[k] * 0x1p14f) * 0x1p-14f + by[k];
    return m;
  };
  const OverlapGradient g = volume_gradient(quantised(a, {}), quantised(b, {}), software(64));
  const Vec3 by{8, -16, 4};
  const OverlapGradient h = volume_gradient(quantised(a, by), quantised(b, by), software(64));
  EXPECT_EQ(h.vertices_a, g.vertices_a);
  EXPECT_EQ(h.sums.b.translation, g.sums.b.translation);
  expect_near(h.sums.b.rotation, g.sums.b.rotation, 1e-9, "torque");
  expect_near(h.centroid - to_double(by), g.centroid, 1e-9, "centroid");
}

TEST(Gradient, IsTheSameFarAwayWithAnOriginAndInDoubles) {
  const Mesh a = scenes::blob(4000), b = moved(scenes::blob(3000, 2), {0.5f, 0.5f, 0.25f});
  const OverlapGradient g = volume_gradient(a, b, software(64));
  const Vec3d far{1e7, -3e7, 2e6};
  Mesh far_a = a, far_b = b;
  far_a.origin = far_b.origin = far;
  const OverlapGradient h = volume_gradient(far_a, far_b, software(64));
  EXPECT_EQ(h.vertices_b, g.vertices_b);
  EXPECT_EQ(h.sums.a.rotation, g.sums.a.rotation);
  expect_near(h.centroid - far, g.centroid, 1e-8, "centroid");
  std::vector<Vec3d> wide_a, wide_b;
  for (const Vec3& p : a.positions) wide_a.push_back(to_double(p) + far);
  for (const Vec3& p : b.positions) wide_b.push_back(to_double(p) + far);
  const OverlapGradient w =
      volume_gradient(MeshView{.positions = {}, .triangles = a.triangles, .wide = wide_a},
                      MeshView{.positions = {}, .triangles = b.triangles, .wide = wide_b}, software(64));
  ASSERT_EQ(w.vertices_a.size(), a.positions.size());
  EXPECT_NEAR(length(w.sums.b.translation - g.sums.b.translation), 0, 0.01 * length(g.sums.b.translation));
}

TEST(Gradient, OverlapIsThatOfIntersect) {
  test::Random random(3);
  for (int i = 0; i < 12; ++i) {
    const Scene s = random_scene(random);
    Options options = software(48);
    options.keep_spans = i % 2 == 0;
    options.certify = i % 3 == 0;
    const OverlapGradient g = volume_gradient(s.a, s.b, options);
    const Overlap o = intersect(s.a, s.b, options);
    EXPECT_EQ(g.verdict, o.verdict);
    EXPECT_EQ(g.doubts, o.doubts);
    EXPECT_EQ(g.spans, o.spans);
    EXPECT_EQ(g.span_count, o.span_count);
    EXPECT_EQ(g.volume, o.volume);
    EXPECT_EQ(g.volume_error, o.volume_error);
    EXPECT_EQ(g.centroid, o.centroid);
    EXPECT_EQ(g.bounds, o.bounds);
    EXPECT_EQ(g.health.open_columns, o.health.open_columns);
    EXPECT_EQ(g.certificate.certain, o.certificate.certain);
  }
}

TEST(Gradient, WithAToleranceHasTheGridOfTheOverlap) {
  const Mesh a = scenes::blob(4000), b = moved(scenes::blob(3000, 2), {0.5f, 0.5f, 0.25f});
  Options options = software(16);
  options.tolerance = Tolerance{.relative = 1e-3};
  const OverlapGradient g = volume_gradient(a, b, options);
  const Overlap o = intersect(a, b, options);
  EXPECT_EQ(g.grid, o.grid);
  EXPECT_EQ(g.volume, o.volume);
  EXPECT_EQ(g.tolerance_met, o.tolerance_met);
  EXPECT_GT(length(g.sums.b.translation), 0);
}

// --------------------------------------------------------------------------------------------------- determinism

bool same_bits(const OverlapGradient& g, const OverlapGradient& h) {
  const auto same = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
  return same(g.sums, h.sums) && g.vertices_a == h.vertices_a && g.vertices_b == h.vertices_b && g.ends == h.ends &&
         g.spans == h.spans;
}

TEST(Gradient, HasTheSameBitsForAnyThreadsAndInstructionSet) {
  const Mesh a = scenes::torus_knot(20000), b = moved(scenes::blob(8000), {0.4f, 0.7f, 0.1f});
  for (const std::uint32_t resolution : {37u, 300u}) {
    Options options = software(resolution);
    options.ends = true;
    const OverlapGradient expected = volume_gradient(a, b, options);
    ASSERT_GT(expected.volume, 0);
    for (const unsigned threads : {2u, 3u, 8u}) {
      options.threads = threads;
      EXPECT_TRUE(same_bits(volume_gradient(a, b, options), expected)) << threads;
    }
    options.threads = 1;
    test::for_each_instruction_set(
        [&] { EXPECT_TRUE(same_bits(volume_gradient(a, b, options), expected)) << software::instruction_set(); });
  }
}

}  // namespace
}  // namespace lamella
