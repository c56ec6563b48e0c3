#pragma once

#include <btBulletDynamicsCommon.h>

#include <list>
#include <memory>

#include "lamella/bullet.hpp"
#include "lamella/response.hpp"

namespace lamella::test {

inline btVector3 to_bullet(Vec3 p) { return {p.x, p.y, p.z}; }
inline btVector3 to_bullet(Vec3d p) { return {btScalar(p.x), btScalar(p.y), btScalar(p.z)}; }

/// A Bullet world that owns its bodies; mass is volume times density, 0: fixed.
struct BulletWorld {
  explicit BulletWorld(const bullet::DispatcherOptions& options = {.scene = {.cell = 0.02f}})
      : dispatcher(&configuration, options), world(&dispatcher, &broad_phase, &solver, &configuration) {
    world.setGravity({0, 0, -9.81f});
  }
  ~BulletWorld() {
    while (world.getNumConstraints() > 0) world.removeConstraint(world.getConstraint(0));
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }

  btRigidBody& add(btCollisionShape& shape, double mass, const btTransform& pose, int group = 0, int mask = 0) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(static_cast<btScalar>(mass), inertia);
    bodies.push_back(std::make_unique<btRigidBody>(static_cast<btScalar>(mass), nullptr, &shape, inertia));
    bodies.back()->setWorldTransform(pose);
    if (group == 0)
      world.addRigidBody(bodies.back().get());
    else
      world.addRigidBody(bodies.back().get(), group, mask);
    return *bodies.back();
  }
  btRigidBody& add(MeshView mesh, double density, const btTransform& pose = btTransform::getIdentity()) {
    const btTransform frame = bullet::principal_frame(mesh);
    shapes.push_back(std::make_unique<bullet::MeshShape>(mesh, frame));
    return add(*shapes.back(), mass_properties(mesh).mass * density, pose * frame);
  }
  void remove(btRigidBody& body) {
    world.removeRigidBody(&body);
    bodies.remove_if([&](const auto& b) { return b.get() == &body; });
  }
  void run(int steps, double rate = 60) {
    for (int i = 0; i < steps; ++i) world.stepSimulation(static_cast<btScalar>(1 / rate), 0);
  }

  btDefaultCollisionConfiguration configuration;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  bullet::Dispatcher dispatcher;
  btDiscreteDynamicsWorld world;
  std::list<std::unique_ptr<bullet::MeshShape>> shapes;
  std::list<std::unique_ptr<btRigidBody>> bodies;
};

inline btTransform at(double x, double y, double z, const btQuaternion& turn = btQuaternion::getIdentity()) {
  return btTransform(turn, {static_cast<btScalar>(x), static_cast<btScalar>(y), static_cast<btScalar>(z)});
}

/// The lowest point of a body's mesh.
inline double lowest(const btRigidBody& body) {
  double low = 1e30;
  for (const Vec3 p : static_cast<const bullet::MeshShape*>(body.getCollisionShape())->mesh().positions)
    low = std::min(low, static_cast<double>((body.getWorldTransform() * to_bullet(p)).z()));
  return low;
}

}  // namespace lamella::test
