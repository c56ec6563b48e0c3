#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulate/ragdoll_figure.hpp"
#include "simulate/simulation.hpp"

namespace lamella::simulate {
namespace {

constexpr std::size_t kTray = 0;
constexpr int kFrames = 300;

/// Metres that a body may be in the ground: a limb that lands at 10 m/s goes 8 cm in a step and is out again in the
/// next few; at rest it is a few millimetres.
float allowed(int frame) { return frame < kFrames - 60 ? 0.06f : 0.015f; }

std::vector<Vec3> positions_of(const Drawing& drawing) {
  std::vector<Vec3> all;
  for (const Drawing::Solid& s : drawing.solids)
    all.insert(all.end(), s.mesh.positions.begin(), s.mesh.positions.end());
  return all;
}

TEST(Ragdoll, EveryBodyIsASolid) {
  const auto simulation = make_ragdoll({});
  Drawing drawing;
  simulation->draw(drawing);
  ASSERT_GT(drawing.solids.size(), 50u);
  for (const Drawing::Solid& s : drawing.solids) {
    const MeshReport report = inspect(s.mesh);
    EXPECT_TRUE(report.closed);
    EXPECT_GT(report.volume, 0.0);
  }
}

TEST(Ragdoll, NothingSinksOrFliesInFiveSeconds) {
  const auto simulation = make_ragdoll({});
  Drawing drawing;
  bool met = false;
  for (int frame = 0; frame < kFrames; ++frame) {
    simulation->step();
    met = met || simulation->figures().contacts > 20;
    simulation->draw(drawing);
    const Aabb tray = bounds(drawing.solids[kTray].mesh);
    for (std::size_t i = 0; i < drawing.solids.size(); ++i) {
      if (i == kTray) continue;
      for (const Vec3 p : drawing.solids[i].mesh.positions) {
        ASSERT_TRUE(std::isfinite(p.x + p.y + p.z));
        // An arm may hang over the rim.
        const bool over = p.x > tray.min.x && p.x < tray.max.x && p.y > tray.min.y && p.y < tray.max.y;
        ASSERT_GT(p.z, over ? -allowed(frame) : -1) << "body " << i << ", frame " << frame;
        ASSERT_LT(p.z, 6) << "body " << i << ", frame " << frame;
      }
    }
  }
  EXPECT_TRUE(met);
}

TEST(Ragdoll, TwoRunsGiveTheSameBitsWithAnyNumberOfThreads) {
  std::vector<std::vector<Vec3>> ends;
  for (const unsigned threads : {1u, 2u}) {
    const auto simulation = make_ragdoll({.scene = {.threads = threads}, .seed = 3, .objects = 2});
    for (int frame = 0; frame < 90; ++frame) simulation->step();
    Drawing drawing;
    simulation->draw(drawing);
    ends.push_back(positions_of(drawing));
  }
  EXPECT_TRUE(ends[0] == ends[1]);
}

TEST(Ragdoll, TheSeedAndTheNumberOfFiguresMatter) {
  Drawing one, other, more;
  const auto a = make_ragdoll({.scene = {}, .seed = 1, .objects = 0}),
             b = make_ragdoll({.scene = {}, .seed = 2, .objects = 0}),
             c = make_ragdoll({.scene = {}, .seed = 1, .objects = 6});
  a->draw(one);
  b->draw(other);
  c->draw(more);
  EXPECT_NE(positions_of(one), positions_of(other));
  EXPECT_EQ(more.solids.size(), one.solids.size() + 2 * RagdollFigure::kLimbs);
}

/// A figure over a slab.
struct FallingFigure {
  explicit FallingFigure(const btTransform& pose) : figure(make_ragdoll_figure(pose)) {
    world.setGravity({0, 0, btScalar(-9.81)});
    world.addRigidBody(slab.body.get());
    for (const BulletBody& limb : figure.limbs) world.addRigidBody(limb.body.get());
    for (const auto& joint : figure.joints) world.addConstraint(joint.get(), true);
  }
  ~FallingFigure() {
    for (const auto& joint : figure.joints) world.removeConstraint(joint.get());
    for (const BulletBody& limb : figure.limbs) world.removeRigidBody(limb.body.get());
    world.removeRigidBody(slab.body.get());
  }

  static Mesh slab_mesh() {
    Mesh mesh{{},
              {{0, 2, 1},
               {1, 2, 3},
               {4, 5, 6},
               {5, 7, 6},
               {0, 1, 4},
               {1, 5, 4},
               {2, 6, 3},
               {3, 6, 7},
               {0, 4, 2},
               {2, 4, 6},
               {1, 3, 5},
               {3, 7, 5}}};
    for (int i = 0; i < 8; ++i) mesh.positions.push_back({i & 1 ? 2.f : -2.f, i & 2 ? 2.f : -2.f, i & 4 ? 0.f : -0.3f});
    return mesh;
  }

  btDefaultCollisionConfiguration configuration;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  bullet::Dispatcher dispatcher{&configuration, {.scene = {.cell = 0.02f}}};
  btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
  BulletBody slab = make_body(slab_mesh(), btTransform::getIdentity(), 0);
  RagdollFigure figure;
};

btTransform lying(double height) {
  return btTransform(btQuaternion({0, 1, 0}, btScalar(1.2)), {0, 0, btScalar(height)});
}

TEST(Ragdoll, JointsHoldThroughAFallAndAreClosedAtRest) {
  FallingFigure falling(lying(1.4));
  for (int step = 0; step < 600; ++step) {
    falling.world.stepSimulation(btScalar(1.0 / 120), 0);
    for (const auto& joint : falling.figure.joints)
      ASSERT_LT(joint_gap(*joint), step < 240 ? 0.04 : 0.005) << "step " << step;
  }
}

TEST(Ragdoll, LinkedLimbsAreNotTested) {
  // At rest they overlap at every joint.
  FallingFigure falling(lying(3));
  falling.world.stepSimulation(btScalar(1.0 / 120), 0);
  EXPECT_GT(falling.dispatcher.scene().size(), 10u);
  EXPECT_TRUE(falling.dispatcher.result().pairs.empty());
}

TEST(Ragdoll, KneesAndElbowsBendOneWay) {
  const RagdollFigure figure = make_ragdoll_figure(btTransform::getIdentity());
  const auto angle_after = [](btHingeConstraint& hinge, btScalar turned) {
    btRigidBody& limb = hinge.getRigidBodyB();
    const btTransform before = limb.getWorldTransform();
    const btTransform pivot = hinge.getRigidBodyA().getWorldTransform() * hinge.getAFrame();
    // About the y axis a positive turn takes what hangs down to the back.
    const btTransform turn(btQuaternion({0, 1, 0}, turned));
    btTransform at_pivot = btTransform::getIdentity();
    at_pivot.setOrigin(pivot.getOrigin());
    limb.setWorldTransform(at_pivot * turn * at_pivot.inverse() * before);
    const btScalar angle = hinge.getHingeAngle();
    limb.setWorldTransform(before);
    return angle;
  };
  int knees = 0, elbows = 0;
  for (const auto& joint : figure.joints) {
    auto* hinge = dynamic_cast<btHingeConstraint*>(joint.get());
    if (!hinge || hinge->getUpperLimit() > btScalar(0.1)) continue;  // ankles go both ways
    const bool knee = hinge->getRigidBodyB().getWorldTransform().getOrigin().z() < 0;
    (knee ? knees : elbows) += 1;
    const btScalar back = angle_after(*hinge, 1), front = angle_after(*hinge, -1);
    const auto allowed = [&](btScalar angle) {
      return angle > hinge->getLowerLimit() && angle < hinge->getUpperLimit();
    };
    EXPECT_EQ(allowed(back), knee);
    EXPECT_EQ(allowed(front), !knee);
  }
  EXPECT_EQ(knees, 2);
  EXPECT_EQ(elbows, 2);
}

}  // namespace
}  // namespace lamella::simulate
