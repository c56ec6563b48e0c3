// Rings fall into a pile on a slab: Bullet moves them, Lamella tells where they touch.

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <lamella/bullet.hpp>
#include <list>

lamella::Mesh make_ring(unsigned around, unsigned through) {
  lamella::Mesh ring;
  for (unsigned i = 0; i < around * through; ++i) {
    const float u = 6.2831853f * float(i / through) / float(around),
                v = 6.2831853f * float(i % through) / float(through);
    const float r = 0.5f + 0.15f * std::cos(v);
    ring.positions.push_back({r * std::cos(u), r * std::sin(u), 0.15f * std::sin(v)});
    const unsigned a = i / through * through, b = (a + through) % (around * through), j = i % through,
                   k = (j + 1) % through;
    ring.triangles.insert(ring.triangles.end(), {{a + j, b + j, b + k}, {a + j, b + k, a + k}});
  }
  return ring;
}

int main() {
  btDefaultCollisionConfiguration configuration;
  lamella::bullet::Dispatcher dispatcher(&configuration, {.scene = {.cell = 0.03f}});  // in place of Bullet's own
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  world.setGravity({0, 0, -9.81f});

  lamella::Mesh slab;
  slab.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (int i = 0; i < 8; ++i) slab.positions.push_back({i & 1 ? 3.f : -3.f, i & 2 ? 3.f : -3.f, i & 4 ? 0.f : -1.f});

  lamella::bullet::MeshShape ground(slab), ring(make_ring(48, 20));
  btVector3 inertia;
  ring.calculateLocalInertia(1, inertia);  // of the solid; the mesh's axes are its principal ones
  std::list<btRigidBody> bodies;
  world.addRigidBody(&bodies.emplace_back(0.f, nullptr, &ground));
  for (int i = 0; i < 6; ++i) {
    btRigidBody& body = bodies.emplace_back(1.f, nullptr, &ring, inertia);
    body.getWorldTransform().setRotation({btVector3(1, 0.5f * float(i), 0), 0.15f * float(i % 3)});
    body.getWorldTransform().setOrigin({0.1f * float(i % 2), 0.1f * float(i % 3), 0.5f + 0.6f * float(i)});
    world.addRigidBody(&body);
  }

  std::size_t most = 0;
  for (int frame = 0; frame < 480; ++frame) {
    world.stepSimulation(1 / 60.f, 0);
    most = std::max(most, dispatcher.result().pairs.size());
  }

  std::printf("up to %zu pairs touched\n", most);
  for (const btRigidBody& body : bodies)
    if (body.getMass() > 0) std::printf("height %.2f\n", double(body.getWorldTransform().getOrigin().z()));
  for (btRigidBody& body : bodies) world.removeRigidBody(&body);
}
