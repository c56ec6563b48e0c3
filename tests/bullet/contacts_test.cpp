#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "tests/bullet/world.hpp"

namespace lamella {
namespace {

using test::at;
using test::BulletWorld;

constexpr SceneOptions kScene{.cell = 0.02f};

Transform to_transform(const btTransform& t) {
  const btQuaternion q = t.getRotation();
  return {{t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()}, {q.x(), q.y(), q.z(), q.w()}};
}

MeshView mesh_of(const btRigidBody& body) {
  return static_cast<const bullet::MeshShape*>(body.getCollisionShape())->mesh();
}

/// All points between two bodies, over all manifolds.
std::vector<btManifoldPoint> points_between(BulletWorld& bullet, const btRigidBody& a, const btRigidBody& b) {
  std::vector<btManifoldPoint> points;
  for (int i = 0; i < bullet.dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold& m = *bullet.dispatcher.getManifoldByIndexInternal(i);
    const bool ours = (m.getBody0() == &a && m.getBody1() == &b) || (m.getBody0() == &b && m.getBody1() == &a);
    for (int k = 0; ours && k < m.getNumContacts(); ++k) points.push_back(m.getContactPoint(k));
  }
  return points;
}

TEST(BulletContacts, AManifoldHoldsTheContactsOfAScene) {
  // Two rings that meet in two places.
  BulletWorld bullet({.scene = kScene, .rest_depth = 0});
  const Mesh ring = scenes::torus(2000, 1, 0.3f);
  btRigidBody& a = bullet.add(ring, 1);
  btRigidBody& b = bullet.add(ring, 1, at(0.45, 0, 0, btQuaternion({1, 0, 0}, 1.5f)));
  bullet.world.performDiscreteCollisionDetection();

  const ObjectId id_a = bullet.dispatcher.object(a).value(), id_b = bullet.dispatcher.object(b).value();
  Scene scene(kScene);
  const btRigidBody &first = id_a < id_b ? a : b, &second = id_a < id_b ? b : a;
  scene.add(mesh_of(first), to_transform(first.getWorldTransform()));
  scene.add(mesh_of(second), to_transform(second.getWorldTransform()));
  const SceneResult& expected = scene.collide();

  ASSERT_EQ(expected.pairs.size(), 1u);
  ASSERT_GT(expected.contacts.size(), 1u);
  const std::vector<btManifoldPoint> points = points_between(bullet, a, b);
  ASSERT_EQ(points.size(), expected.contacts.size());
  const bool first_is_body0 = bullet.dispatcher.getManifoldByIndexInternal(0)->getBody0() == &first;
  for (const Contact& c : expected.contacts) {
    const auto point = std::find_if(points.begin(), points.end(),
                                    [&](const btManifoldPoint& p) { return p.m_partId0 == static_cast<int>(c.id); });
    ASSERT_NE(point, points.end());
    const btVector3 middle = (point->getPositionWorldOnA() + point->getPositionWorldOnB()) / 2;
    EXPECT_LT((middle - test::to_bullet(c.position)).length(), 1e-5f);
    EXPECT_LT((point->m_normalWorldOnB - test::to_bullet(c.normal) * (first_is_body0 ? 1.f : -1.f)).length(), 1e-5f);
    EXPECT_NEAR(point->getDistance(), -c.depth, 1e-5f);
    EXPECT_NEAR((point->getPositionWorldOnA() - point->getPositionWorldOnB()).dot(point->m_normalWorldOnB), -c.depth,
                1e-5f);
  }
}

TEST(BulletContacts, TheNormalDrivesThemApart) {
  for (const bool swapped : {false, true}) {
    BulletWorld bullet;
    bullet.world.setGravity({0, 0, 0});
    const Mesh box = test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
    btRigidBody& a = bullet.add(box, 1, at(0, 0, swapped ? 0.97 : 0));
    btRigidBody& b = bullet.add(box, 1, at(0, 0, swapped ? 0 : 0.97));
    bullet.run(60);
    const btScalar gap = (b.getWorldTransform().getOrigin() - a.getWorldTransform().getOrigin()).z();
    EXPECT_GT(std::abs(gap), 0.99) << swapped;
  }
}

TEST(BulletContacts, LinkedBodiesAreNotTested) {
  BulletWorld bullet;
  const Mesh box = test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
  btRigidBody& a = bullet.add(box, 0);
  btRigidBody& b = bullet.add(box, 1, at(0, 0, 0.9));
  btPoint2PointConstraint joint(a, b, {0, 0, 0.45f}, {0, 0, -0.45f});
  bullet.world.addConstraint(&joint, true);
  bullet.run(30);
  EXPECT_EQ(bullet.dispatcher.result().candidate_count, 0u);
  EXPECT_TRUE(points_between(bullet, a, b).empty());
  EXPECT_NEAR(b.getWorldTransform().getOrigin().z(), 0.9, 0.01);
  // The joint gone, they push one another away.
  bullet.world.removeConstraint(&joint);
  b.activate(true);
  bullet.run(1);
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 1u);
}

TEST(BulletContacts, GroupsAndMasksHold) {
  BulletWorld bullet;
  const Mesh box = test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
  bullet::MeshShape shape(box);
  // The third meets both, so that all are in the scene; the first two do not see one another.
  bullet.add(shape, 1, at(0, 0, 0), 1, 4);
  bullet.add(shape, 1, at(0.1, 0, 0), 2, 4);
  bullet.add(shape, 1, at(0, 0.1, 0), 4, 3);
  bullet.world.performDiscreteCollisionDetection();
  EXPECT_EQ(bullet.dispatcher.scene().size(), 3u);
  EXPECT_EQ(bullet.dispatcher.result().candidate_count, 2u);
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 2u);
}

TEST(BulletContacts, SleepingBodiesAreNotTestedUntilOneWakes) {
  BulletWorld bullet;
  bullet.add(test::box_mesh({-2, -2, -1}, {2, 2, 0}), 0);
  btRigidBody& box = bullet.add(test::box_mesh({-0.5f, -0.5f, 0}, {0.5f, 0.5f, 1}), 1);
  bullet.run(300);
  EXPECT_FALSE(box.isActive());
  EXPECT_EQ(bullet.dispatcher.result().candidate_count, 0u);
  box.activate();
  bullet.run(1);
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 1u);
}

TEST(BulletContacts, ABodyMayBeRemovedAndAnotherTakeItsAddress) {
  BulletWorld bullet;
  bullet.add(test::box_mesh({-2, -2, -1}, {2, 2, 0}), 0);
  const Mesh box = test::box_mesh({-0.5f, -0.5f, 0}, {0.5f, 0.5f, 1});
  bullet.add(box, 1, at(-1.2, 0, 0));
  btRigidBody* second = &bullet.add(box, 1, at(1.2, 0, 0));
  bullet.run(20);
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 2u);
  for (int round = 0; round < 5; ++round) {
    const ObjectId old = bullet.dispatcher.object(*second).value();
    bullet.remove(*second);
    if (round % 2 == 0) {
      bullet.run(1);
      EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 1u);
      EXPECT_EQ(bullet.dispatcher.scene().size(), 2u);
    }
    // As likely as not it gets the memory of the one that is gone.
    second = &bullet.add(scenes::torus(600, 0.5f, 0.2f), 1, at(1.2, 0, 0.19));
    bullet.run(10);
    EXPECT_EQ(bullet.dispatcher.scene().size(), 3u);
    EXPECT_NE(bullet.dispatcher.object(*second).value(), old);
    EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 2u);
    EXPECT_NEAR(second->getWorldTransform().getOrigin().z(), 0.2, 0.02);
  }
}

TEST(BulletContacts, FollowADeformingShape) {
  BulletWorld bullet;
  bullet.world.setGravity({0, 0, 0});
  btRigidBody& slab = bullet.add(test::box_mesh({-2, -2, -1}, {2, 2, 0}), 0);
  bullet::MeshShape soft(test::box_mesh({-0.5f, -0.5f, 0.1f}, {0.5f, 0.5f, 1}));
  btRigidBody& body = bullet.add(soft, 1, at(0, 0, 0));
  bullet.world.performDiscreteCollisionDetection();
  EXPECT_TRUE(points_between(bullet, slab, body).empty());

  soft.deform(test::box_mesh({-0.5f, -0.5f, -0.03f}, {0.5f, 0.5f, 1}).positions);
  bullet.world.performDiscreteCollisionDetection();
  const std::vector<btManifoldPoint> points = points_between(bullet, slab, body);
  ASSERT_FALSE(points.empty());
  for (const btManifoldPoint& p : points) EXPECT_NEAR(p.getDistance(), -0.03, 0.005);

  // Bullet would keep points that are this near; but they belong to a surface that has moved.
  soft.deform(test::box_mesh({-0.5f, -0.5f, 0.001f}, {0.5f, 0.5f, 1}).positions);
  bullet.world.performDiscreteCollisionDetection();
  EXPECT_TRUE(points_between(bullet, slab, body).empty());
}

TEST(BulletContacts, LastWithTheirImpulsesWhileABodyRests) {
  BulletWorld bullet;
  btRigidBody& slab = bullet.add(test::box_mesh({-2, -2, -1}, {2, 2, 0}), 0);
  btRigidBody& box = bullet.add(test::box_mesh({-0.5f, -0.5f, 0}, {0.5f, 0.5f, 1}), 1);
  box.setActivationState(DISABLE_DEACTIVATION);
  bullet.run(120);
  const std::vector<btManifoldPoint> points = points_between(bullet, slab, box);
  ASSERT_GE(points.size(), 3u);
  double impulse = 0;
  for (const btManifoldPoint& p : points) {
    EXPECT_GT(p.getLifeTime(), 60);
    impulse += static_cast<double>(p.getAppliedImpulse());
  }
  EXPECT_NEAR(impulse, 9.81 / 60, 0.01) << "what holds one unit of mass against gravity for a step";
}

TEST(BulletContacts, AnIdAloneDoesNotCarryAnImpulseToAnotherPlace) {
  BulletWorld bullet;
  bullet.add(test::box_mesh({-2, -2, -1}, {2, 2, 0}), 0);
  btRigidBody& box = bullet.add(test::box_mesh({-0.5f, -0.5f, 0}, {0.5f, 0.5f, 1}), 1);
  box.setActivationState(DISABLE_DEACTIVATION);
  bullet.run(60);
  // Impulses that tell the points from one another, and ids that are each another point's.
  std::vector<btManifoldPoint*> points;
  for (int i = 0; i < bullet.dispatcher.getNumManifolds(); ++i) {
    btPersistentManifold& m = *bullet.dispatcher.getManifoldByIndexInternal(i);
    for (int k = 0; k < m.getNumContacts(); ++k) points.push_back(&m.getContactPoint(k));
  }
  ASSERT_GE(points.size(), 3u);
  const int first_id = points[0]->m_partId0;
  std::vector<btVector3> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    places.push_back(points[i]->m_localPointA);
    points[i]->m_appliedImpulse = static_cast<btScalar>(i + 1);
    points[i]->m_partId0 = i + 1 < points.size() ? points[i + 1]->m_partId0 : first_id;
  }
  bullet.world.performDiscreteCollisionDetection();
  std::size_t kept = 0;
  for (int i = 0; i < bullet.dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold& m = *bullet.dispatcher.getManifoldByIndexInternal(i);
    for (int k = 0; k < m.getNumContacts(); ++k) {
      const auto number = static_cast<std::size_t>(m.getContactPoint(k).getAppliedImpulse());
      if (number == 0) continue;
      ++kept;
      EXPECT_LT((m.getContactPoint(k).m_localPointA - places[number - 1]).length(), 0.12f) << "six cells";
    }
  }
  EXPECT_GE(kept, 3u);
}

struct Collected : btCollisionWorld::ContactResultCallback {
  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    points.push_back(point);
    return 0;
  }
  std::vector<btManifoldPoint> points;
};

TEST(BulletContacts, AnswerContactPairTestBetweenSteps) {
  BulletWorld bullet({.scene = kScene, .rest_depth = 0});
  const Mesh box = test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
  btRigidBody& a = bullet.add(box, 1);
  btRigidBody& b = bullet.add(box, 1, at(0, 0, 0.95));
  Collected touching, apart;
  bullet.world.contactPairTest(&a, &b, touching);
  ASSERT_FALSE(touching.points.empty());
  for (const btManifoldPoint& p : touching.points) EXPECT_NEAR(p.getDistance(), -0.05, 1e-3);
  b.setWorldTransform(at(0, 0, 1.05));
  bullet.world.contactPairTest(&a, &b, apart);
  EXPECT_TRUE(apart.points.empty());
}

TEST(BulletContacts, ReachIntoCompoundShapes) {
  BulletWorld bullet;
  bullet.add(test::box_mesh({-2, -2, -1}, {2, 2, 0}), 0);
  bullet::MeshShape cube(test::box_mesh({-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}));
  btCompoundShape dumbbell;
  dumbbell.addChildShape(at(-0.5, 0, 0), &cube);
  dumbbell.addChildShape(at(0.5, 0, 0), &cube);
  const btRigidBody& body = bullet.add(dumbbell, 1, at(0, 0, 0.4));
  bullet.run(120);
  EXPECT_NEAR(body.getWorldTransform().getOrigin().z(), 0.2, 0.01);
}

}  // namespace
}  // namespace lamella
