// FCL: trees of boxes, refitted to new vertices, and for rigid bodies trees that are made once. In float, which is what
// the meshes are, and which has to be compiled here, for this machine: Debian's library has the code for double, built
// with asserts for any x86-64. The traversal is called directly, since fcl::collide() would copy both trees of boxes
// along the axes at every call.

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/collision_request.h>
#include <fcl/narrowphase/collision_result.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "bench/peers/libraries.hpp"

namespace lamella::bench::peers {
namespace {

using Scalar = float;
using Boxes = fcl::AABB<Scalar>;
using Oriented = fcl::OBBRSS<Scalar>;
using Pose = fcl::Transform3<Scalar>;
using Object = fcl::CollisionObject<Scalar>;

const std::string kLibrary = "FCL " FCL_VERSION;

template <class Volume>
struct Model {
  std::shared_ptr<fcl::BVHModel<Volume>> tree = std::make_shared<fcl::BVHModel<Volume>>();
  std::vector<fcl::Vector3<Scalar>> vertices;

  explicit Model(const MeshView& mesh) : vertices(mesh.positions.size()) {
    std::vector<fcl::Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) triangles.emplace_back(t.a, t.b, t.c);
    take(mesh.positions);
    tree->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    tree->addSubModel(vertices, triangles);
    tree->endModel();
  }

  void refit(std::span<const Vec3> positions) {
    take(positions);
    tree->beginReplaceModel();
    tree->replaceSubModel(vertices);
    tree->endReplaceModel(true, true);
  }

 private:
  void take(std::span<const Vec3> positions) {
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = {positions[i].x, positions[i].y, positions[i].z};
  }
};

/// Pairs of triangles that meet, `most` at the most. Trees of boxes along the axes cannot be turned: their poses must
/// be the identity.
template <class Volume>
std::size_t traverse(fcl::BVHModel<Volume>& a, Pose at_a, fcl::BVHModel<Volume>& b, Pose at_b, std::size_t most) {
  const fcl::CollisionRequest<Scalar> request(most, false);
  fcl::CollisionResult<Scalar> result;
  if constexpr (std::is_same_v<Volume, Oriented>) {
    fcl::detail::MeshCollisionTraversalNodeOBBRSS<Scalar> node;
    fcl::detail::initialize(node, std::as_const(a), std::as_const(at_a), std::as_const(b), std::as_const(at_b), request,
                            result);
    fcl::detail::collide(&node);
  } else {
    fcl::detail::MeshCollisionTraversalNode<Volume> node;
    fcl::detail::initialize(node, a, at_a, b, at_b, request, result);
    fcl::detail::collide(&node);
  }
  return result.numContacts();
}

Methods pair(const PairWork& work) {
  struct State {
    Model<Boxes> a, b;
    std::size_t pairs = 0;
  };
  const auto state = std::make_shared<State>(State{Model<Boxes>(work.a.at(0)), Model<Boxes>(work.b.at(0))});
  const auto run = [state, &work](std::size_t pose) {
    state->a.refit(work.a.positions[pose]);
    state->b.refit(work.b.positions[pose]);
    constexpr std::size_t kAll = std::numeric_limits<int>::max();
    state->pairs = traverse(*state->a.tree, Pose::Identity(), *state->b.tree, Pose::Identity(), kAll);
  };
  return {
      {.library = kLibrary, .call = "AABB trees, refit", .gives = "pairs of triangles", .run = run, .answer = [state] {
         return Answer{.meets = state->pairs > 0, .triangle_pairs = state->pairs};
       }}};
}

// ---- W4

template <class Volume>
struct Crowd {
  std::vector<Model<Volume>> models;
  std::vector<std::unique_ptr<Object>> objects;
  fcl::DynamicAABBTreeCollisionManager<Scalar> manager;
  std::vector<BodyPair> meeting;

  void add(const MeshView& mesh) {
    models.emplace_back(mesh);
    objects.push_back(std::make_unique<Object>(models.back().tree));
  }
  void set_up() {
    for (std::size_t i = 0; i < objects.size(); ++i) {
      // A tag, not a pointer: which body it is.
      objects[i]->setUserData(reinterpret_cast<void*>(i));
      objects[i]->computeAABB();
      manager.registerObject(objects[i].get());
    }
    manager.setup();
  }
  void collide() {
    manager.update();
    meeting.clear();
    manager.collide(this, test);
  }
  [[nodiscard]] Answer answer() const {
    Answer out{.bodies = meeting};
    std::sort(out.bodies->begin(), out.bodies->end());
    return out;
  }

 private:
  static std::uint32_t number(const Object& object) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(object.getUserData()));
  }
  static bool test(Object* a, Object* b, void* data) {
    auto& crowd = *static_cast<Crowd*>(data);
    const std::uint32_t i = number(*a), j = number(*b);
    if (traverse(*crowd.models[i].tree, a->getTransform(), *crowd.models[j].tree, b->getTransform(), 1) > 0) {
      crowd.meeting.push_back(std::minmax(i, j));
    }
    return false;  // go on
  }
};

template <class Volume>
Method crowd_method(const std::string& call, const std::shared_ptr<Crowd<Volume>>& crowd,
                    const std::function<void(std::size_t)>& move) {
  return {.library = kLibrary,
          .call = call,
          .gives = "pairs of bodies",
          .run =
              [=](std::size_t pose) {
                move(pose);
                crowd->collide();
              },
          .answer = [crowd] { return crowd->answer(); }};
}

Methods bodies(const BodiesWork& work) {
  const auto crowd = std::make_shared<Crowd<Boxes>>();
  for (const MovingMesh& body : work.bodies) crowd->add(body.at(0));
  crowd->set_up();
  return {crowd_method<Boxes>("AABB trees, refit", crowd, [crowd, &work](std::size_t pose) {
    for (std::size_t i = 0; i < work.bodies.size(); ++i) {
      crowd->models[i].refit(work.bodies[i].positions[pose]);
      crowd->models[i].tree->computeLocalAABB();
      crowd->objects[i]->computeAABB();
    }
  })};
}

Pose to_fcl(const Transform& pose) {
  const auto f = [](double value) { return static_cast<Scalar>(value); };
  const Quaternion& q = pose.rotation;
  Pose out = Pose::Identity();
  out.linear() = fcl::Quaternion<Scalar>(f(q.w), f(q.x), f(q.y), f(q.z)).toRotationMatrix();
  out.translation() = fcl::Vector3<Scalar>(f(pose.translation.x), f(pose.translation.y), f(pose.translation.z));
  return out;
}

Methods rigid(const RigidWork& work) {
  const auto crowd = std::make_shared<Crowd<Oriented>>();
  for (const Mesh& shape : work.shapes) crowd->add({shape.positions, shape.triangles});
  crowd->set_up();
  return {crowd_method<Oriented>("OBBRSS trees kept", crowd, [crowd, &work](std::size_t pose) {
    for (std::size_t i = 0; i < work.shapes.size(); ++i) {
      crowd->objects[i]->setTransform(to_fcl(work.poses[pose][i]));
      crowd->objects[i]->computeAABB();
    }
  })};
}

}  // namespace

Peer fcl_peer() { return {.name = kLibrary, .pair = pair, .bodies = bodies, .rigid = rigid}; }

}  // namespace lamella::bench::peers
