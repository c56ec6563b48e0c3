#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lamella/error.hpp"
#include "support/closed_meshes.hpp"
#include "tests/bullet/world.hpp"

namespace lamella {
namespace {

using test::at;
using test::BulletWorld;

constexpr btScalar kNan = std::numeric_limits<btScalar>::quiet_NaN();
const Mesh kSlab = test::box_mesh({-2, -2, -1}, {2, 2, 0});
const Mesh kBox = test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});

struct Counted : btCollisionWorld::ContactResultCallback {
  btScalar addSingleResult(btManifoldPoint&, const btCollisionObjectWrapper*, int, int, const btCollisionObjectWrapper*,
                           int, int) override {
    ++points;
    return 0;
  }
  int points = 0;
};

int contacts_between(BulletWorld& bullet, btRigidBody& a, btRigidBody& b) {
  Counted counted;
  bullet.world.contactPairTest(&a, &b, counted);
  return counted.points;
}

TEST(BulletMisuse, ATestThatThrowsLeavesNothingBehind) {
  BulletWorld bullet;
  btRigidBody& a = bullet.add(kBox, 1);
  btRigidBody& b = bullet.add(kBox, 1);
  for (const bool first : {false, true}) {
    (first ? a : b).setWorldTransform(at(kNan, 0, 0));
    (first ? b : a).setWorldTransform(at(0, 0, 0));
    EXPECT_THROW(contacts_between(bullet, a, b), Error);
    EXPECT_EQ(bullet.dispatcher.getNumManifolds(), 0);
    a.setWorldTransform(at(0, 0, 0));
    b.setWorldTransform(at(50, 0, 0));
    EXPECT_EQ(contacts_between(bullet, a, b), 0);
    b.setWorldTransform(at(0, 0, 0.95));
    EXPECT_GT(contacts_between(bullet, a, b), 0);
  }
}

TEST(BulletMisuse, ABodyThatIsNowhereDoesNotStopTheOthers) {
  BulletWorld bullet;
  bullet.add(kSlab, 0);
  btRigidBody& below = bullet.add(kBox, 1, at(0, 0, 0.5));
  btRigidBody& lost = bullet.add(kBox, 1, at(0, 0, 1.5));
  for (btRigidBody* body : {&below, &lost}) body->setActivationState(DISABLE_DEACTIVATION);
  bullet.run(30);
  ASSERT_EQ(bullet.dispatcher.result().pairs.size(), 2u);

  lost.setWorldTransform(at(0, kNan, 1.5));
  ASSERT_NO_THROW(bullet.run(30));
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 1u);
  EXPECT_FALSE(bullet.dispatcher.object(lost).has_value());
  EXPECT_NEAR(below.getWorldTransform().getOrigin().z(), 0.5, 0.01);

  lost.setCenterOfMassTransform(at(0, 0, 1.49));
  lost.setLinearVelocity({0, 0, 0});
  lost.setAngularVelocity({0, 0, 0});
  lost.clearForces();
  lost.forceActivationState(DISABLE_DEACTIVATION);
  bullet.run(30);
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 2u);
  EXPECT_NEAR(lost.getWorldTransform().getOrigin().z(), 1.5, 0.02);
}

TEST(BulletMisuse, ACompoundThatIsNowhereDoesNotStopTheOthers) {
  BulletWorld bullet;
  bullet.add(kSlab, 0);
  bullet::MeshShape cube(kBox);
  btCompoundShape compound(false);  // without a tree, whose boxes would hide it
  compound.addChildShape(at(0, 0, 0), &cube);
  btRigidBody& lost = bullet.add(compound, 1, at(-1, 0, 0.5));
  btRigidBody& box = bullet.add(kBox, 1, at(1, 0, 0.5));
  for (btRigidBody* body : {&box, &lost}) body->setActivationState(DISABLE_DEACTIVATION);
  bullet.run(10);
  lost.setWorldTransform(at(kNan, kNan, kNan));
  ASSERT_NO_THROW(bullet.run(20));
  EXPECT_NEAR(box.getWorldTransform().getOrigin().z(), 0.5, 0.01);
}

TEST(BulletMisuse, ARotationThatIsNotOfUnitLengthIsTakenAsOne) {
  BulletWorld bullet;
  bullet.world.setGravity({0, 0, 0});
  bullet.add(kSlab, 0);
  btTransform stretched = at(0, 0, 0.47);
  stretched.setBasis(stretched.getBasis().scaled({1.05f, 1.05f, 1.05f}));
  btRigidBody& box = bullet.add(kBox, 1, stretched);
  ASSERT_NO_THROW(bullet.world.performDiscreteCollisionDetection());
  ASSERT_EQ(bullet.dispatcher.result().pairs.size(), 1u);
  EXPECT_NEAR(bullet.dispatcher.result().pairs[0].volume.value(), 0.03, 0.002);
  stretched.getOrigin().setZ(0.48f);
  box.setWorldTransform(stretched);
  ASSERT_NO_THROW(bullet.world.performDiscreteCollisionDetection());
  EXPECT_NEAR(bullet.dispatcher.result().pairs.at(0).volume.value(), 0.02, 0.002);
}

TEST(BulletMisuse, AFrameThatIsNotFiniteIsAnError) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const btTransform nowhere(btQuaternion::getIdentity(), {0, kNan, 0});
  EXPECT_THROW(bullet::MeshShape(box, nowhere), Error);
}

TEST(BulletMisuse, AnOpenMeshHasNoFrameAndNoInertia) {
  Mesh open = test::box_mesh({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_THROW((void)bullet::principal_frame(open), Error);
  const bullet::MeshShape shape(open);
  btVector3 inertia;
  EXPECT_THROW(shape.calculateLocalInertia(1, inertia), Error);
}

TEST(BulletMisuse, OptionsOutOfRangeAreErrors) {
  btDefaultCollisionConfiguration configuration;
  const auto make = [&](const bullet::DispatcherOptions& options) { bullet::Dispatcher made(&configuration, options); };
  EXPECT_THROW(make({.scene = {.max_contacts = 0}}), Error);
  EXPECT_THROW(make({.scene = {.max_contacts = 9}}), Error) << "Bullet's manifolds have room for 8";
  for (const btScalar depth : {btScalar(-0.1), btScalar(1), btScalar(2), kNan})
    EXPECT_THROW(make({.rest_depth = depth}), Error) << depth;
  EXPECT_NO_THROW(make({.scene = {.max_contacts = 1}, .rest_depth = 0}));
  EXPECT_NO_THROW(make({.rest_depth = btScalar(0.99)}));
}

}  // namespace
}  // namespace lamella
