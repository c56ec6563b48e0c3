#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lamella/error.hpp"
#include "lamella/mesh_io.hpp"
#include "lamella/query.hpp"
#include "lamella/separation.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "support/shared_meshes.hpp"

namespace lamella {
namespace {

using test::append;
using test::box_mesh;
using test::Random;
using test::round_sphere;

Mesh moved(const Mesh& mesh, Vec3d by) { return transformed(mesh, {by, {}}); }
Vec3d any_direction(Random& random) {
  for (;;) {
    const Vec3d d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (const double size = length(d); size > 0.1 && size < 1) return d * (1 / size);
  }
}
Quaternion any_turn(Random& random) { return rotation_about(any_direction(random), random.uniform(0, 6)); }

/// What holds for every pair that was separated.
void expect_separated(const Mesh& a, const Mesh& b, const Separation& s) {
  EXPECT_EQ(s.before, Verdict::colliding);
  EXPECT_EQ(s.after, Verdict::clear);
  EXPECT_TRUE(s.certificate.certain);
  EXPECT_NEAR(length(s.direction), 1, 1e-12);
  EXPECT_LT(length(s.translation - s.direction * (s.length + s.margin)), 1e-12);
  EXPECT_GT(s.margin, 0);
  EXPECT_LT(s.margin, 1e-4 * (1 + s.length));
  EXPECT_GT(s.directions, 0u);
  // As the user moves it; and a little less is not enough.
  const Overlap after = intersect(transformed(a, {s.translation, {}}), b, {.certify = true});
  EXPECT_EQ(after.verdict, Verdict::clear);
  EXPECT_TRUE(after.certificate.certain);
  const Overlap before = intersect(transformed(a, {s.direction * (s.length * (1 - 1e-3)), {}}), b, {.certify = true});
  EXPECT_EQ(before.verdict, Verdict::colliding);
}

TEST(Separation, OfTwoBoxesIsTheLeastOfSixWays) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.5f, 0.25f, -0.7f}, {3, 3, 3});
  const Separation s = separation(a, b);
  expect_separated(a, b, s);
  EXPECT_NEAR(s.length, 0.5, 1e-5);
  EXPECT_NEAR(s.direction.x, -1, 1e-3);
}

TEST(Separation, OfRandomBoxesIsTheLeastOfSixWays) {
  Separator separator({.directions = 200});
  Random random(1);
  for (int i = 0; i < 8; ++i) {
    const auto corner = [&] { return Vec3{random.uniform(0.3f, 2), random.uniform(0.3f, 2), random.uniform(0.3f, 2)}; };
    const Vec3 half_a = corner(), half_b = corner();
    const Mesh a = box_mesh(half_a * -1.0f, half_a);
    Vec3 by;
    for (int k = 0; k < 3; ++k) by[k] = random.uniform(-0.8f, 0.8f) * (half_a[k] + half_b[k]);
    const Mesh b = box_mesh(by - half_b, by + half_b);
    double expected = HUGE_VAL;
    for (int k = 0; k < 3; ++k) expected = std::min(expected, double{half_a[k]} + half_b[k] - std::abs(by[k]));
    const Separation s = separator.separation(a, b);
    expect_separated(a, b, s);
    EXPECT_NEAR(s.length, expected, 2e-4 * expected) << i;
  }
}

TEST(Separation, OfSpheresIsAlongTheLineOfCentres) {
  const Vec3d apart = Vec3d{0.4, -0.7, 0.5};
  const Mesh a = round_sphere(48, 96), b = moved(round_sphere(48, 96, 1.5f), apart);
  const Separation s = separation(a, b, {.directions = 400});
  expect_separated(a, b, s);
  const double expected = 2.5 - length(apart);
  EXPECT_NEAR(s.length, expected, 5e-3 * expected);
  EXPECT_GT(-dot(s.direction, apart) / length(apart), 0.995);
}

TEST(Separation, TakesAMeshOutOfAnotherThatHoldsIt) {
  const Mesh inner = box_mesh({0.1f, 0.2f, 0.3f}, {0.3f, 0.4f, 0.5f}), outer = box_mesh({-1, -1, -1}, {1, 1, 0.6f});
  const Separation s = separation(inner, outer, {.directions = 200});
  expect_separated(inner, outer, s);
  EXPECT_NEAR(s.length, 0.3, 1e-3);
  EXPECT_GT(s.direction.z, 0.99);
  EXPECT_NEAR(separation(outer, inner, {.directions = 200}).direction.z, -s.direction.z, 1e-9);
}

/// A block with a pit, of boxes that overlap: walls all around, open above.
Mesh pit() {
  Mesh mesh = box_mesh({-2, -2, -1}, {2, 2, 0});
  append(mesh, box_mesh({-2, -2, -0.5f}, {-0.55f, 2, 3}));
  append(mesh, box_mesh({0.55f, -2, -0.5f}, {2, 2, 3}));
  append(mesh, box_mesh({-1, -2, -0.5f}, {1, -0.55f, 3}));
  append(mesh, box_mesh({-1, 0.55f, -0.5f}, {1, 2, 3}));
  return mesh;
}

TEST(Separation, FindsTheOneDirectionThatIsFree) {
  // Through the floor of the pit, with little room beside: straight up is short, all else is as long as the walls.
  const Mesh peg = box_mesh({-0.5f, -0.5f, -0.25f}, {0.5f, 0.5f, 2});
  const Separation s = separation(peg, pit());
  expect_separated(peg, pit(), s);
  EXPECT_NEAR(s.length, 0.25, 2e-3);
  EXPECT_GT(s.direction.z, 0.98);
}

TEST(Separation, OfLinkedRingsIsAboutTheEndAlone) {
  const Mesh a = scenes::torus(3000, 1, 0.2f);
  const Mesh b = transformed(scenes::torus(3000, 1, 0.2f), {{0.3, 0, 0}, rotation_about({1, 0, 0}, 1.5)});
  const Separation s = separation(a, b, {.directions = 400});
  expect_separated(a, b, s);
  EXPECT_NEAR(s.length, 0.1, 0.01);  // to where they are linked and clear
  EXPECT_LT(s.direction.x, -0.9);
}

TEST(Separation, OfAClearPairIsNothing) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Mesh& b : {moved(a, {3, 0, 0}), moved(a, {1, 0, 0})}) {
    const Separation s = separation(a, b);
    EXPECT_EQ(s.before, Verdict::clear);
    EXPECT_EQ(s.after, Verdict::clear);
    EXPECT_TRUE(s.certificate.certain);
    EXPECT_EQ(s.translation, Vec3d{});
    EXPECT_EQ(s.directions, 0u);
  }
}

TEST(Separation, OfAMeshFromItself) {
  const Mesh a = box_mesh({0, 0, 0}, {3, 1, 2});
  const Separation s = separation(a, a, {.directions = 200});
  expect_separated(a, a, s);
  EXPECT_NEAR(s.length, 1, 1e-3);
}

TEST(Separation, ChangesItsSignWithTheOrder) {
  Separator separator({.directions = 200});
  Random random(5);
  const Mesh models[] = {scenes::torus(800), scenes::hand(1500), scenes::blob(800, 3),
                         box_mesh({-1, -1, -1}, {1, 1, 1})};
  for (int i = 0; i < 6; ++i) {
    const Mesh& a = models[random.below(4)];
    const Mesh b =
        transformed(models[random.below(4)], {any_direction(random) * random.uniform(0, 0.5f), any_turn(random)});
    const Separation there = separator.separation(a, b), back = separator.separation(b, a);
    if (there.before != Verdict::colliding) continue;
    EXPECT_LT(length(there.translation + back.translation), 1e-5 * length(there.translation)) << i;
  }
}

TEST(Separation, TurnsAndMovesWithThePair) {
  Separator separator({.directions = 400});
  Random random(6);
  const Mesh a = scenes::hand(2000), b = moved(scenes::blob(1500, 4), {0.3, 0.2, 0.1});
  const Separation s = separator.separation(a, b);
  expect_separated(a, b, s);
  for (int i = 0; i < 3; ++i) {
    const Transform pose{any_direction(random) * 3, any_turn(random)};
    const Separation turned = separator.separation(transformed(a, pose), transformed(b, pose));
    EXPECT_NEAR(turned.length, s.length, 0.03 * s.length);
  }
  const Vec3d far{1e7, -2e7, 3e7};
  const Separation away = separator.separation(moved(a, far), moved(b, far));
  EXPECT_NEAR(away.length, s.length, 1e-3 * s.length);
  EXPECT_EQ(away.after, Verdict::clear);
}

TEST(Separation, OfACornerJustInsideAFaceIsItsDepth) {
  const Mesh cube =
      transformed(box_mesh({0, 0, 0}, {1, 1, 1}), {{}, normalized({std::sqrt(2.0), -1, 0, 1 + std::sqrt(3.0)})});
  const Aabb box = bounds(cube);
  const Mesh floor = box_mesh({-3, -4, -5}, {5, 4, 0});
  for (const double depth : {0.3, 1e-2, 1e-3, 1e-4}) {
    const Mesh a = moved(cube, {0.1, 0.2, -double{box.min.z} - depth});
    const Separation s = separation(a, floor, {.directions = 300});
    expect_separated(a, floor, s);
    EXPECT_NEAR(s.length, depth, 0.02 * depth);
    EXPECT_GT(s.direction.z, 0.98);
  }
}

TEST(Separation, FindsAnOverlapTooSmallForTheRays) {
  // A comb's teeth overlap a plate by a hair, over a wide image.
  Mesh comb;
  for (int i = 0; i < 40; ++i) {
    const auto x = static_cast<float>(i);
    append(comb, box_mesh({x, 0, 0}, {x + 0.01f, 0.01f, 1}));
  }
  const Mesh plate = box_mesh({-1, -20, -5}, {41, 20, 0.001f});
  const Separation s = separation(comb, plate, {.directions = 200});
  EXPECT_EQ(s.after, Verdict::clear);
  EXPECT_TRUE(s.certificate.certain);
  EXPECT_LT(s.length, 0.01);
}

TEST(Separation, HasTheSameBitsForAnyNumberOfThreads) {
  const Mesh corner =
      transformed(box_mesh({0, 0, 0}, {1, 1, 1}), {{}, normalized({std::sqrt(2.0), -1, 0, 1 + std::sqrt(3.0)})});
  const std::pair<Mesh, Mesh> pairs[] = {
      {scenes::hand(1500), moved(scenes::blob(1000, 4), {0.3, 0.2, 0.1})},
      {scenes::torus_knot(12'000), scenes::blob(12'000, 3)},  // large enough that triangles are merged
      // So shallow that nine ways are measured.
      {moved(corner, {0.1, 0.2, -double{bounds(corner).min.z} - 1e-3}), box_mesh({-3, -4, -5}, {5, 4, 0})}};
  for (const auto& [a, b] : pairs) {
    const Separation one = separation(a, b, {.directions = 200, .threads = 1});
    EXPECT_EQ(one.after, Verdict::clear);
    for (const unsigned threads : {2u, 3u}) {
      const Separation s = separation(a, b, {.directions = 200, .threads = threads});
      EXPECT_EQ(s.translation, one.translation);
      EXPECT_EQ(s.length, one.length);
      EXPECT_EQ(s.margin, one.margin);
      EXPECT_EQ(s.directions, one.directions);
    }
  }
}

TEST(Separation, KeepsNothingOfThePairBefore) {
  const Mesh a = scenes::torus_knot(12'000), b = scenes::blob(12'000, 3), c = scenes::hand(1500);
  Separator separator({.directions = 200});
  const Separation first = separator.separation(a, b);
  (void)separator.separation(moved(c, {0.1, 0, 0}), a);
  EXPECT_EQ(separator.separation(a, b).translation, first.translation);
}

TEST(Separation, OfBrokenMeshesIsUndecidedNotWrong) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1}), other = box_mesh({0.5f, 0.5f, 0.5f}, {2, 2, 2});
  Mesh open = other;
  open.triangles.pop_back();
  Mesh broken = other;
  broken.positions[7].y = std::numeric_limits<float>::quiet_NaN();
  for (const Mesh& b : {open, broken}) {
    const Separation s = separation(box, b, {.directions = 50});
    EXPECT_NE(s.before, Verdict::clear);
    if (s.after == Verdict::clear) {  // only where not even the boxes meet
      const Aabb box_a = bounds(moved(box, s.translation)), box_b = bounds(b);
      bool apart = false;
      for (int k = 0; k < 3; ++k) apart = apart || box_a.max[k] < box_b.min[k] || box_b.max[k] < box_a.min[k];
      EXPECT_TRUE(apart);
    }
    EXPECT_TRUE(std::isfinite(length(s.translation)));
  }
  for (const Mesh& b : {Mesh{}, Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}}) {
    const Separation s = separation(box, b, {.directions = 50});
    EXPECT_TRUE(std::isfinite(length(s.translation)));
  }
  EXPECT_EQ(separation(box, Mesh{}).before, Verdict::clear);
}

TEST(Separation, OfMeshesOfAnySizeIsInProportion) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.75f, 0.25f, -0.7f}, {3, 3, 3});
  const auto scaled = [](Mesh mesh, float scale) {
    for (Vec3& p : mesh.positions) p = p * scale;
    return mesh;
  };
  Separator separator({.directions = 50});
  for (const float scale : {1e-41f, 1e-30f, 1e-12f, 1e12f, 1e29f, 1e38f}) {
    const Separation s = separator.separation(scaled(a, scale), scaled(b, scale));
    if (scale > 1e-20f && scale < 1e20f) {
      EXPECT_NEAR(s.length / scale, 0.25, 1e-3);
      EXPECT_EQ(s.after, Verdict::clear);
    }
    EXPECT_FALSE(std::isnan(length(s.translation))) << scale;
    const FreeInterval z = separator.free_shifts(scaled(a, scale), scaled(b, scale), {0, 0, 1});
    EXPECT_FALSE(std::isnan(z.forward + z.backward)) << scale;
    const auto hit = sweep(scaled(a, scale), scaled(b, scale), {0, 0, double{scale}});
    EXPECT_FALSE(hit && std::isnan(hit->time)) << scale;
  }
}

TEST(Separation, RefusesWhatItCannotUse) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_THROW((void)separation(box, box, {.engine = "nonsense"}), Error);
  EXPECT_THROW((void)separation(box, box, {.engine = "reference"}), Error);
  EXPECT_THROW((void)separation(box, box, {.resolution = 0}), Error);
  Mesh out_of_range = box;
  out_of_range.triangles[2].c = 8;
  EXPECT_THROW((void)separation(box, out_of_range), Error);
}

TEST(Separation, OfRealMeshesIsProved) {
  LAMELLA_NEED_SHARED_MESHES();
  const auto load = [](const char* name) {
    Mesh mesh = read_mesh(test::shared_meshes() / name);
    const Aabb box = bounds(mesh);
    for (Vec3& p : mesh.positions) p = (p - center(box)) * (1 / length(extent(box)));
    return mesh;
  };
  const Mesh a = load("mug_21k.ply");
  const Mesh b = transformed(load("turbine_18k.ply"), {{0.1, 0.05, 0}, rotation_about({1, 2, 3}, 2)});
  expect_separated(a, b, separation(a, b, {.directions = 100}));
}

}  // namespace
}  // namespace lamella
