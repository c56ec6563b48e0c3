// Ends of spans and gradients of the software engine: against solids whose gradients are known, against differences of
// sampled volumes, and by the rules that all gradients obey.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "engines/software/end_kernels.hpp"
#include "engines/software/engines.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"
#include "support/instruction_sets.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::round_sphere;

Options software(std::uint32_t resolution, unsigned threads = 1) {
  Options options{.engine = "software", .resolution = resolution, .threads = threads};
  options.close_holes = false;
  return options;
}

void expect_near(Vec3d found, Vec3d expected, double most, const char* what) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], most) << what << " along " << k;
}

Vec3d sum(const std::vector<Vec3>& vectors) {
  Vec3d total;
  for (const Vec3& v : vectors) total += to_double(v);
  return total;
}

Vec3d torque(const std::vector<Vec3>& forces, const Mesh& mesh, Vec3d pivot) {
  Vec3d total;
  for (std::size_t i = 0; i < forces.size(); ++i)
    total += cross(to_double(mesh.positions[i]) - pivot, to_double(forces[i]));
  return total;
}

Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& p : mesh.positions) p = p + by;
  return mesh;
}

// ---------------------------------------------------------------------------------------------------- known solids

TEST(Gradient, OfTwoBoxesIsTheAreaOfTheFacesInside) {
  // b reaches into a through its high x face; along y and z, b ends inside a.
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1, 0.5f, 0.5f}, {3, 1.5f, 1.5f});
  for (const std::uint32_t resolution : {1u, 7u, 64u}) {
    const OverlapGradient g = volume_gradient(a, b, software(resolution));
    EXPECT_EQ(g.verdict, Verdict::colliding);
    EXPECT_NEAR(g.volume, 1, 1e-6);
    expect_near(g.sums.b.translation, {-1, 0, 0}, 1e-9, "force on b");
    expect_near(g.sums.a.translation, {1, 0, 0}, 1e-9, "force on a");
    expect_near(g.sums.b.rotation, {}, 1e-9, "torque on b, about the centroid");
    EXPECT_NEAR(g.sums.inner_a.area, 1, 1e-6);  // of a: its high x face
    expect_near(g.sums.inner_a.normal, {1, 0, 0}, 1e-6, "normal of a");
    EXPECT_NEAR(g.sums.inner_b.area, 5, 1e-6);  // of b: all faces but its high x face
    expect_near(g.sums.inner_b.normal, {-0.2, 0, 0}, 1e-6, "normal of b");
    ASSERT_EQ(g.vertices_a.size(), a.positions.size());
    ASSERT_EQ(g.vertices_b.size(), b.positions.size());
    expect_near(sum(g.vertices_b), {-1, 0, 0}, 1e-6, "vertices of b");
  }
}

TEST(Gradient, OfABoxInABoxIsZeroAndItsMomentsAreThoseOfABox) {
  const Mesh a = box_mesh({0, 0, 0}, {4, 4, 4}), b = box_mesh({1, 1, 1}, {2, 3, 2.5f});
  const OverlapGradient g = volume_gradient(a, b, software(32));
  expect_near(g.sums.a.translation, {}, 0, "force on a");
  expect_near(g.sums.b.translation, {}, 0, "force on b");
  expect_near(g.sums.b.rotation, {}, 1e-9, "torque on b");
  EXPECT_EQ(g.sums.inner_a.area, 0);
  EXPECT_NEAR(g.sums.inner_b.area, 2 * (2 + 1.5 + 3), 1e-6);
  for (const Vec3& v : g.vertices_a) EXPECT_EQ(v, Vec3{});
  const double v = 3, side[3] = {1, 2, 1.5};
  for (std::size_t i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const double expected = static_cast<int>(i) == k ? v * side[i] * side[i] / 12 : 0;
      EXPECT_NEAR(g.sums.moments[i][k], expected, 1e-5) << i << k;
    }
  // b's own volume: each vertex carries an eighth of the gradient of length * width * height, spread by its triangles.
  double all = 0;
  for (std::size_t i = 0; i < 8; ++i) all += dot(to_double(g.vertices_b[i]), to_double(b.positions[i]));
  EXPECT_NEAR(all, 3 * v, 1e-4);  // Euler: a volume is homogeneous of degree 3
}

TEST(Gradient, OfATorqueAboutAnEdge) {
  // b reaches into a's high x face near one edge: moved along y it stays inside, turned about z it does not.
  const Mesh a = box_mesh({0, 0, 0}, {1, 4, 1}), b = box_mesh({0.5f, 3, 0.25f}, {2, 5, 0.75f});
  const OverlapGradient g = volume_gradient(a, b, software(64));
  const double v = 0.5 * 1 * 0.5;
  EXPECT_NEAR(g.volume, v, 1e-6);
  expect_near(g.sums.b.translation, {-0.5, -0.25, 0}, 1e-6, "force on b");  // faces x = 0.5 and y = 3 of b
  // Faces of b: x = 0.5 at (0.5, 3.5), y = 3 at (0.75, 3); relative to the centroid (0.75, 3.5).
  const double about_z = (-0.25 * 0 - 0 * -0.5) + (0 * -0.25 - -0.5 * 0);
  EXPECT_NEAR(g.sums.b.rotation.z, about_z, 1e-6);
  // About the origin of the world: rotation + cross(centroid - p, translation).
  const Vec3d origin = g.sums.b.rotation + cross(g.centroid, g.sums.b.translation);
  EXPECT_NEAR(origin.z, 0.75 * -0.25 - 3.5 * -0.5, 1e-6);
}

TEST(Gradient, OfSpheresIsTheDiscWhereTheyMeet) {
  // The force of two balls is the area of the disc between them, along the line of centres.
  const double d = 1.2, r = 1, half = d / 2, disc = 3.14159265358979 * (r * r - half * half);
  const Vec3 direction{0.6f, 0.48f, 0.64f};
  const Mesh a = round_sphere(200, 300), b = round_sphere(200, 300, 1, direction * 1.2f);
  double last = 1;
  for (const std::uint32_t resolution : {32u, 64u, 128u, 256u}) {
    const OverlapGradient g = volume_gradient(a, b, software(resolution));
    const Vec3d force = g.sums.b.translation, expected = to_double(direction) * -disc;
    const double error = length(force - expected) / disc;
    EXPECT_LT(error, resolution >= 128 ? 0.003 : 0.02) << resolution;
    EXPECT_LT(length(g.sums.b.rotation), 0.01 * disc);  // spheres feel no torque about the line of centres
    EXPECT_NEAR(g.sums.inner_a.area, 2 * 3.14159265 * (1 - half), 0.02);  // of a cap
    EXPECT_LT(length(g.sums.inner_a.normal * g.sums.inner_a.area + expected), 0.02);
    last = error;
  }
  EXPECT_LT(last, 0.001);
}

TEST(Gradient, OfAThinPlateThroughABox) {
  // A plate of 0.001 across a box: moved along its normal nothing changes, pulled out along x its section does.
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), plate = box_mesh({0.5f, -1, 0.5f}, {2, 2, 0.501f});
  const OverlapGradient g = volume_gradient(a, plate, software(64));
  const double thickness = static_cast<double>(0.501f) - 0.5f;
  EXPECT_NEAR(g.volume, 0.5 * thickness, 1e-8);
  expect_near(g.sums.b.translation, {-thickness, 0, 0}, 1e-7, "force on the plate");
  EXPECT_NEAR(g.sums.inner_b.area, 2 * 0.5 + thickness, 1e-6);
}

TEST(Gradient, OfTetrahedraMatchesTheirExactVolume) {
  // A tetrahedron in a half space (a huge box): the volume below the plane z = h is exact, and so are its derivatives.
  const Mesh t = test::tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const Mesh space = box_mesh({-4, -4, -4}, {4, 4, 0.5f});
  const OverlapGradient g = volume_gradient(t, space, software(256));
  EXPECT_NEAR(g.volume, 1.0 / 6 * (1 - 0.125), 2e-4);
  // Lifting the box by dz adds the section at z = 0.5: a triangle with legs of 0.5.
  // Its long side runs along the diagonals of cells: half a row of cells at its rim is on one side or the other.
  expect_near(g.sums.b.translation, {0, 0, 0.125}, 0.125 / 64, "force on the half space");
}

// ------------------------------------------------------------------------------------------------------ degenerate

TEST(Gradient, OfMeshesThatShareNothingIsZero) {
  const Mesh a = round_sphere(20, 30), far = moved(a, {5, 0, 0}), beside = moved(a, {1.5f, 1.5f, 0});
  for (const Mesh& b : {far, beside}) {
    const OverlapGradient g = volume_gradient(a, b, software(64));
    EXPECT_EQ(g.verdict, Verdict::clear);
    expect_near(g.sums.a.translation, {}, 0, "force");
    expect_near(g.sums.b.rotation, {}, 0, "torque");
    ASSERT_EQ(g.vertices_a.size(), a.positions.size());
    ASSERT_EQ(g.vertices_b.size(), b.positions.size());
    for (const Vec3& v : g.vertices_b) EXPECT_EQ(v, Vec3{});
  }
}

TEST(Gradient, OfBoxesThatOnlyTouchIsZero) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({1, 0, 0}, {2, 1, 1});
  const OverlapGradient g = volume_gradient(a, b, software(32));
  EXPECT_NE(g.verdict, Verdict::colliding);
  expect_near(g.sums.a.translation, {}, 0, "force");
  for (const Vec3& v : g.vertices_a) EXPECT_EQ(v, Vec3{});
}

TEST(Gradient, OfFlushWallsIsNoForceBetweenThem) {
  // The sides of a stack of two equal boxes are flush: only the faces across the stack exert a force.
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0, 0, 0.75f}, {1, 1, 1.75f});
  for (const bool swapped : {false, true}) {
    const OverlapGradient g = swapped ? volume_gradient(b, a, software(32)) : volume_gradient(a, b, software(32));
    const MotionGradient& upper = swapped ? g.sums.a : g.sums.b;
    expect_near(upper.translation, {0, 0, -1}, 1e-9, "force on the upper box");
  }
  // Flush on one side only: the wider box does not push the narrower one along the wall either.
  const Mesh wide = box_mesh({0, 0, 0.75f}, {2, 1, 1.75f});
  for (const bool swapped : {false, true}) {
    const OverlapGradient g = swapped ? volume_gradient(wide, a, software(32)) : volume_gradient(a, wide, software(32));
    const MotionGradient& upper = swapped ? g.sums.a : g.sums.b;
    expect_near(upper.translation, {0, 0, -1}, 1e-9, "force on the wide box");
  }
}

TEST(Gradient, OfBrokenMeshesNeitherCrashesNorLies) {
  Mesh broken = round_sphere(12, 16);
  broken.positions[20].y = std::numeric_limits<float>::quiet_NaN();
  broken.positions[30].x = 1e30f;
  const Mesh sound = round_sphere(12, 16, 1, {0.5f, 0, 0});
  const Mesh one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5f}}, {{0, 1, 2}}};
  for (const Mesh& mesh : {broken, one, Mesh{}}) {
    const OverlapGradient g = volume_gradient(mesh, sound, software(32));
    EXPECT_EQ(g.vertices_a.size(), mesh.positions.size());
    for (const Vec3& v : g.vertices_a) EXPECT_TRUE(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
    const SelfGradient s = self_gradient(mesh, software(32));
    EXPECT_EQ(s.vertices.size(), mesh.positions.size());
  }
  Mesh wrong = sound;
  wrong.triangles[3].b = 9999;
  EXPECT_THROW((void)volume_gradient(wrong, sound, software(32)), Error);
  // After a failure nothing of it is left: the next answer is what a new engine gives.
  const auto engine = make_engine(software(32));
  OverlapGradient again, fresh;
  Mesh late = sound;
  late.triangles.back().c = 9999;
  EXPECT_THROW(engine->volume_gradient(sound, late, software(32).for_query(), {}, again), Error);
  engine->volume_gradient(sound, round_sphere(12, 16), software(32).for_query(), {}, again);
  fresh = volume_gradient(sound, round_sphere(12, 16), software(32));
  EXPECT_EQ(again.vertices_a, fresh.vertices_a);
}

// --------------------------------------------------------------------------------- differences of sampled volumes

/// Boxes that hold the grid in place: one corner tetrahedron at each end of the box, which overlap nothing.
Mesh with_frame(Mesh mesh, float size) {
  for (const float s : {-size, size})
    test::append(mesh, test::tetrahedron({s, s, s}, {s * 0.99f, s, s}, {s, s * 0.99f, s}, {s, s, s * 0.99f}));
  return mesh;
}

TEST(Gradient, OfOneVertexAlongTheRaysIsTheDifferenceOfSampledVolumes) {
  // Moving a vertex along the rays changes no coverage: the sampled volume is linear in it while no crossings change
  // their order, so that a difference is exact up to the rounding of depths.
  test::Random random(7);
  const Mesh a = with_frame(round_sphere(9, 12), 2), b = with_frame(round_sphere(8, 11, 0.9f, {0.6f, 0.3f, 0.2f}), 2);
  Options options = software(96);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    options.axis = axis;
    const int w = static_cast<int>(axis);
    const OverlapGradient g = volume_gradient(a, b, options);
    double largest = 0;
    for (const Vec3& v : g.vertices_b) largest = std::max(largest, std::abs(static_cast<double>(v[w])));
    int looked_at = 0;
    for (std::size_t i = 0; i < b.positions.size() - 8; ++i) {
      if (g.vertices_b[i][w] == 0) continue;
      ++looked_at;
      constexpr float kStep = 0x1p-9f;
      Mesh up = b, down = b;
      up.positions[i][w] += kStep;
      down.positions[i][w] -= kStep;
      const double difference = intersect(a, up, options).volume - intersect(a, down, options).volume;
      const double step = static_cast<double>(up.positions[i][w]) - down.positions[i][w];
      EXPECT_NEAR(difference / step, g.vertices_b[i][w], 0.02 * largest) << "vertex " << i << " axis " << w;
    }
    EXPECT_GT(looked_at, 10);
  }
}

TEST(Gradient, OfTheWholeMeshAlongTheRaysIsTheDifferenceOfSampledVolumes) {
  const Mesh frame = with_frame({}, 2);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    Options options = software(64);
    options.axis = axis;
    const int w = static_cast<int>(axis);
    const auto scene = [&](float shift) {
      Vec3 by{0.6f, 0.3f, 0.2f};
      by[w] += shift;
      Mesh b = round_sphere(40, 50, 0.9f, by);
      test::append(b, frame);
      return b;
    };
    Mesh a = round_sphere(40, 50);
    test::append(a, frame);
    constexpr float kStep = 0x1p-12f;
    const double difference =
        (intersect(a, scene(kStep), options).volume - intersect(a, scene(-kStep), options).volume) / (2 * kStep);
    const OverlapGradient g = volume_gradient(a, scene(0), options);
    EXPECT_NEAR(difference, g.sums.b.translation[w], 2e-3 * std::abs(difference)) << w;
  }
}

// ------------------------------------------------------------------------------------------------------- rules

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

// ---------------------------------------------------------------------------------------------------------- self

TEST(SelfGradient, OfTwoBoxesInOneMeshIsThatOfThePair) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1, 0.5f, 0.5f}, {3, 1.5f, 1.5f});
  Mesh both = a;
  test::append(both, b);
  const SelfGradient g = self_gradient(both, software(60));
  EXPECT_NEAR(g.volume, 1, 0.05);
  expect_near(g.sums.a.translation, {}, 0, "the whole");
  expect_near(g.sums.a.rotation, {}, 0, "the whole");
  ASSERT_EQ(g.vertices.size(), 16u);
  Vec3d of_b;
  for (std::size_t i = 8; i < 16; ++i) of_b += to_double(g.vertices[i]);
  expect_near(of_b, {-1, 0, 0}, 0.05, "the second box");
  EXPECT_NEAR(g.sums.inner_a.area, 6, 0.2);
}

TEST(SelfGradient, SumsUpToZero) {
  const Mesh knot = scenes::torus_knot(12000, 0.6f);
  const SelfGradient g = self_gradient(knot, software(128));
  ASSERT_GT(g.volume, 0);
  EXPECT_EQ(g.sums.a.translation, Vec3d{});
  EXPECT_EQ(g.sums.a.rotation, Vec3d{});
  double spread = 0;
  for (const Vec3& v : g.vertices) spread += length(to_double(v));
  EXPECT_GT(spread, 0.1);
  expect_near(sum(g.vertices), {}, 1e-5 * spread, "vertices");
  const SelfOverlap o = self_intersect(knot, software(128));
  EXPECT_EQ(g.spans, o.spans);
  EXPECT_EQ(g.volume, o.volume);
}

TEST(SelfGradient, OfAMeshWithoutOverlapIsZero) {
  const Mesh sphere = round_sphere(20, 30);
  const SelfGradient g = self_gradient(sphere, software(64));
  EXPECT_EQ(g.verdict, Verdict::clear);
  ASSERT_EQ(g.vertices.size(), sphere.positions.size());
  for (const Vec3& v : g.vertices) EXPECT_EQ(v, Vec3{});
}

// ------------------------------------------------------------------------------------------------- ends of spans

/// Where a span's end lies according to its triangle and weights.
Vec3d place_of(const SpanEnd& end, const Mesh& mesh) {
  const Triangle t = mesh.triangles[end.triangle];
  const double b = end.weight_b, c = end.weight_c;
  return to_double(mesh.positions[t.a]) * (1 - b - c) + to_double(mesh.positions[t.b]) * b +
         to_double(mesh.positions[t.c]) * c;
}

void expect_ends(const Overlap& o, const Mesh& a, const Mesh& b) {
  ASSERT_EQ(o.ends.size(), o.spans.size());
  const double cell = std::max(o.grid.cell_u(), o.grid.cell_v()), most = 2e-3 * cell + 1e-5 * o.grid.depth();
  for (std::size_t i = 0; i < o.spans.size(); ++i)
    for (const bool at_end : {false, true}) {
      const SpanEnd& end = at_end ? o.ends[i].end : o.ends[i].begin;
      ASSERT_LT(end.mesh, 2u);
      const Mesh& mesh = end.mesh == 0 ? a : b;
      ASSERT_LT(end.triangle, mesh.triangles.size());
      const Vec3d place = place_of(end, mesh);
      const Vec3d sample = sample_position(o.grid, o.spans[i].column, at_end ? o.spans[i].end : o.spans[i].begin);
      EXPECT_NEAR(place[o.grid.u()], sample[o.grid.u()], most);
      EXPECT_NEAR(place[o.grid.v()], sample[o.grid.v()], most);
      const Triangle t = mesh.triangles[end.triangle];
      const Vec3d p = to_double(mesh.positions[t.a]), q = to_double(mesh.positions[t.b]);
      const Vec3d n = cross(q - p, to_double(mesh.positions[t.c]) - p);
      EXPECT_EQ(n[o.grid.w()] > 0, at_end);  // a ray leaves a solid where its face looks along the ray
      const double slope = 1 + length(n) / (std::abs(n[o.grid.w()]) + 1e-30);
      EXPECT_NEAR(place[o.grid.w()], sample[o.grid.w()], most * std::min(slope, 1e4));
    }
}

TEST(SpanEnds, LieOnTheirTrianglesAndSpansStayTheSame) {
  const Mesh a = scenes::torus_knot(6000), b = moved(scenes::blob(4000), {0.4f, 0.7f, 0.1f});
  for (const unsigned threads : {1u, 3u})
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      Options options = software(200, threads);
      options.axis = axis;
      const Overlap plain = intersect(a, b, options);
      options.ends = true;
      const Overlap o = intersect(a, b, options);
      EXPECT_EQ(o.spans, plain.spans);
      EXPECT_EQ(o.volume, plain.volume);
      EXPECT_TRUE(plain.ends.empty());
      expect_ends(o, a, b);
    }
}

TEST(SpanEnds, OfAMeshWithItself) {
  const Mesh knot = scenes::torus_knot(6000, 0.6f);
  Options options = software(150);
  const SelfOverlap plain = self_intersect(knot, options);
  options.ends = true;
  const SelfOverlap o = self_intersect(knot, options);
  EXPECT_EQ(o.spans, plain.spans);
  ASSERT_GT(o.spans.size(), 100u);
  expect_ends(o, knot, knot);
}

TEST(SpanEnds, OfColumnsBeyondTheLayers) {
  // 40 shells around each other: more crossings in a column than a tile's layers have.
  Mesh shells;
  for (int i = 0; i < 40; ++i) test::append(shells, round_sphere(8, 10, 1.0f + 0.02f * static_cast<float>(i)));
  const Mesh b = box_mesh({-3, -0.5f, -0.5f}, {3, 0.25f, 0.5f});
  Options options = software(24);
  options.axis = Axis::x;
  options.ends = true;
  expect_ends(intersect(shells, b, options), shells, b);
  expect_ends(self_intersect(shells, options), shells, shells);
}

TEST(SpanEnds, OfBoxesThatReachBeyondTheBoxAreTheTrueFaces) {
  // Along x, b's low face lies in the box, a's is moved onto it: b begins the spans.
  const Mesh a = box_mesh({-5, 0, 0}, {1, 1, 1}), b = box_mesh({0, 0.25f, 0.25f}, {5, 0.75f, 0.75f});
  Options options = software(8);
  options.axis = Axis::x;
  options.ends = true;
  for (const SpanEnds& ends : intersect(a, b, options).ends) {
    EXPECT_EQ(ends.begin.mesh, 1u);
    EXPECT_EQ(ends.end.mesh, 0u);
  }
  for (const SpanEnds& ends : intersect(b, a, options).ends) {
    EXPECT_EQ(ends.begin.mesh, 0u);
    EXPECT_EQ(ends.end.mesh, 1u);
  }
}

TEST(SpanEnds, AreRefusedWhereTheyCannotBeGiven) {
  const Mesh a = round_sphere(8, 10), b = round_sphere(8, 10, 1, {0.5f, 0, 0});
  Options options = software(16);
  options.ends = true;
  options.keep_spans = false;
  EXPECT_NE(std::string(test::error_of([&] { (void)intersect(a, b, options); }).what()).find("keep_spans"),
            std::string::npos);
  options.keep_spans = true;
  for (const char* name : {"reference", "software-wscg"}) {
    options.engine = name;
    EXPECT_NE(std::string(test::error_of([&] { (void)intersect(a, b, options); }).what())
                  .find("use software, or leave out ends"),
              std::string::npos);
    EXPECT_THROW((void)self_intersect(a, options), Error);
    options.ends = false;
    EXPECT_NE(
        std::string(test::error_of([&] { (void)volume_gradient(a, b, options); }).what()).find("software or cuda"),
        std::string::npos);
    EXPECT_THROW((void)self_gradient(a, options), Error);
    options.ends = true;
  }
}

// ------------------------------------------------------------------------------------------------------- kernels

TEST(EndKernels, HaveTheBitsOfTheCodeThatCudaShares) {
  test::Random random(11);
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const Grid grid{{{0, 0, 0}, {1, 1, 1}}, axis, 64, 48};
    const Lattice lattice = make_lattice(grid);
    const auto batch = std::make_unique<software::EndBatch>();
    batch->size = 203;  // no multiple of any vector
    for (std::size_t i = 0; i < batch->size; ++i) {
      const float size = i % 3 == 0 ? 30.0f : 0.3f;
      for (auto& corner : batch->corner) corner[i] = random.in({{-size, -size, -size}, {size, size, size}});
      const std::uint32_t u = random.below(64), v = random.below(48);
      batch->cell[i] = software::EndBatch::pack(u, v, random.below(2) == 0);
    }
    batch->corner[1][7] = batch->corner[2][7] = batch->corner[0][7];  // no area
    EndSums expected;
    for (std::size_t i = 0; i < batch->size; ++i) {
      const Vec3d n = unit_normal(batch->corner[0][i], batch->corner[1][i], batch->corner[2][i]);
      expected.add(batch->sign(i), batch->u(i), batch->v(i), n, n[grid.w()]);
    }
    test::for_each_instruction_set([&] {
      EndSums found;
      ASSERT_TRUE(software::work_on_ends({grid, lattice, true, true}, *batch, found));
      EXPECT_EQ(std::memcmp(&found, &expected, sizeof found), 0) << software::instruction_set();
      for (std::size_t i = 0; i < batch->size; ++i) {
        const EndTriangle t(batch->corner[0][i], batch->corner[1][i], batch->corner[2][i], grid, lattice);
        const double u = (batch->u(i) + 1.0) * kSubStep, v = (batch->v(i) + 1.0) * kSubStep;
        const auto edge = [&](int a, int b) {
          return (static_cast<double>(t.corner[a].u) - u) * (static_cast<double>(t.corner[b].v) - v) -
                 (static_cast<double>(t.corner[a].v) - v) * (static_cast<double>(t.corner[b].u) - u);
        };
        const double of[3] = {edge(1, 2), edge(2, 0), edge(0, 1)};
        const bool inside = std::min({of[0], of[1], of[2]}) >= 0 || std::max({of[0], of[1], of[2]}) <= 0;
        if (!inside) continue;
        const EndWeights w = t.weights(batch->u(i), batch->v(i));
        EXPECT_EQ(batch->weight_b[i], w.b) << i;
        EXPECT_EQ(batch->weight_c[i], w.c) << i;
      }
    });
    batch->corner[0][100] = {1e9f, 1e9f, 1e9f};
    EndSums sums;
    EXPECT_FALSE(software::work_on_ends({grid, lattice, true, false}, *batch, sums));  // too far for doubles
  }
}

TEST(Gradient, OfATriangleThatReachesVeryFar) {
  // A pyramid 10^8 boxes high: its weights take 128 bits.
  const Mesh spike = test::tetrahedron({-1e8f, -1e8f, 0.25f}, {1e8f, -1e8f, 0.25f}, {0, 1e8f, 0.25f}, {0, 0, 1e8f});
  const Mesh b = box_mesh({-0.5f, -0.5f, 0}, {0.5f, 0.5f, 1});
  const OverlapGradient g = volume_gradient(spike, b, software(32));
  EXPECT_NEAR(g.volume, 0.75, 1e-5);
  EXPECT_NEAR(g.sums.a.translation.z, -1, 1e-6);
  Vec3d total = sum(g.vertices_a);
  EXPECT_NEAR(total.z, -1, 1e-5);
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
