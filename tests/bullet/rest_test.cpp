#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "scenes/models.hpp"
#include "support/closed_meshes.hpp"
#include "tests/bullet/world.hpp"

namespace lamella {
namespace {

using test::at;
using test::BulletWorld;
using test::lowest;

const Mesh kSlab = test::box_mesh({-3, -3, -1}, {3, 3, 0});
const Mesh kBox = test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});

TEST(BulletRest, AStackOfThreeBoxesSettlesAndStays) {
  BulletWorld bullet;
  bullet.add(kSlab, 0);
  std::array<btRigidBody*, 3> boxes;
  for (int i = 0; i < 3; ++i) {
    boxes[i] = &bullet.add(kBox, 1, at(0.02 * i, 0.01 * i, 0.51 + 1.02 * i));
    boxes[i]->setActivationState(DISABLE_DEACTIVATION);
  }
  bullet.run(60);
  std::array<btTransform, 3> settled;
  for (int i = 0; i < 3; ++i) settled[i] = boxes[i]->getWorldTransform();
  for (int second = 0; second < 5; ++second) {
    bullet.run(60);
    for (int i = 0; i < 3; ++i) {
      const btTransform& now = boxes[i]->getWorldTransform();
      const btVector3 moved = now.getOrigin() - settled[i].getOrigin();
      EXPECT_NEAR(now.getOrigin().z(), 0.5 + i, 0.01) << "box " << i << " after " << second + 1 << " s";
      EXPECT_LT(std::abs(moved.z()), 0.0005f) << "box " << i;
      // Bullet's friction creeps: boxes of its own, stacked so, move by 0.01 aside in this time, ours by 0.017.
      EXPECT_LT(moved.length(), 0.025f) << "box " << i;
      EXPECT_LT(now.getRotation().angleShortestPath(settled[i].getRotation()), 0.002f) << "box " << i;
      EXPECT_LT(boxes[i]->getLinearVelocity().length(), 0.005f) << "box " << i;
    }
  }
}

TEST(BulletRest, ABoxOnEdgeFallsFlat) {
  BulletWorld bullet;
  bullet.add(kSlab, 0);
  const btRigidBody& box = bullet.add(kBox, 1, at(0, 0, 0.8, btQuaternion({1, 0, 0}, 0.6f)));
  bullet.run(240);
  EXPECT_NEAR(box.getWorldTransform().getOrigin().z(), 0.5, 0.01);
}

/// Rings and knots in a heap, on a slab so wide that none rolls off it.
std::vector<btRigidBody*> add_pile(BulletWorld& bullet) {
  bullet.add(test::box_mesh({-8, -8, -1}, {8, 8, 0}), 0);
  const Mesh ring = scenes::torus(700, 0.5f, 0.17f);
  Mesh knot = scenes::torus_knot(1400, 0.25f);
  for (Vec3& p : knot.positions) p = p * 0.5f;
  std::vector<btRigidBody*> bodies;
  for (int i = 0; i < 6; ++i) {
    const btQuaternion turn(btVector3(1, 0.3f * float(i), 0.2f).normalized(), 0.5f + float(i));
    bodies.push_back(&bullet.add(i % 2 ? knot : ring, 1, at(0.15 * (i % 3), 0.1 * (i % 2), 0.8 + 0.9 * i, turn)));
  }
  return bodies;
}

TEST(BulletRest, AConcavePileComesToRestAboveTheSlab) {
  BulletWorld bullet({.scene = {.cell = 0.03f}});
  const std::vector<btRigidBody*> bodies = add_pile(bullet);
  bullet.run(8 * 60);
  for (const btRigidBody* body : bodies) {
    EXPECT_GT(lowest(*body), -0.02);
    EXPECT_LT(body->getLinearVelocity().length(), 0.1f);
    EXPECT_LT(body->getAngularVelocity().length(), 0.3f);
  }
}

TEST(BulletRest, TwoRunsAndAnyNumberOfThreadsGiveTheSameBits) {
  std::vector<std::vector<btVector3>> ends;
  for (const unsigned threads : {1u, 1u, 3u}) {
    BulletWorld bullet({.scene = {.cell = 0.03f, .threads = threads}});
    std::vector<btVector3>& end = ends.emplace_back();
    const std::vector<btRigidBody*> bodies = add_pile(bullet);
    bullet.run(150);
    for (const btRigidBody* body : bodies) {
      end.push_back(body->getWorldTransform().getOrigin());
      end.push_back(body->getWorldTransform().getBasis()[0]);
    }
  }
  EXPECT_TRUE(ends[0] == ends[1]);
  EXPECT_TRUE(ends[0] == ends[2]);
}

}  // namespace
}  // namespace lamella
