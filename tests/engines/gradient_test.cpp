// Gradients of the software engine: against solids whose gradients are known, and against differences of sampled
// volumes.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradient_support.hpp"
#include "lamella/engine.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::expect_near;
using test::moved;
using test::round_sphere;
using test::software;
using test::sum;

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

}  // namespace
}  // namespace lamella
