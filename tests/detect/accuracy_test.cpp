// Volumes against analytic values and against the reference engine.

#include <gtest/gtest.h>

#include <cmath>

#include "lamella/query.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

constexpr double kPi = 3.14159265358979323846;

Mesh moved(const Mesh& mesh, Vec3d by, Quaternion turn = {}) { return transformed(mesh, {by, turn}); }

double relative_error(double value, double exact) { return std::abs(value / exact - 1); }

/// Volume shared by two spheres of radius r whose centres are d apart.
double lens(double r, double d) { return kPi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12; }

TEST(Accuracy, LensOfTwoSpheres) {
  const Mesh a = scenes::sphere(50000);
  for (const double d : {0.5, 1.0, 1.6}) {
    const Vec3d by{d * 0.6, d * 0.64, d * 0.48};
    const Mesh b = moved(a, by);
    const double exact = lens(1, std::sqrt(dot(by, by)));
    EXPECT_LT(relative_error(intersect(a, b, {.resolution = 128}).volume, exact), 0.01) << d;
    EXPECT_LT(relative_error(intersect(a, b, {.resolution = 1024}).volume, exact), 0.001) << d;
  }
}

TEST(Accuracy, ErrorFallsWithResolution) {
  // Averaged over placements: one alone can be right by luck. So many faces that their own error is below all of these.
  const Mesh a = scenes::sphere(800000);
  double previous = 1;
  for (const std::uint32_t n : {8u, 32u, 128u}) {
    double sum = 0;
    test::Random random(2);
    for (int i = 0; i < 12; ++i) {
      const Vec3d by = to_double(random.in({{0.3f, 0.3f, 0.3f}, {0.6f, 0.6f, 0.6f}}));
      sum += relative_error(intersect(a, moved(a, by), {.resolution = n}).volume, lens(1, std::sqrt(dot(by, by))));
    }
    EXPECT_LT(sum / 12, previous / 2) << n;
    previous = sum / 12;
  }
}

TEST(Accuracy, SphereInsideSphere) {
  const Mesh outer = scenes::sphere(50000), inner = moved(scenes::sphere(50000, 0.4f), {0.3, -0.2, 0.1});
  const double exact = 4.0 / 3 * kPi * 0.4 * 0.4 * 0.4;
  EXPECT_LT(relative_error(intersect(outer, inner, {.resolution = 128}).volume, exact), 0.01);
  EXPECT_LT(relative_error(intersect(inner, outer, {.resolution = 1024}).volume, exact), 0.001);
}

TEST(Accuracy, BoxesAtOddAngles) {
  // A turned box inside a large one, and cut in half by another whose face runs through its centre: both exact by
  // symmetry, whatever the angle.
  const Mesh small = scenes::box(12, {0.5f, 0.7f, 0.3f});
  const double volume = 8 * 0.5 * 0.7 * 0.3;
  for (const double angle : {0.1, 0.7, 1.234}) {
    const Mesh turned = moved(small, {}, rotation_about({1, 2, -0.5}, angle));
    EXPECT_LT(relative_error(intersect(turned, scenes::box(12, {3, 3, 3}), {.resolution = 128}).volume, volume), 0.01);
    const Mesh half = moved(scenes::box(12, {3, 3, 3}), {0, 0, 3});
    EXPECT_LT(relative_error(intersect(turned, half, {.resolution = 128}).volume, volume / 2), 0.01) << angle;
    EXPECT_LT(relative_error(intersect(turned, half, {.resolution = 1024}).volume, volume / 2), 0.001) << angle;
    // The same pair turned as a whole, so that no face is aligned.
    const Transform turn{{0.1, 0.2, 0.3}, rotation_about({-1, 1, 3}, 0.9)};
    EXPECT_LT(relative_error(intersect(transformed(turned, turn), transformed(half, turn), {.resolution = 1024}).volume,
                             volume / 2),
              0.001)
        << angle;
  }
}

TEST(Accuracy, LinkedToriThatDoNotTouchShareExactlyNothing) {
  const Mesh a = scenes::torus(20000, 1, 0.35f);
  for (const double turn : {kPi / 2, 1.2, 1.9}) {
    const Mesh b = moved(a, {1, 0, 0}, rotation_about({1, 0, 0}, turn));
    for (const std::uint32_t n : {64u, 256u})
      for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
        const Overlap o = intersect(a, b, {.resolution = n, .axis = axis});
        EXPECT_EQ(o.volume, 0);
        EXPECT_FALSE(o.colliding());
      }
  }
}

TEST(Accuracy, ThickTorusKnotOverlapsItselfLikeTheReferenceSays) {
  const Mesh knot = scenes::torus_knot(5000, 0.6f);
  const double exact = self_intersect(knot, {.engine = "reference", .resolution = 2048}).volume;
  ASSERT_GT(exact, 0.01);
  EXPECT_LT(relative_error(self_intersect(knot, {.resolution = 128}).volume, exact), 0.01);
  EXPECT_LT(relative_error(self_intersect(knot, {.resolution = 1024}).volume, exact), 0.001);
  EXPECT_LT(relative_error(self_intersect(knot, {.resolution = 2048}).volume, exact), 1e-6);
  EXPECT_EQ(self_intersect(scenes::torus_knot(5000), {.resolution = 512}).volume, 0) << "a thin one does not";
}

}  // namespace
}  // namespace lamella
