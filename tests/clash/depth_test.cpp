// Depths: as far as exact arithmetic says, not only rays.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "clash/boxes.hpp"
#include "lamella/clash.hpp"
#include "lamella/query.hpp"
#include "lamella/separation.hpp"
#include "scenes/models.hpp"

namespace lamella {
namespace {

using test::box_mesh;
using test::cube;
using test::only_pair;
using test::two_parts;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3d vector(double reach) { return {between(-reach, reach), between(-reach, reach), between(-reach, reach)}; }
  Quaternion turn() {
    const Vec3d axis = vector(1);
    return rotation_about(axis, between(0, 6));
  }

 private:
  std::mt19937 engine_;
};

Mesh some_box(Random& random) {
  const auto half = [&] { return static_cast<float>(0.5 * std::pow(10, random.between(-1.5, 0.5))); };
  const Vec3 size{half(), half(), half()};
  return box_mesh({-size.x, -size.y, -size.z}, size);
}

bool is_clear_after(const Assembly& assembly, const ClashPair& pair, double shift) {
  const Transform& pose = assembly.parts[0].pose;
  const Mesh a = transformed(assembly.meshes[0], {pose.translation + pair.way_out * shift, pose.rotation});
  const Mesh b = transformed(assembly.meshes[1], assembly.parts[1].pose);
  return intersect(a, b, {.certify = true}).verdict == Verdict::clear;
}

void expect_depth(const Assembly& assembly) {
  const ClashPair p = only_pair(assembly);
  if (p.verdict != Verdict::colliding) return;
  ASSERT_GT(p.depth, 0);
  EXPECT_NEAR(length(p.way_out), 1, 1e-9);
  EXPECT_TRUE(is_clear_after(assembly, p, 1.011 * p.depth + 1e-5)) << p.depth;
  EXPECT_FALSE(is_clear_after(assembly, p, 0.98 * p.depth - 1e-5)) << p.depth << ": further than it must";
}

TEST(ClashDepth, TakesBoxesOutOfACube) {
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE("pair " + std::to_string(i));
    const Mesh box = some_box(random);
    const Vec3d at = random.vector(1.2);
    expect_depth(two_parts(box, cube(1), {-at, random.turn()}));
  }
}

TEST(ClashDepth, TakesACornerOutOfACube) {
  const Quaternion onto_a_corner = rotation_about({1, -1, 0}, std::acos(1 / std::sqrt(3.0)));
  for (const double deep : {0.003, 0.03, 0.3}) {
    SCOPED_TRACE(deep);
    const Assembly corner =
        two_parts(cube(1), cube(0.5f), {{0.2, 0.13, 1 + 0.5 * std::sqrt(3.0) - deep}, onto_a_corner});
    expect_depth(corner);
    EXPECT_NEAR(only_pair(corner).depth, deep, 0.011 * deep);
  }
}

TEST(ClashDepth, TakesKnotsOutOfEachOther) {
  const Mesh knot = scenes::torus_knot(2000);
  Random random(7);
  for (int i = 0; i < 6; ++i) {
    SCOPED_TRACE("pair " + std::to_string(i));
    expect_depth(two_parts(knot, knot, {random.vector(1), random.turn()}));
  }
}

TEST(ClashDepth, TheShortestIsThatOfSeparation) {
  Random random(11);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE("pair " + std::to_string(i));
    const Mesh box = some_box(random);
    const Assembly assembly = two_parts(cube(1), box, {random.vector(1), random.turn()});
    const ClashPair p = only_pair(assembly, {.way_out = WayOut::shortest});
    const Mesh b = transformed(assembly.meshes[1], assembly.parts[1].pose);
    const Separation way = separation(assembly.meshes[0], b);
    if (way.after != Verdict::clear || !(way.length > 0)) continue;
    EXPECT_NEAR(p.depth, way.length, 1e-5 * way.length + 1e-6);
  }
}

TEST(ClashDepth, OfOpenMeshesIsAsFarAsRaysSee) {
  Mesh open = cube(1);
  open.triangles.pop_back();
  const ClashPair p = only_pair(two_parts(open, cube(1), {{1.9, 0, 0}, {}}), {.close_holes = false});
  EXPECT_NEAR(p.depth, 0.1, 0.001);
}

}  // namespace
}  // namespace lamella
