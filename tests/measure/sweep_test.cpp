#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "lamella/separation.hpp"
#include "measure/triangle_sweep.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::Random;
using test::round_sphere;

Mesh moved(const Mesh& mesh, Vec3d by) { return transformed(mesh, {by, {}}); }

TEST(Sweep, BoxTouchesABoxAhead) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.25f, 0.25f, 3}, {0.75f, 0.75f, 4});
  const auto hit = sweep(a, b, {0, 0, 8});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->time, 0.25);
  EXPECT_FALSE(hit->overlapping);
  EXPECT_EQ(hit->position.z, 3);
  EXPECT_GT(hit->position.x, 0.25);
  EXPECT_LT(hit->position.x, 0.75);
  EXPECT_EQ(hit->normal, (Vec3d{0, 0, -1}));
  EXPECT_GT(hit->triangle_a, 1u);  // the face at z = 1
  EXPECT_LT(hit->triangle_b, 2u);  // the face at z = 3
}

TEST(Sweep, NothingIsTouchedBesideBehindOrBeyondTheMotion) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0, 0, 3}, {1, 1, 4});
  EXPECT_FALSE(sweep(a, b, {0, 0, 1.999}));
  EXPECT_TRUE(sweep(a, b, {0, 0, 2}));
  EXPECT_FALSE(sweep(a, b, {0, 0, -8}));
  EXPECT_FALSE(sweep(a, b, {8, 0, 0}));
  EXPECT_FALSE(sweep(a, moved(b, {1.01, 0, 0}), {0, 0, 8}));
  EXPECT_FALSE(sweep(a, b, {0, 0, 0}));
}

TEST(Sweep, SolidsThatTouchCanSlideAndPartButNotMoveOn) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), below = box_mesh({-4, -4, -1}, {4, 4, 0});
  EXPECT_FALSE(sweep(a, below, {2, 0, 0}));
  EXPECT_FALSE(sweep(a, below, {1, 0.7, 0}));
  EXPECT_FALSE(sweep(a, below, {0, 0, 2}));
  const auto hit = sweep(a, below, {0, 0, -2});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->time, 0);
  EXPECT_FALSE(hit->overlapping);
  // Past a wall that it touches sideways.
  EXPECT_FALSE(sweep(a, box_mesh({1, -4, -1}, {2, 4, 4}), {0, 3, 0}));
}

TEST(Sweep, OverlapAtTheStartIsTold) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
  for (const Mesh& b : {box_mesh({0.5f, 0.5f, 0.5f}, {3, 3, 3}), box_mesh({0.25f, 0.25f, 0.25f}, {0.5f, 0.5f, 0.5f}),
                        box_mesh({-1, -1, -1}, {2, 2, 2})}) {
    const auto hit = sweep(a, b, {1, 2, 3});
    ASSERT_TRUE(hit);
    EXPECT_TRUE(hit->overlapping);
    EXPECT_EQ(hit->time, 0);
  }
}

/// A solid with a part that looks inwards, and a solid with flat parts: they overlap at the start, but the proof, which
/// looks at some of the places where surfaces meet, finds flat parts alone.
TEST(Sweep, OverlapAtTheStartIsToldWhereItIsNotProved) {
  Mesh a{{{6, 7, 7}, {6, 2, 0}, {5, 2, 3}, {4, 1, 2}, {2, 6, 1}, {0, 0, 0}, {7, 2, 4}, {5, 6, 6}},
         {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}, {4, 6, 5}, {4, 7, 6}, {6, 7, 5}, {5, 7, 4}}};
  Mesh b{{{5, 3, 2}}, {}};
  const Triangle box[] = {{2, 0, 1}, {2, 1, 3}, {5, 4, 6}, {7, 5, 6}, {1, 0, 4}, {5, 1, 4},
                          {6, 2, 3}, {6, 3, 7}, {4, 0, 2}, {4, 2, 6}, {3, 1, 5}, {7, 3, 5}};
  const auto append_box = [&](std::array<Vec3, 4> sheet) {  // without a height
    const auto first = static_cast<std::uint32_t>(b.positions.size());
    for (int twice = 0; twice < 2; ++twice) b.positions.insert(b.positions.end(), sheet.begin(), sheet.end());
    for (const Triangle& t : box) b.triangles.push_back({first + t.a, first + t.b, first + t.c});
  };
  b.triangles.assign(4, {0, 0, 0});
  append_box({{{2, 0, 0}, {6, 0, 0}, {2, 6, 0}, {6, 6, 0}}});
  append_box({});
  b.positions.insert(b.positions.end(), {{0, 0, 4}, {1, 6, 3}, {1, 1, 2}, {5, 3, 1}});
  for (const Triangle& t : {Triangle{17, 18, 19}, {17, 20, 18}, {18, 20, 19}, {19, 20, 17}}) b.triangles.push_back(t);
  for (Mesh* mesh : {&a, &b})
    for (Vec3& p : mesh->positions) p = p + Vec3{1000, 1000, 1000};
  for (const Vec3d motion : {Vec3d{6, 2, -3}, Vec3d{-6, -2, 3}, Vec3d{0, 0, 1}, Vec3d{}}) {
    const auto hit = sweep(a, b, motion);
    ASSERT_TRUE(hit);
    EXPECT_TRUE(hit->overlapping);
    EXPECT_EQ(hit->time, 0);
  }
}

TEST(Sweep, OfAnOpenMeshThatCrossesAtTheStartHasNoNormal) {
  Mesh open = box_mesh({0, 0, 0}, {1, 1, 1});
  open.triangles.resize(open.triangles.size() - 2);
  int crossing = 0;
  for (const Mesh& b : {box_mesh({-1, 0.25f, 0.25f}, {2, 0.75f, 0.75f}), box_mesh({0.5f, 0.5f, 0.5f}, {3, 3, 3})})
    for (const Vec3d motion : {Vec3d{1, 2, 3}, Vec3d{-2, 1, 1}, Vec3d{1, -3, 0.5}}) {
      const auto hit = sweep(open, b, motion);
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->time, 0);
      if (!hit->overlapping) continue;  // nothing is proved of an open mesh, and others touch at the start as well
      EXPECT_EQ(hit->normal, Vec3d{});
      ++crossing;
    }
  EXPECT_GT(crossing, 0);
}

TEST(Sweep, ThinPlatesDoNotTunnelHoweverFast) {
  for (const double speed : {1.0, 1e3, 1e6, 1e12})
    for (const float thickness : {1e-2f, 1e-5f, 0.0f}) {
      const Mesh a = box_mesh({-1, -1, -thickness}, {1, 1, 0});
      const Mesh b = box_mesh({-1, -1, 0.5f}, {1, 1, 0.5f + thickness});
      const auto hit = sweep(a, b, {0, 0, speed});
      ASSERT_TRUE(hit) << speed << ' ' << thickness;
      EXPECT_NEAR(hit->time * speed, 0.5, 1e-6);
    }
}

TEST(Sweep, SpheresTouchOnTheLineOfCentres) {
  const Mesh a = round_sphere(64, 128), b = moved(round_sphere(64, 128), {5, 1, 0.5});
  const auto hit = sweep(a, b, {10, 0, 0});
  ASSERT_TRUE(hit);
  const double expected = (5 - std::sqrt(4 - 1.25)) / 10;
  EXPECT_NEAR(hit->time, expected, 2e-3);
  const Vec3d middle{2.5 + 5 * hit->time, 0.5, 0.25};
  EXPECT_LT(length(hit->position - middle), 0.08);
}

/// Both sides of every triangle: for pairs whose boxes do not overlap, the first touch is the same.
std::optional<double> brute_force(MeshView a, MeshView b, int axis, double distance) {
  const auto in_view = [&](MeshView mesh, const Triangle& t) {
    ViewTriangle v;
    for (int k = 0; k < 3; ++k) {
      const Vec3d p = to_double(mesh.positions[t[k]]);
      v.at[k] = {p[(axis + 1) % 3], p[(axis + 2) % 3], p[axis]};
    }
    return v;
  };
  std::optional<double> first;
  for (const Triangle& t : a.triangles)
    for (const Triangle& s : b.triangles) {
      const auto touch = sweep_triangle(in_view(a, t), in_view(b, s));
      if (touch && touch->shift <= distance && (!first || touch->shift < *first)) first = touch->shift;
    }
  return first;
}

RC_GTEST_PROP(Sweep, IsTheFirstOfAllPairsOfTriangles, ()) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  static const Mesh models[] = {scenes::torus(300), scenes::blob(400, 5), scenes::hand(500), scenes::torus_knot(400),
                                box_mesh({-1, -1, -1}, {1, 1, 1})};
  const auto model = [&] {
    const Mesh& mesh = models[random.below(5)];
    const Quaternion turn = normalized({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 0.1});
    return transformed(mesh, {{}, turn});
  };
  const Mesh a = model();
  const int axis = static_cast<int>(random.below(3));
  Vec3d at{random.uniform(-1.5f, 1.5f), random.uniform(-1.5f, 1.5f), random.uniform(-1.5f, 1.5f)};
  at[axis] = 8;
  const Mesh b = moved(model(), at);
  Vec3d motion;
  motion[axis] = 12;
  const auto hit = sweep(a, b, motion, 1 + random.below(2));
  const auto expected = brute_force(a, b, axis, 12);
  RC_ASSERT(hit.has_value() == expected.has_value());
  if (hit) {
    RC_ASSERT(std::abs(hit->time * 12 - *expected) < 1e-12);
    RC_ASSERT(!hit->overlapping);
  }
}

/// Triangles of all sizes, anywhere; from a millionth to the whole.
Mesh any_triangles(Random& random, std::uint32_t count, Vec3 around) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 at = around + random.in({{-1, -1, -1}, {1, 1, 1}});
    const float size = std::pow(10.0f, random.uniform(-6, 0.3f));
    for (int k = 0; k < 3; ++k) mesh.positions.push_back(at + random.in({{-size, -size, -size}, {size, size, size}}));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

RC_GTEST_PROP(Sweep, OfAnyTrianglesIsTheFirstOfAllPairs, ()) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  const int axis = static_cast<int>(random.below(3));
  Vec3 at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  at[axis] = random.below(2) == 0 ? 9.0f : 1e4f;
  const Mesh a = any_triangles(random, 1 + random.below(300), {}), b = any_triangles(random, 1 + random.below(300), at);
  Vec3d motion;
  motion[axis] = 2e4;
  const auto hit = Sweeper(1).sweep(a, b, motion);
  const auto expected = brute_force(a, b, axis, 2e4);
  RC_ASSERT(hit.has_value() == expected.has_value());
  if (hit) RC_ASSERT(std::abs(hit->time * 2e4 - *expected) < 1e-11);
}

RC_GTEST_PROP(Sweep, AgreesWithItsReverse, ()) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  static const Mesh a = scenes::blob(400, 3), hand = scenes::hand(900);
  const Mesh b = transformed(hand, {{random.uniform(3, 6), random.uniform(-1, 1), random.uniform(-1, 1)},
                                    normalized({random.uniform(-1, 1), random.uniform(-1, 1), 0.3, 0.4})});
  const Vec3d motion{10, random.uniform(-1, 1), random.uniform(-1, 1)};
  const auto there = sweep(a, b, motion), back = sweep(b, a, -motion);
  RC_ASSERT(there.has_value() == back.has_value());
  if (!there) return;
  RC_ASSERT(std::abs(there->time - back->time) < 1e-12);
  // Moved there, they touch but do not overlap, to rounding.
  RC_ASSERT(!sweep(transformed(a, {motion * (there->time - 1e-4), {}}), b, motion * 0.5e-4));
}

TEST(Sweep, FarFromTheOriginNothingIsLost) {
  Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0.25f, 0.25f, 3}, {0.75f, 0.75f, 4});
  a.origin = b.origin = {1e9, -1e9, 1e9};
  const auto hit = sweep(a, b, {0, 0, 8});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time, 0.25, 1e-7);
  EXPECT_NEAR(hit->position.z, 1e9 + 3, 1e-6);
}

TEST(Sweep, DoublesAreTakenAsTheyAre) {
  const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1}), b = box_mesh({0, 0, 3}, {1, 1, 4});
  std::vector<Vec3d> wide;
  for (const Vec3 p : b.positions) wide.push_back(to_double(p) + Vec3d{0.1, 0.1, 1e-9});
  const auto hit = sweep(a, {.positions = {}, .triangles = b.triangles, .wide = wide}, {0, 0, 4});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time * 4, 2 + 1e-9, 1e-14);
}

TEST(Sweep, LargeTrianglesBesideSmallOnes) {
  const Mesh small = round_sphere(24, 48, 0.01f), floor = box_mesh({-1000, -1000, -1}, {1000, 1000, 0});
  const Mesh a = moved(small, {700.3, -123.4, 5});
  const auto hit = sweep(a, floor, {3, 1, -10});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time, 0.499, 1e-5);
  EXPECT_LT(length(hit->normal - Vec3d{0, 0, 1}), 1e-12);
}

TEST(Sweep, OpenAndBrokenMeshes) {
  const Mesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  const Mesh sheet{{{-1, -1, 3}, {2, -1, 3}, {0, 4, 3}}, {{0, 1, 2}}};
  Mesh turned = sheet;
  std::swap(turned.triangles[0].b, turned.triangles[0].c);
  for (const Mesh& b : {sheet, turned}) {
    const auto hit = sweep(box, b, {0, 0, 4});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->time, 0.5, 1e-12);
    EXPECT_EQ(hit->normal, (Vec3d{0, 0, -1}));
    EXPECT_TRUE(sweep(b, box, {0, 0, -4}));
  }
  Mesh inside_out = moved(box, {0.2, 0.2, 3});
  for (Triangle& t : inside_out.triangles) std::swap(t.b, t.c);
  const auto hit = sweep(box, inside_out, {0, 0, 4});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time, 0.5, 1e-6);
  EXPECT_FALSE(sweep(box, Mesh{}, {0, 0, 4}));
  EXPECT_FALSE(sweep(Mesh{}, box, {0, 0, 4}));
  Mesh broken = box;
  broken.positions[7].x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(sweep(broken, moved(box, {0.2, 0.2, 2}), {0, 0, 4}));
  Mesh out_of_range = box;
  out_of_range.triangles[3].b = 99;
  EXPECT_THROW((void)sweep(box, out_of_range, {0, 0, 4}), Error);
  EXPECT_THROW((void)sweep(box, box, {0, NAN, 4}), Error);
  EXPECT_THROW((void)sweep(box, box, {0, HUGE_VAL, 4}), Error);
}

TEST(Sweep, ASweeperGivesTheSameAnswersAgain) {
  Sweeper sweeper(2);
  const Mesh a = scenes::torus(2000), b = moved(scenes::blob(3000), {4, 0.3, 0.2});
  const auto first = sweeper.sweep(a, b, {8, 0, 0});
  (void)sweeper.sweep(b, a, {-8, 1, 0});
  const auto again = sweeper.sweep(a, b, {8, 0, 0}), other = Sweeper(1).sweep(a, b, {8, 0, 0});
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(first->time, again->time);
  EXPECT_EQ(first->time, other->time);
  EXPECT_EQ(first->position, other->position);
  EXPECT_EQ(first->triangle_a, other->triangle_a);
  EXPECT_EQ(first->triangle_b, other->triangle_b);
}

}  // namespace
}  // namespace lamella
