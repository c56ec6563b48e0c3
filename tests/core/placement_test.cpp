// Poses: their matrices, the boxes of what they place, and which ones are refused.

#include "core/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check_pose.hpp"
#include "support/closed_meshes.hpp"
#include "support/errors.hpp"

namespace lamella {
namespace {

using test::Random;

Vec3d random_vector(Random& random) { return to_double(random.in({{-3, -3, -3}, {3, 3, 3}})); }

Transform random_pose(Random& random) {
  return {random_vector(random), rotation_about(random_vector(random), random.uniform(-3, 3))};
}

Vec3d placed(const Placement& p, Vec3d v) {
  return Vec3d{dot(p.rows[0], v), dot(p.rows[1], v), dot(p.rows[2], v)} + p.translation;
}

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-12) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << k;
}

TEST(Placement, TheMatrixDoesWhatThePoseDoes) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Transform pose = random_pose(random);
    const Vec3d p = random_vector(random);
    expect_near(placed(placement_of(pose), p), apply(pose, p));
  }
}

TEST(Placement, TheWayBackUndoesThePoseWhateverTheQuaternionsLength) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    Transform pose = random_pose(random);
    const Vec3d p = random_vector(random), moved = apply(pose, p);
    const double size = 1 + 0.0005 * i;
    auto& [x, y, z, w] = pose.rotation;
    x *= size, y *= size, z *= size, w *= size;
    expect_near(placed(placement_into(pose), moved), p);
    const Transform unit = normalised(pose);
    EXPECT_EQ(unit.translation, pose.translation);
    expect_near(apply(unit, p), moved);
  }
}

TEST(Placement, AChainPlacesByTheFirstThenByTheSecond) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Transform first = random_pose(random), second = random_pose(random);
    const Vec3d p = random_vector(random);
    expect_near(placed(chain(placement_of(first), placement_of(second)), p), apply(second, apply(first, p)));
  }
}

TEST(Placement, OnlyAPoseThatMovesNothingIsTheIdentity) {
  EXPECT_TRUE(is_identity({}));
  EXPECT_TRUE(is_identity({{}, {0, 0, 0, -1}}));
  for (int k = 0; k < 3; ++k) {
    Transform moved, turned;
    moved.translation[k] = 1e-300;
    Vec3d axis;
    axis[k] = 1;
    turned.rotation = rotation_about(axis, 1e-9);
    EXPECT_FALSE(is_identity(moved));
    EXPECT_FALSE(is_identity(turned));
  }
}

/// The box about the placed corners, or about a ball where that is smaller, and a little more.
TEST(Placement, ThePlacedBoxIsThatOfTheCornersOrTheBallWidenedByRounding) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const Vec3 low = random.in({{-3, -3, -3}, {3, 3, 3}});
    const Aabb box{low, low + random.in({{0, 0, 0}, {2, 1, 3}})};
    const Transform pose = random_pose(random);
    const double radius = random.below(2) == 0 ? random.uniform(0.1f, 2) : std::numeric_limits<double>::infinity();
    const Vec3d middle = apply(pose, (to_double(box.min) + to_double(box.max)) * 0.5);
    Vec3d reach;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3d c{(corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                    (corner & 4) != 0 ? box.max.z : box.min.z};
      const Vec3d at = apply(pose, c);
      for (int k = 0; k < 3; ++k) reach[k] = std::max(reach[k], std::abs(at[k] - middle[k]));
    }
    const Aabb got = placed_box(box, pose, radius);
    for (int k = 0; k < 3; ++k) {
      const double rounding = (std::abs(middle[k]) + reach[k]) / (1 << 20),
                   most = std::min(reach[k], radius) + rounding;
      // Within the rounding of the result to float.
      const double close = 0x1p-23 * (std::abs(middle[k]) + most);
      EXPECT_NEAR(got.min[k], middle[k] - most, close);
      EXPECT_NEAR(got.max[k], middle[k] + most, close);
      EXPECT_LT(got.min[k], middle[k] - std::min(reach[k], radius));
      EXPECT_GT(got.max[k], middle[k] + std::min(reach[k], radius));
    }
  }
}

TEST(Placement, ThePlacedBoxOfAPointIsNotFlatAndThatOfNothingIsEmpty) {
  const Aabb point = placed_box({{0, 0, 0}, {0, 0, 0}}, {});
  const float least = std::numeric_limits<float>::min();
  EXPECT_EQ(point, (Aabb{{-least, -least, -least}, {least, least, least}}));
  EXPECT_EQ(placed_box(Aabb{}, {{1, 2, 3}, {}}), Aabb{});
}

TEST(CheckPose, EveryNumberMustBeFinite) {
  EXPECT_NO_THROW(check_pose({}, kPoseTolerance));
  for (const double broken : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    Transform poses[7];
    for (int k = 0; k < 3; ++k) poses[k].translation[k] = broken;
    poses[3].rotation.x = poses[4].rotation.y = poses[5].rotation.z = poses[6].rotation.w = broken;
    for (const Transform& pose : poses)
      EXPECT_STREQ(test::error_of([&] { check_pose(pose, 1e9); }).what(),
                   "the pose is not finite: use finite numbers for translation and rotation");
  }
}

TEST(CheckPose, TheSquaredLengthMayDifferByTheToleranceOnEitherSide) {
  for (int k = 0; k < 4; ++k) {
    Transform longer, shorter;
    double* parts[] = {&longer.rotation.x, &longer.rotation.y, &longer.rotation.z, &longer.rotation.w};
    longer.rotation.w = 0;
    *parts[k] = 1.5;  // 2.25 in all
    EXPECT_NO_THROW(check_pose(longer, 1.25));
    EXPECT_STREQ(test::error_of([&] { check_pose(longer, 1.2499); }).what(),
                 "the rotation's quaternion is not of length 1: normalise it");
    shorter.rotation.w = 0.5;
    EXPECT_NO_THROW(check_pose(shorter, 0.75));
    EXPECT_THROW(check_pose(shorter, 0.7499), Error);
  }
  EXPECT_EQ(kPoseTolerance, 0.001);
}

}  // namespace
}  // namespace lamella
