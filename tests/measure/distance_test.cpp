#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/distance.hpp"
#include "lamella/error.hpp"
#include "lamella/query.hpp"
#include "measure/soup.hpp"
#include "scenes/models.hpp"
#include "support/instruction_sets.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::Random;

Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& p : mesh.positions) p = p + by;
  return mesh;
}

double largest(MeshView mesh) {
  const Aabb box = bounds(mesh);
  double most = 0;
  for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(double{box.min[k]}), std::abs(double{box.max[k]})});
  return most + std::max({std::abs(mesh.origin.x), std::abs(mesh.origin.y), std::abs(mesh.origin.z)});
}

/// Of surfaces that do not meet.
void expect_as_brute_force(MeshView a, MeshView b) {
  const MeshDistance found = distance(a, b, 1);
  const double tolerance = 16 * std::max(largest(a), largest(b)) * 0x1p-52;
  EXPECT_NEAR(found.distance, test::brute_distance(a, b), tolerance);
  EXPECT_NEAR(length(found.on_a - found.on_b), found.distance, tolerance);
  ASSERT_LT(found.triangle_a, a.triangles.size());
  ASSERT_LT(found.triangle_b, b.triangles.size());
  EXPECT_NEAR(measure::nearest_on_triangle(found.on_a, test::corners3(a, found.triangle_a).at).square, 0,
              tolerance * tolerance);
  EXPECT_NEAR(measure::nearest_on_triangle(found.on_b, test::corners3(b, found.triangle_b).at).square, 0,
              tolerance * tolerance);
  EXPECT_NEAR(distance(b, a, 1).distance, found.distance, tolerance);
}

TEST(Distance, OfTwoBoxes) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  const MeshDistance faces = distance(a, box_mesh({3, 0.25f, 0.25f}, {4, 0.75f, 0.75f}));
  EXPECT_EQ(faces.distance, 2);
  EXPECT_EQ(faces.on_a.x, 1);
  EXPECT_EQ(faces.on_b.x, 3);
  EXPECT_EQ(faces.verdict, Verdict::clear);
  EXPECT_DOUBLE_EQ(distance(a, box_mesh({2, 2, 0}, {3, 3, 1})).distance, std::sqrt(2.0)) << "edges";
  EXPECT_DOUBLE_EQ(distance(a, box_mesh({2, 2, 2}, {3, 3, 3})).distance, std::sqrt(3.0)) << "corners";
}

TEST(Distance, TouchingIsZeroAndClear) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Vec3 low : {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}, Vec3{1, 0.25f, -0.5f}}) {
    const MeshDistance found = distance(a, box_mesh(low, low + Vec3{1, 1, 1}));
    EXPECT_EQ(found.distance, 0);
    EXPECT_EQ(found.verdict, Verdict::clear);
    EXPECT_NEAR(length(found.on_a - found.on_b), 0, 1e-15);
    EXPECT_EQ(found.on_a.x, 1);
  }
}

TEST(Distance, OverlappingIsZeroAndColliding) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  const MeshDistance cross = distance(a, box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2}));
  EXPECT_EQ(cross.distance, 0);
  EXPECT_EQ(cross.verdict, Verdict::colliding);
  EXPECT_NEAR(test::brute_distance(a, cross.on_a), 0, 1e-12);
  EXPECT_EQ(distance(a, a).verdict, Verdict::colliding) << "coincident";
  EXPECT_EQ(distance(a, a).distance, 0);
}

TEST(Distance, OneInsideTheOtherIsZeroAndColliding) {
  const Mesh outer = scenes::sphere(2000), inner = box_mesh({-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f});
  for (const MeshDistance& found : {distance(outer, inner), distance(inner, outer)}) {
    EXPECT_EQ(found.distance, 0);
    EXPECT_EQ(found.verdict, Verdict::colliding);
    EXPECT_EQ(found.triangle_a, kNoTriangle);
    EXPECT_LT(length(found.on_a), 0.2);
  }
}

TEST(Distance, ABallInACavityIsClear) {
  Mesh shell = scenes::sphere(2000, 2), cavity = scenes::sphere(2000, 1);
  for (Triangle& t : cavity.triangles) std::swap(t.b, t.c);
  test::append(shell, cavity);
  const Mesh ball = scenes::sphere(500, 0.25f);
  const MeshDistance found = distance(shell, ball);
  EXPECT_EQ(found.verdict, Verdict::clear);
  EXPECT_NEAR(found.distance, 0.75, 0.01);
  EXPECT_NEAR(found.distance, test::brute_distance(shell, ball), 1e-14);
}

TEST(Distance, OfTwoSpheresIsThatOfTheirCentresLessTheRadii) {
  const Mesh a = scenes::sphere(20'000), b = scenes::sphere(20'000, 0.5f);
  for (const Vec3 by : {Vec3{2, 0, 0}, Vec3{1, 1, 1}, Vec3{100, -3, 40}}) {
    const MeshDistance found = distance(a, moved(b, by));
    EXPECT_NEAR(found.distance, length(by) - 1.5, 1e-3);
    EXPECT_EQ(found.verdict, Verdict::clear);
  }
}

TEST(Distance, OfRandomTrianglesIsWhatBruteForceFinds) {
  Random random(21);
  for (const std::uint32_t count : {1u, 2u, 9u, 60u, 400u})
    for (const float gap : {0.0f, 0.1f, 3.0f}) {
      const Mesh a = test::triangle_soup(random, count, {{-1, -1, -1}, {1, 1, 1}}, 0.05f);
      Mesh b = test::triangle_soup(random, count / 2 + 1, {{-1, -1, -1}, {1, 1, 1}}, 0.05f);
      b = moved(b, {2.2f + gap, gap, -gap});
      const MeshDistance found = distance(a, b, 1);
      if (found.distance > 0) expect_as_brute_force(a, b);
    }
}

TEST(Distance, OfInterleavedTrianglesIsWhatBruteForceFinds) {
  Random random(22);
  int apart = 0;
  for (int round = 0; round < 20; ++round) {
    const Mesh a = test::triangle_soup(random, 150, {{-1, -1, -1}, {1, 1, 1}}, 0.02f);
    const Mesh b = test::triangle_soup(random, 100, {{-1, -1, -1}, {1, 1, 1}}, 0.02f);
    if (!(distance(a, b, 1).distance > 0)) continue;
    expect_as_brute_force(a, b);
    ++apart;
  }
  EXPECT_GT(apart, 5);
}

TEST(Distance, OfLinkedRingsAndNestedShells) {
  const Mesh ring = scenes::torus(600, 1, 0.3f);
  const Mesh other = transformed(ring, {{1, 0, 0}, rotation_about({1, 0, 0}, 1.5)});
  expect_as_brute_force(ring, other);
  EXPECT_EQ(distance(ring, other).verdict, Verdict::clear);
  Mesh inner = scenes::sphere(500, 0.99f);
  Mesh outer = scenes::sphere(600, 1.02f);
  for (Triangle& t : outer.triangles) std::swap(t.b, t.c);
  expect_as_brute_force(outer, inner);
}

TEST(Distance, OfSurfacesThatFaceEachOtherEverywhereAtTheSameDistance) {
  const Mesh inner = scenes::sphere(1200);
  Mesh outer = scenes::sphere(1200, 1.05f);
  for (Triangle& t : outer.triangles) std::swap(t.b, t.c);
  expect_as_brute_force(inner, outer);
  // Small, and far from the origin: floats are coarse there.
  Mesh a = inner, b = outer;
  for (Mesh* mesh : {&a, &b})
    for (Vec3& p : mesh->positions) p = p * 0.01f + Vec3{100, -200, 300};
  expect_as_brute_force(a, b);
}

TEST(Distance, ScalesWithBothMeshes) {
  const Mesh a = scenes::sphere(5000), b = scenes::sphere(4000, 1.01f),
             c = moved(scenes::torus_knot(3000), {1.5f, 0, 0});
  const auto scaled = [](Mesh mesh, float by) {
    for (Vec3& p : mesh.positions) p = p * by;
    return mesh;
  };
  for (const Mesh* other : {&b, &c}) {
    const double before = distance(a, *other, 1).distance;
    for (const int exponent : {-90, -60, -30, -10, 10, 30, 60, 90}) {
      const float by = std::ldexp(1.0f, exponent);
      EXPECT_EQ(distance(scaled(a, by), scaled(*other, by), 1).distance, before * by) << exponent;
    }
  }
}

TEST(Distance, TouchingIsFoundWhereOthersAreVeryNear) {
  // All triangles are nearer than the root of the smallest float, and two touch.
  Mesh a, b;
  for (int i = 0; i < 400; ++i) {
    const float x = static_cast<float>(i), up = i == 317 ? 0 : 0x1p-80f;
    test::append(a, {{{x, 0, 0}, {x + 0.5f, 0, 0}, {x, 0.5f, 0}}, {{0, 1, 2}}});
    test::append(b, {{{x, 0, up}, {x + 0.5f, 0, up}, {x, 0.5f, up}}, {{0, 1, 2}}});
  }
  const MeshDistance found = distance(a, b, 1);
  EXPECT_EQ(found.distance, 0);
  EXPECT_EQ(found.triangle_a, 317u);
}

TEST(Distance, OfALargeTriangleAndManySmallOnes) {
  const Mesh plate{{{-900, -900, -1.5f}, {900, -900, -1.25f}, {0, 900, -1.25f}}, {{0, 1, 2}}};
  expect_as_brute_force(plate, scenes::blob(3000));
  Mesh needles;
  for (int i = 0; i < 50; ++i) {
    const float x = static_cast<float>(i) * 0.1f;
    test::append(needles, {{{x, -100, 1.5f + x}, {x, 100, 1.5f + x}, {x + 0.001f, 0, 90}}, {{0, 1, 2}}});
  }
  expect_as_brute_force(needles, scenes::sphere(500));
}

TEST(Distance, MeshesFarApartAndFarFromTheOrigin) {
  const Mesh a = scenes::blob(500), b = scenes::sphere(500);
  for (const float far : {1e3f, 1e7f, 1e12f, 1e20f}) expect_as_brute_force(a, moved(b, {far, far / 2, -far}));
  const Vec3d at{1e7, -2e7, 3e7};
  std::vector<Vec3d> wide_a, wide_b;
  for (const Vec3 p : a.positions) wide_a.push_back(to_double(p) + at);
  for (const Vec3 p : b.positions) wide_b.push_back(to_double(p) + at + Vec3d{3, 0, 0});
  const MeshView far_a{.positions = {}, .triangles = a.triangles, .wide = wide_a};
  const MeshView far_b{.positions = {}, .triangles = b.triangles, .wide = wide_b};
  EXPECT_NEAR(distance(far_a, far_b).distance, test::brute_distance(far_a, far_b), 1e-8);
  EXPECT_NEAR(distance(far_a, far_b).distance, test::brute_distance(a, moved(b, {3, 0, 0})), 1e-6);
  // One near the origin, the other far away: its positions keep all their digits.
  EXPECT_NEAR(distance(a, far_b).distance, test::brute_distance(a, far_b), 1e-7);
  Mesh with_origin = b;
  with_origin.origin = at;
  EXPECT_NEAR(distance(a, with_origin).distance, test::brute_distance(a, with_origin), 1e-7);
}

TEST(Distance, WideMeshesWhoseBoxesOverlap) {
  const Vec3d at{1e7, -2e7, 3e7};
  const Mesh ring = scenes::torus(600, 1, 0.3f);
  const Mesh other = transformed(ring, {{1, 0, 0}, rotation_about({1, 0, 0}, 1.5)});
  std::vector<Vec3d> wide_a, wide_b;
  for (const Vec3 p : ring.positions) wide_a.push_back(to_double(p) + at);
  for (const Vec3 p : other.positions) wide_b.push_back(to_double(p) + at);
  const MeshView a{.positions = {}, .triangles = ring.triangles, .wide = wide_a};
  const MeshView b{.positions = {}, .triangles = other.triangles, .wide = wide_b};
  const MeshDistance found = distance(a, b);
  EXPECT_NEAR(found.distance, test::brute_distance(a, b), 1e-8);
  EXPECT_EQ(found.verdict, Verdict::clear);
}

TEST(Distance, EmptyBrokenAndOpenMeshes) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(distance(box, Mesh{}).distance, std::numeric_limits<double>::infinity());
  EXPECT_EQ(distance(Mesh{}, Mesh{}).verdict, Verdict::clear);
  Mesh broken = moved(box, {3, 0, 0});
  broken.positions[7].y = NAN;
  const MeshDistance found = distance(box, broken);
  EXPECT_EQ(found.distance, 2);
  EXPECT_EQ(found.verdict, Verdict::undecided);
  EXPECT_GT(found.skipped_triangles, 0u);
  Mesh all_broken = box;
  for (Vec3& p : all_broken.positions) p.x = INFINITY;
  EXPECT_EQ(distance(box, all_broken).distance, std::numeric_limits<double>::infinity());
  EXPECT_EQ(distance(box, all_broken).verdict, Verdict::undecided);
  Mesh open = box_mesh({-9, -9, -9}, {9, 9, 9});
  open.triangles.resize(10);
  EXPECT_EQ(distance(box, open).distance, 8);
  EXPECT_EQ(distance(box, open).verdict, Verdict::undecided) << "inside what may be a solid";
  EXPECT_EQ(distance(box, moved(open, {100, 0, 0})).verdict, Verdict::clear);
  Mesh wrong = box;
  wrong.triangles[0].a = 99;
  EXPECT_THROW((void)distance(box, wrong), Error);
  const Mesh point{{{4, 0.5f, 0.5f}, {4, 0.5f, 0.5f}, {4, 0.5f, 0.5f}}, {{0, 1, 2}}};
  EXPECT_EQ(distance(box, point).distance, 3);
}

TEST(Distance, VerticesThatNoTriangleUsesDoNotCount) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  Mesh b = box_mesh({3, 0, 0}, {4, 1, 1});
  b.positions.push_back({1.5f, 0.5f, 0.5f});
  b.positions.push_back({0.5f, 0.5f, 0.5f});
  EXPECT_EQ(distance(a, b).distance, 2);
}

TEST(Distance, DoesNotChangeWhenBothMoveAndTurn) {
  const Mesh a = scenes::blob(2000), b = moved(scenes::torus_knot(2000), {2.5f, 1, 0});
  const double before = distance(a, b).distance;
  ASSERT_GT(before, 0);
  for (const double angle : {0.5, 1.7, 3.0}) {
    const Transform pose{{angle, -2, 1}, rotation_about({1, angle, 3}, angle)};
    EXPECT_NEAR(distance(transformed(a, pose), transformed(b, pose)).distance, before, 2e-6);
  }
}

bool same(const MeshDistance& x, const MeshDistance& y) {
  return x.distance == y.distance && x.on_a == y.on_a && x.on_b == y.on_b && x.triangle_a == y.triangle_a &&
         x.triangle_b == y.triangle_b && x.verdict == y.verdict;
}

TEST(Distance, IsTheSameForAnyNumberOfThreadsAndEveryInstructionSet) {
  const Mesh knot = scenes::torus_knot(20'000);
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  Mesh shell = scenes::sphere(20'000, 1.01f);
  const struct {
    Mesh a, b;
  } cases[] = {{scenes::blob(50'000), moved(knot, {3, 0.5f, 0})},
               {scenes::sphere(20'000), shell},
               {scenes::torus(20'000, 1, 0.4f),
                transformed(scenes::torus(20'000, 1, 0.4f), {{1, 0, 0}, rotation_about({1, 0, 0}, 1.6)})},
               {box, moved(box, {3, 0, 0})},
               {box, box}};
  for (const auto& [a, b] : cases) {
    const MeshDistance one = distance(a, b, 1);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(one, distance(a, b, 4)));
    test::for_each_instruction_set([&, &a = a, &b = b] { EXPECT_TRUE(same(one, distance(a, b, 1))); });
  }
}

TEST(Distance, AFinderGivesTheSameInItsKeptMemory) {
  DistanceFinder finder(1);
  for (const std::size_t faces : {3000u, 200u, 20'000u}) {
    const Mesh a = scenes::blob(faces), b = moved(scenes::torus_knot(faces), {2.6f, 0, 0});
    EXPECT_TRUE(same(finder.distance(a, b), distance(a, b, 1)));
  }
}

}  // namespace
}  // namespace lamella
