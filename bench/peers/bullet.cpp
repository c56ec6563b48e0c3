// Bullet: rays through its quantised tree of triangles, whose hits are counted, and GImpact, which collides two meshes
// and refits its trees. Margins are 0, so that it reports what meets and not what is near.

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "bench/peers/libraries.hpp"

namespace lamella::bench::peers {
namespace {

const std::string kLibrary =
    "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);

/// A mesh in arrays that Bullet reads in place and writes nothing to.
struct Arrays {
  std::vector<Triangle> triangles;
  std::vector<Vec3> positions;
  btTriangleIndexVertexArray view;

  explicit Arrays(const MeshView& mesh)
      : triangles(mesh.triangles.begin(), mesh.triangles.end()),
        positions(mesh.positions.begin(), mesh.positions.end()),
        view(static_cast<int>(triangles.size()), reinterpret_cast<int*>(triangles.data()), sizeof(Triangle),
             static_cast<int>(positions.size()), &positions[0].x, sizeof(Vec3)) {}
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  void take(const std::vector<Vec3>& from) { std::copy(from.begin(), from.end(), positions.begin()); }
};

// ---- W1

struct HitCounter : btTriangleRaycastCallback {
  int hits = 0;

  using btTriangleRaycastCallback::btTriangleRaycastCallback;
  btScalar reportHit(const btVector3& /*normal*/, btScalar /*fraction*/, int /*part*/, int /*triangle*/) override {
    ++hits;
    return m_hitFraction;  // as it was: the ray goes on to its end
  }
};

struct RayState {
  Arrays mesh;
  btBvhTriangleMeshShape shape;
  btVector3 ray;  ///< longer than the mesh
  std::vector<std::uint8_t> inside;

  explicit RayState(const PointsWork& work)
      : mesh(work.solid.at(0)), shape(&mesh.view, true), inside(work.points.size()) {
    const btVector3 low = shape.getLocalAabbMin(), high = shape.getLocalAabbMax();
    ray = btVector3(0.0521f, 0.0713f, 0.99609f) * (4 * (high - low).length());
  }

  void refit(const std::vector<Vec3>& positions) {
    mesh.take(positions);
    btVector3 low(positions[0].x, positions[0].y, positions[0].z), high = low;
    for (const Vec3& p : positions) {
      const btVector3 at(p.x, p.y, p.z);
      low.setMin(at);
      high.setMax(at);
    }
    shape.refitTree(low, high);
  }

  std::uint8_t is_inside(const Vec3& p) {
    const btVector3 from(p.x, p.y, p.z), to = from + ray;
    HitCounter counter(from, to);
    shape.performRaycast(&counter, from, to);
    return static_cast<std::uint8_t>(counter.hits % 2);
  }
};

Methods points(const PointsWork& work) {
  const auto state = std::make_shared<RayState>(work);
  const auto run = [state, &work](std::size_t pose) {
    state->refit(work.solid.positions[pose]);
    for (std::size_t i = 0; i < work.points.size(); ++i) state->inside[i] = state->is_inside(work.points[i]);
  };
  return {{.library = kLibrary, .call = "rays' parity, refit", .gives = "points inside", .run = run, .answer = [state] {
             return Answer{.inside = state->inside};
           }}};
}

// ---- W2

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btCollisionWorld world{&dispatcher, &broad_phase, &configuration};

  World() { btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher); }
};

struct Body {
  Arrays mesh;
  btGImpactMeshShape shape;
  btCollisionObject object;

  explicit Body(const MeshView& view) : mesh(view), shape(&mesh.view) {
    shape.setMargin(0);
    shape.updateBound();
    object.setCollisionShape(&shape);
    object.setWorldTransform(btTransform::getIdentity());
    object.setContactProcessingThreshold(0);
  }
  void refit(const std::vector<Vec3>& positions) {
    mesh.take(positions);
    shape.postUpdate();
    shape.updateBound();
  }
};

/// Counts what a manifold would keep four of.
struct ContactCounter : btManifoldResult {
  std::size_t points = 0;

  using btManifoldResult::btManifoldResult;
  void addContactPoint(const btVector3& /*normal*/, const btVector3& /*at*/, btScalar /*depth*/) override { ++points; }
};

struct PairState {
  World world;
  Body a, b;
  std::size_t points = 0;

  explicit PairState(const PairWork& work) : a(work.a.at(0)), b(work.b.at(0)) {}

  void collide() {
    const btTransform here = btTransform::getIdentity();
    const btCollisionObjectWrapper of_a(nullptr, &a.shape, &a.object, here, -1, -1);
    const btCollisionObjectWrapper of_b(nullptr, &b.shape, &b.object, here, -1, -1);
    btCollisionAlgorithm* algorithm =
        world.dispatcher.findAlgorithm(&of_a, &of_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    ContactCounter counter(&of_a, &of_b);
    algorithm->processCollision(&of_a, &of_b, world.world.getDispatchInfo(), &counter);
    algorithm->~btCollisionAlgorithm();
    world.dispatcher.freeCollisionAlgorithm(algorithm);
    points = counter.points;
  }
};

Methods pair(const PairWork& work) {
  const auto state = std::make_shared<PairState>(work);
  const auto run = [state, &work](std::size_t pose) {
    state->a.refit(work.a.positions[pose]);
    state->b.refit(work.b.positions[pose]);
    state->collide();
  };
  return {{.library = kLibrary, .call = "GImpact, refit", .gives = "contact points", .run = run, .answer = [state] {
             return Answer{.meets = state->points > 0, .contact_points = state->points};
           }}};
}

// ---- W4

struct Crowd {
  World world;
  std::vector<std::unique_ptr<Body>> bodies;

  ~Crowd() {
    for (const auto& body : bodies) world.world.removeCollisionObject(&body->object);
  }

  void add(const MeshView& mesh) {
    bodies.push_back(std::make_unique<Body>(mesh));
    bodies.back()->object.setUserIndex(static_cast<int>(bodies.size()) - 1);
    world.world.addCollisionObject(&bodies.back()->object);
  }

  [[nodiscard]] Answer meeting() {
    std::vector<BodyPair> pairs;
    for (int i = 0; i < world.dispatcher.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(i);
      if (manifold.getNumContacts() == 0) continue;
      const int a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
      pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return {.bodies = std::move(pairs)};
  }
};

Method crowd_method(const std::string& call, const std::shared_ptr<Crowd>& crowd,
                    const std::function<void(std::size_t)>& move) {
  return {.library = kLibrary,
          .call = call,
          .gives = "pairs, contact points",
          .run =
              [=](std::size_t pose) {
                move(pose);
                crowd->world.world.performDiscreteCollisionDetection();
              },
          .answer = [crowd] { return crowd->meeting(); }};
}

Methods bodies(const BodiesWork& work) {
  const auto crowd = std::make_shared<Crowd>();
  for (const MovingMesh& body : work.bodies) crowd->add(body.at(0));
  return {crowd_method("GImpact, refit", crowd, [crowd, &work](std::size_t pose) {
    for (std::size_t i = 0; i < work.bodies.size(); ++i) crowd->bodies[i]->refit(work.bodies[i].positions[pose]);
  })};
}

btTransform to_bullet(const Transform& pose) {
  const auto f = [](double value) { return static_cast<btScalar>(value); };
  return btTransform(btQuaternion(f(pose.rotation.x), f(pose.rotation.y), f(pose.rotation.z), f(pose.rotation.w)),
                     btVector3(f(pose.translation.x), f(pose.translation.y), f(pose.translation.z)));
}

Methods rigid(const RigidWork& work) {
  const auto crowd = std::make_shared<Crowd>();
  for (const Mesh& shape : work.shapes) crowd->add({shape.positions, shape.triangles});
  return {crowd_method("GImpact, trees kept", crowd, [crowd, &work](std::size_t pose) {
    for (std::size_t i = 0; i < work.shapes.size(); ++i) {
      crowd->bodies[i]->object.setWorldTransform(to_bullet(work.poses[pose][i]));
    }
  })};
}

}  // namespace

Peer bullet_peer() { return {.name = kLibrary, .points = points, .pair = pair, .bodies = bodies, .rigid = rigid}; }

}  // namespace lamella::bench::peers
