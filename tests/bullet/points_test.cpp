// What is in a manifold's points, number by number.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/closed_meshes.hpp"
#include "tests/bullet/world.hpp"

namespace lamella {
namespace {

using test::at;
using test::BulletWorld;

const Mesh kSlab = test::box_mesh({-2, -2, -1}, {2, 2, 0});
const Mesh kBox = test::box_mesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});

struct Point {
  const btPersistentManifold* manifold;
  btManifoldPoint point;
};

std::vector<Point> points_of(BulletWorld& bullet) {
  std::vector<Point> points;
  for (int i = 0; i < bullet.dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold* m = bullet.dispatcher.getManifoldByIndexInternal(i);
    for (int k = 0; k < m->getNumContacts(); ++k) points.push_back({m, m->getContactPoint(k)});
  }
  return points;
}

void expect_near(const btVector3& a, const btVector3& b) { EXPECT_LT((a - b).length(), 2e-5f); }

TEST(BulletPoints, AreTheScenesContactsWhicheverBodyIsFirst) {
  for (const bool slab_first : {true, false})
    for (const btScalar rest : {0.0f, 0.5f}) {
      BulletWorld bullet({.scene = {.cell = 0.02f}, .rest_depth = rest});
      btRigidBody* bodies[2] = {};
      for (const bool slab : {slab_first, !slab_first})
        bodies[slab ? 0 : 1] = slab ? &bullet.add(kSlab, 0, at(0.5, 0, 0))
                                    : &bullet.add(kBox, 1, at(0.1, 0.2, 0.47, btQuaternion({0, 0, 1}, 0.3f)));
      bodies[0]->setFriction(0.3f), bodies[1]->setFriction(0.7f);
      bodies[0]->setRestitution(0.4f), bodies[1]->setRestitution(0.6f);
      bodies[0]->setRollingFriction(0.1f), bodies[1]->setRollingFriction(0.2f);
      bodies[0]->setSpinningFriction(0.3f), bodies[1]->setSpinningFriction(0.05f);
      bullet.world.performDiscreteCollisionDetection();
      const SceneResult& result = bullet.dispatcher.result();
      ASSERT_EQ(result.pairs.size(), 1u);
      const ObjectId slab_id = bullet.dispatcher.object(*bodies[0]).value();
      const std::vector<Point> points = points_of(bullet);
      ASSERT_EQ(points.size(), result.contacts.size());
      ASSERT_GE(points.size(), 4u);
      for (const Contact& c : result.contacts) {
        const auto found = std::find_if(points.begin(), points.end(),
                                        [&](const Point& p) { return p.point.m_partId0 == static_cast<int>(c.id); });
        ASSERT_NE(found, points.end());
        const btManifoldPoint& p = found->point;
        const btCollisionObject &body0 = *found->manifold->getBody0(), &body1 = *found->manifold->getBody1();
        const bool a_is_0 = (&body0 == bodies[0]) == (result.pairs[0].a == slab_id);
        EXPECT_EQ(p.m_partId1, static_cast<int>(c.id));
        EXPECT_EQ(p.m_index0, static_cast<int>(a_is_0 ? c.triangle_a : c.triangle_b));
        EXPECT_EQ(p.m_index1, static_cast<int>(a_is_0 ? c.triangle_b : c.triangle_a));
        // The normal is on the second body, and drives the first away from it: up for the box, down for the slab.
        expect_near(p.m_normalWorldOnB, {0, 0, &body0 == bodies[0] ? -1.0f : 1.0f});
        const btScalar distance = rest * found->manifold->getContactBreakingThreshold() - c.depth;
        EXPECT_NEAR(c.depth, 0.03f, 1e-5f);
        EXPECT_NEAR(p.getDistance(), distance, 1e-6f);
        expect_near(p.m_positionWorldOnA, test::to_bullet(c.position) + p.m_normalWorldOnB * (distance / 2));
        expect_near(p.m_positionWorldOnB, test::to_bullet(c.position) - p.m_normalWorldOnB * (distance / 2));
        expect_near(body0.getWorldTransform() * p.m_localPointA, p.m_positionWorldOnA);
        expect_near(body1.getWorldTransform() * p.m_localPointB, p.m_positionWorldOnB);
        EXPECT_FLOAT_EQ(p.m_combinedFriction, btManifoldResult::calculateCombinedFriction(&body0, &body1));
        EXPECT_FLOAT_EQ(p.m_combinedFriction, 0.21f);
        EXPECT_FLOAT_EQ(p.m_combinedRestitution, 0.24f);
        EXPECT_FLOAT_EQ(p.m_combinedRollingFriction,
                        btManifoldResult::calculateCombinedRollingFriction(&body0, &body1));
        EXPECT_GT(p.m_combinedRollingFriction, 0);
        EXPECT_FLOAT_EQ(p.m_combinedSpinningFriction,
                        btManifoldResult::calculateCombinedSpinningFriction(&body0, &body1));
        EXPECT_GT(p.m_combinedSpinningFriction, 0);
        // Across the normal, at right angles.
        EXPECT_NEAR(p.m_lateralFrictionDir1.dot(p.m_normalWorldOnB), 0, 1e-6f);
        EXPECT_NEAR(p.m_lateralFrictionDir2.dot(p.m_normalWorldOnB), 0, 1e-6f);
        EXPECT_NEAR(p.m_lateralFrictionDir1.dot(p.m_lateralFrictionDir2), 0, 1e-6f);
        EXPECT_EQ(p.m_contactPointFlags, 0);
      }
    }
}

TEST(BulletPoints, CarryTheFlagsOfEitherBody) {
  for (const int which : {0, 1})
    for (const bool anchored : {false, true}) {
      BulletWorld bullet;
      btRigidBody* bodies[2] = {&bullet.add(kSlab, 0), &bullet.add(kBox, 1, at(0, 0, 0.47))};
      bodies[which]->setContactStiffnessAndDamping(1000, 10);
      btRigidBody& other = *bodies[1 - which];
      if (anchored) other.setCollisionFlags(other.getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
      bullet.world.performDiscreteCollisionDetection();
      const int anchor = anchored ? BT_CONTACT_FLAG_FRICTION_ANCHOR : 0;
      for (const Point& p : points_of(bullet)) {
        EXPECT_EQ(p.point.m_contactPointFlags, BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING | anchor);
        EXPECT_FLOAT_EQ(p.point.m_combinedContactStiffness1,
                        btManifoldResult::calculateCombinedContactStiffness(bodies[0], bodies[1]));
        EXPECT_FLOAT_EQ(p.point.m_combinedContactDamping1,
                        btManifoldResult::calculateCombinedContactDamping(bodies[0], bodies[1]));
      }
      EXPECT_FALSE(points_of(bullet).empty());
    }
}

std::vector<int> g_added;  ///< ids of the points that the callback was called for

bool count_added(btManifoldPoint& point, const btCollisionObjectWrapper* first, int part0, int index0,
                 const btCollisionObjectWrapper* second, int part1, int index1) {
  EXPECT_NE(first->getCollisionObject(), second->getCollisionObject());
  EXPECT_EQ(part0, point.m_partId0);
  EXPECT_EQ(part1, point.m_partId1);
  EXPECT_EQ(index0, point.m_index0);
  EXPECT_EQ(index1, point.m_index1);
  g_added.push_back(part0);
  point.m_combinedFriction = 0.125f;
  return true;
}

TEST(BulletPoints, TheUsersCallbackIsCalledForEveryPointOfABodyThatAsksForIt) {
  for (const int which : {-1, 0, 1}) {
    BulletWorld bullet;
    btRigidBody* bodies[2] = {&bullet.add(kSlab, 0), &bullet.add(kBox, 1, at(0, 0, 0.47))};
    if (which >= 0)
      bodies[which]->setCollisionFlags(bodies[which]->getCollisionFlags() |
                                       btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    gContactAddedCallback = count_added;
    for (int step = 0; step < 2; ++step) {  // new points, then the same again
      g_added.clear();
      bullet.world.performDiscreteCollisionDetection();
      std::vector<int> ids;
      for (const Point& p : points_of(bullet)) {
        ids.push_back(p.point.m_partId0);
        EXPECT_EQ(p.point.m_combinedFriction == 0.125f, which >= 0);
      }
      std::sort(ids.begin(), ids.end());
      std::sort(g_added.begin(), g_added.end());
      EXPECT_EQ(g_added, which >= 0 ? ids : std::vector<int>{});
      EXPECT_GE(ids.size(), 4u);
    }
    gContactAddedCallback = nullptr;
  }
}

TEST(BulletPoints, OfAPairTestedAloneHaveTheirIdsAndTriangles) {
  struct Collected : btCollisionWorld::ContactResultCallback {
    btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper* first, int, int,
                             const btCollisionObjectWrapper*, int, int) override {
      points.push_back(point);
      body0 = first->getCollisionObject();
      return 0;
    }
    std::vector<btManifoldPoint> points;
    const btCollisionObject* body0 = nullptr;
  };
  for (const bool swapped : {false, true}) {
    BulletWorld bullet({.scene = {.cell = 0.02f}, .rest_depth = 0});
    btRigidBody& slab = bullet.add(kSlab, 0);
    btRigidBody& box = bullet.add(kBox, 1, at(0, 0, 0.47));
    Collected found;
    bullet.world.contactPairTest(swapped ? &box : &slab, swapped ? &slab : &box, found);
    ASSERT_GE(found.points.size(), 3u);
    for (const btManifoldPoint& p : found.points) {
      EXPECT_GT(p.m_partId0, 0);
      EXPECT_EQ(p.m_partId0, p.m_partId1);
      // Triangles 2 and 3 are the top of a box, 0 and 1 its bottom.
      const bool slab_is_0 = found.body0 == &slab;
      EXPECT_EQ((slab_is_0 ? p.m_index0 : p.m_index1) / 2, 1);
      EXPECT_EQ((slab_is_0 ? p.m_index1 : p.m_index0) / 2, 0);
      EXPECT_NEAR(p.getDistance(), -0.03f, 1e-5f);
      expect_near(p.m_normalWorldOnB, {0, 0, slab_is_0 ? -1.0f : 1.0f});
    }
  }
}

TEST(BulletPoints, OfEightContactsAreInAsManyManifoldsAsTheyNeed) {
  Mesh feet;  // a table on eight legs
  for (int i = 0; i < 8; ++i) {
    const float x = 0.5f * static_cast<float>(i % 4), y = static_cast<float>(i / 4);
    test::append(feet, test::box_mesh({x, y, 0}, {x + 0.1f, y + 0.1f, 1}));
  }
  BulletWorld bullet({.scene = {.cell = 0.02f, .max_contacts = 8}});
  bullet.world.setGravity({0, 0, 0});
  bullet.add(kSlab, 0);
  btRigidBody& table = bullet.add(feet, 1, at(-0.8, -0.5, -0.02));
  const btTransform start = table.getWorldTransform();
  for (int step = 0; step < 3; ++step) {
    table.setWorldTransform(start * at(0.001 * step, 0, 0));
    bullet.world.performDiscreteCollisionDetection();
    EXPECT_EQ(bullet.dispatcher.result().contacts.size(), 8u);
    const std::vector<Point> points = points_of(bullet);
    std::set<int> ids;
    for (const Point& p : points) ids.insert(p.point.m_partId0);
    EXPECT_EQ(points.size(), 8u) << "none twice";
    EXPECT_EQ(ids.size(), 8u);
    EXPECT_EQ(bullet.dispatcher.getNumManifolds(), 2);
  }
}

TEST(BulletPoints, ABodyThatStopsBeingFixedMeetsTheFixedOnes) {
  BulletWorld bullet;
  bullet.world.setGravity({0, 0, 0});
  bullet.add(kSlab, 0);
  btRigidBody& box = bullet.add(kBox, 1, at(0, 0, 0.47));
  box.setActivationState(DISABLE_DEACTIVATION);
  bullet.world.performDiscreteCollisionDetection();
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 1u);
  box.setCollisionFlags(box.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  bullet.world.performDiscreteCollisionDetection();
  EXPECT_EQ(bullet.dispatcher.result().candidate_count, 0u) << "two that do not move by themselves";
  box.setCollisionFlags(box.getCollisionFlags() & ~btCollisionObject::CF_KINEMATIC_OBJECT);
  bullet.world.performDiscreteCollisionDetection();
  EXPECT_EQ(bullet.dispatcher.result().pairs.size(), 1u);
}

TEST(BulletShape, GivesTheTrianglesOfABoxThatIsAskedFor) {
  struct Seen : btTriangleCallback {
    void processTriangle(btVector3* corners, int part, int index) override {
      EXPECT_EQ(part, 0);
      found.push_back({index, {corners[0], corners[1], corners[2]}});
    }
    std::vector<std::pair<int, std::array<btVector3, 3>>> found;
  };
  test::Random random(1);
  Mesh mesh;
  for (int i = 0; i < 60; ++i) {
    const Vec3 p = random.in({{-1, -1, -1}, {1, 1, 1}});
    test::append(mesh, test::tetrahedron(p, p + Vec3{0.2f, 0, 0}, p + Vec3{0, 0.3f, 0.1f}, p + Vec3{0.1f, 0, 0.2f}));
  }
  const bullet::MeshShape shape(mesh);
  for (int n = 0; n < 50; ++n) {
    const Vec3 low = random.in({{-1, -1, -1}, {1, 1, 1}}), high = low + random.in({{0, 0, 0}, {1, 1, 1}});
    Seen seen;
    shape.processAllTriangles(&seen, test::to_bullet(low), test::to_bullet(high));
    std::vector<int> wanted, found;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      Aabb box;
      for (int k = 0; k < 3; ++k) box = extend(box, mesh.positions[mesh.triangles[i][k]]);
      bool meets = true;
      for (int k = 0; k < 3; ++k) meets = meets && box.min[k] <= high[k] && low[k] <= box.max[k];
      if (meets) wanted.push_back(static_cast<int>(i));
    }
    for (const auto& [index, corners] : seen.found) {
      found.push_back(index);
      for (int k = 0; k < 3; ++k)
        EXPECT_TRUE(corners[static_cast<std::size_t>(k)] ==
                    test::to_bullet(mesh.positions[mesh.triangles[static_cast<std::size_t>(index)][k]]));
    }
    EXPECT_EQ(found, wanted);
  }
}

TEST(BulletShape, ItsBoxIsNoLargerThanItsPositionsAlsoWhenScaled) {
  bullet::MeshShape shape(test::box_mesh({-1, -2, -3}, {4, 5, 6}));
  const auto box = [&] {
    btVector3 low, high;
    shape.getAabb(at(10, 20, 30), low, high);
    return std::pair(low, high);
  };
  expect_near(box().first, {9, 18, 27});
  expect_near(box().second, {14, 25, 36});
  shape.setLocalScaling({2, 3, 0.5f});
  expect_near(box().first, {8, 14, 28.5f});
  expect_near(box().second, {18, 35, 33});
  EXPECT_TRUE(shape.getLocalScaling() == btVector3(2, 3, 0.5f));
  shape.setLocalScaling({1, 1, 1});  // of the original, not of what it is now
  expect_near(box().second, {14, 25, 36});
  EXPECT_EQ(shape.mesh().positions[7], (Vec3{4, 5, 6}));
  shape.deform(test::box_mesh({0, 0, 0}, {1, 1, 1}).positions);
  expect_near(box().first, {10, 20, 30});
  expect_near(box().second, {11, 21, 31});
  const bullet::MeshShape empty(Mesh{});
  btVector3 low, high;
  empty.getAabb(at(1, 2, 3), low, high);
  expect_near(low, {1, 2, 3});
  expect_near(high, {1, 2, 3});
}

TEST(BulletShape, InThePrincipalFrameTheInertiaOfAnyMeshIsDiagonal) {
  test::Random random(2);
  for (int n = 0; n < 60; ++n) {
    Mesh mesh;
    for (int i = 0; i < 3; ++i) {
      const Vec3 p = random.in({{-1, -1, -1}, {1, 1, 1}});
      test::append(mesh, test::box_mesh(p, p + random.in({{0.1f, 0.1f, 0.1f}, {1, 1, 1}})));
    }
    const btTransform frame = bullet::principal_frame(mesh);
    const bullet::MeshShape shape(mesh, frame);
    const MassProperties m = mass_properties(shape.mesh());
    const double trace = m.inertia[0].x + m.inertia[1].y + m.inertia[2].z;
    EXPECT_LT(length(m.center), 1e-5);
    for (const double off : {m.inertia[0].y, m.inertia[0].z, m.inertia[1].z, m.inertia[1].x})
      EXPECT_LT(std::abs(off), 3e-6 * trace) << n;
    EXPECT_NEAR(frame.getBasis().determinant(), 1, 1e-5);
    expect_near(frame.getBasis() * frame.getBasis().transpose() * btVector3(1, 2, 3), {1, 2, 3});
    // A body at pose * frame has the mesh at pose.
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
      expect_near(frame * test::to_bullet(shape.mesh().positions[i]), test::to_bullet(mesh.positions[i]));
    btVector3 inertia;
    shape.calculateLocalInertia(2, inertia);
    expect_near(inertia, {float(m.inertia[0].x / m.mass * 2), float(m.inertia[1].y / m.mass * 2),
                          float(m.inertia[2].z / m.mass * 2)});
  }
}

}  // namespace
}  // namespace lamella
