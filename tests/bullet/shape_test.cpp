#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <type_traits>
#include <vector>

#include "lamella/error.hpp"
#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "tests/bullet/world.hpp"

namespace lamella {
namespace {

using bullet::MeshShape;
using bullet::principal_frame;
using test::at;
using test::BulletWorld;

const btQuaternion kTurn(btVector3(1, 2, -0.5f).normalized(), 0.9f);

TEST(BulletShape, ABoxHasTheInertiaOfABox) {
  const MeshShape shape(test::box_mesh({-1, -0.5f, -0.25f}, {1, 0.5f, 0.25f}));
  btVector3 inertia;
  shape.calculateLocalInertia(12, inertia);
  EXPECT_NEAR(inertia.x(), 1.0 + 0.25, 1e-5);
  EXPECT_NEAR(inertia.y(), 4.0 + 0.25, 1e-5);
  EXPECT_NEAR(inertia.z(), 4.0 + 1.0, 1e-5);
}

TEST(BulletShape, ThePrincipalFrameFindsABoxThatWasMovedAndTurned) {
  Mesh mesh = test::box_mesh({-1, -0.5f, -0.25f}, {1, 0.5f, 0.25f});
  const btTransform moved = at(3, -2, 5, kTurn);
  for (Vec3& p : mesh.positions) {
    const btVector3 q = moved * test::to_bullet(p);
    p = {q.x(), q.y(), q.z()};
  }
  const btTransform frame = principal_frame(mesh);
  EXPECT_LT((frame.getOrigin() - moved.getOrigin()).length(), 1e-5);
  EXPECT_NEAR(frame.getBasis().determinant(), 1, 1e-5);
  btVector3 inertia;
  const MeshShape shape(mesh, frame);
  shape.calculateLocalInertia(12, inertia);
  std::array<float, 3> sorted{inertia.x(), inertia.y(), inertia.z()};
  std::sort(sorted.begin(), sorted.end());
  EXPECT_THAT(sorted, testing::Pointwise(testing::FloatNear(1e-4f), {1.25f, 4.25f, 5.0f}));
  // In its frame the box lies along the axes.
  for (const Vec3 p : shape.mesh().positions) {
    std::array<float, 3> sides{std::abs(p.x), std::abs(p.y), std::abs(p.z)};
    std::sort(sides.begin(), sides.end());
    EXPECT_THAT(sides, testing::Pointwise(testing::FloatNear(1e-5f), {0.25f, 0.5f, 1.0f}));
  }
}

TEST(BulletShape, TheFrameOfASymmetricMeshKeepsItsAxes) {
  EXPECT_TRUE(principal_frame(scenes::box(12, {1, 2, 3})).getBasis() == btMatrix3x3::getIdentity());
}

TEST(BulletShape, ItsBoxHoldsAllOfItInAnyPose) {
  const MeshShape shape(scenes::torus_knot(1000));
  for (int i = 0; i < 20; ++i) {
    const btTransform pose =
        at(i, -i, 2 * i, btQuaternion(btVector3(1, 0.1f * float(i), 0.3f).normalized(), 0.3f * float(i)));
    btVector3 low, high;
    shape.getAabb(pose, low, high);
    for (const Vec3 p : shape.mesh().positions) {
      const btVector3 q = pose * test::to_bullet(p);
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_GE(q[axis], low[axis] - 1e-5f);
        ASSERT_LE(q[axis], high[axis] + 1e-5f);
      }
    }
  }
}

TEST(BulletShape, UpdateAndScalingChangePositionsAndCount) {
  const Mesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
  MeshShape shape(box, at(1, 0, 0));
  EXPECT_EQ(shape.mesh().positions[0], (Vec3{-2, -1, -1}));
  shape.deform(test::box_mesh({-1, -1, -1}, {1, 1, 3}).positions);
  EXPECT_EQ(shape.mesh().positions[7], (Vec3{0, 1, 3}));
  shape.setLocalScaling({2, 1, 1});
  EXPECT_EQ(shape.mesh().positions[0], (Vec3{-4, -1, -1}));
  EXPECT_EQ(shape.revision(), 2u);
  shape.deform(box.positions);
  EXPECT_EQ(shape.mesh().positions[0], (Vec3{-4, -1, -1})) << "the scaling stays";
  EXPECT_NE(shape.identity(), MeshShape(box).identity());
}

TEST(BulletShape, AnIndexOutOfRangeIsAnError) {
  Mesh broken = test::box_mesh({0, 0, 0}, {1, 1, 1});
  broken.triangles[3].b = 8;
  EXPECT_THROW(MeshShape{broken}, Error);
}

TEST(BulletShape, AnUpdateWithAnotherNumberOfPositionsIsAnErrorAndChangesNothing) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  MeshShape shape(box);
  const std::vector<Vec3> more(1000, Vec3{5, 5, 5}), fewer(7, Vec3{5, 5, 5});
  EXPECT_THROW(shape.deform(more), Error);
  EXPECT_THROW(shape.deform(fewer), Error);
  EXPECT_EQ(shape.revision(), 0u);
  EXPECT_THAT(shape.mesh().positions, testing::ElementsAreArray(box.positions));
}

TEST(BulletShape, AScalingThatIsNotAbove0IsAnErrorAndChangesNothing) {
  MeshShape shape(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
  for (const btScalar factor : {btScalar(0), btScalar(-1), nan, std::numeric_limits<btScalar>::infinity()}) {
    for (int axis = 0; axis < 3; ++axis) {
      btVector3 scaling(1, 1, 1);
      scaling[axis] = factor;
      EXPECT_THROW(shape.setLocalScaling(scaling), Error) << factor << " along axis " << axis;
    }
  }
  EXPECT_EQ(shape.revision(), 0u);
  EXPECT_EQ(shape.mesh().positions[7], (Vec3{1, 1, 1}));
}

// Copies would share their identity, by which a dispatcher tells shapes from one another.
static_assert(!std::is_copy_constructible_v<MeshShape> && !std::is_copy_assignable_v<MeshShape>);
static_assert(!std::is_move_constructible_v<MeshShape> && !std::is_move_assignable_v<MeshShape>);

TEST(BulletShape, BulletsRaysPassThroughTheHoleOfATorus) {
  BulletWorld bullet;
  bullet.add(scenes::torus(2000), 0);
  bullet.world.updateAabbs();
  const btVector3 up(0, 0, 5), down(0, 0, -5), aside(1, 0, 0);
  btCollisionWorld::ClosestRayResultCallback hole(up, down), tube(up + aside, down + aside);
  bullet.world.rayTest(up, down, hole);
  bullet.world.rayTest(up + aside, down + aside, tube);
  EXPECT_FALSE(hole.hasHit());
  ASSERT_TRUE(tube.hasHit());
  EXPECT_NEAR(tube.m_hitPointWorld.z(), 0.35, 0.01);
}

TEST(BulletShape, BulletsOwnConvexShapesRestOnIt) {
  BulletWorld bullet;
  bullet.add(test::box_mesh({-3, -3, -1}, {3, 3, 0}), 0);
  btSphereShape ball(0.3f);
  btBoxShape brick({0.3f, 0.2f, 0.1f});
  const btRigidBody& a = bullet.add(ball, 1, at(-1, 0, 0.5));
  const btRigidBody& b = bullet.add(brick, 1, at(1, 0, 0.5));
  bullet.run(180);
  EXPECT_NEAR(a.getWorldTransform().getOrigin().z(), 0.3, 0.02);
  EXPECT_NEAR(b.getWorldTransform().getOrigin().z(), 0.1, 0.02);
}

TEST(BulletShape, ItRestsOnBulletsOwnConvexShapes) {
  BulletWorld bullet;
  btBoxShape ground({3, 3, 1});
  bullet.add(ground, 0, at(0, 0, -1));
  const btRigidBody& ring = bullet.add(scenes::torus(800, 0.5f, 0.15f), 1, at(0, 0, 0.3));
  bullet.run(180);
  EXPECT_NEAR(ring.getWorldTransform().getOrigin().z(), 0.15, 0.02);
}

}  // namespace
}  // namespace lamella
