// FCL on an assembly: as an engineer would use it for one. Trees of oriented boxes with rectangle swept spheres, one
// for each mesh; its dynamic tree of boxes for the parts. In float, compiled here: see fcl.cpp.

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/collision_request.h>
#include <fcl/narrowphase/collision_result.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "bench/peers/clash_peers.hpp"

namespace lamella::bench::peers {
namespace {

using Scalar = float;
using Tree = fcl::BVHModel<fcl::OBBRSS<Scalar>>;
using Pose = fcl::Transform3<Scalar>;
using Object = fcl::CollisionObject<Scalar>;

/// Processor time: other programs on the machine do not count in it.
double ms_since(std::clock_t start) { return static_cast<double>(std::clock() - start) * (1e3 / CLOCKS_PER_SEC); }

std::shared_ptr<Tree> tree_of(const Mesh& mesh) {
  std::vector<fcl::Vector3<Scalar>> vertices;
  for (const Vec3& p : mesh.positions) vertices.emplace_back(p.x, p.y, p.z);
  std::vector<fcl::Triangle> triangles;
  for (const Triangle& t : mesh.triangles) triangles.emplace_back(t.a, t.b, t.c);
  auto tree = std::make_shared<Tree>();
  tree->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  tree->addSubModel(vertices, triangles);
  tree->endModel();
  return tree;
}

Pose to_fcl(const Transform& pose) {
  const auto f = [](double value) { return static_cast<Scalar>(value); };
  const Quaternion& q = pose.rotation;
  Pose out = Pose::Identity();
  out.linear() = fcl::Quaternion<Scalar>(f(q.w), f(q.x), f(q.y), f(q.z)).toRotationMatrix();
  out.translation() = fcl::Vector3<Scalar>(f(pose.translation.x), f(pose.translation.y), f(pose.translation.z));
  return out;
}

std::uint32_t number(const Object& object) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(object.getUserData()));
}

bool note(Object* a, Object* b, void* pairs) {
  static_cast<std::vector<std::pair<Object*, Object*>>*>(pairs)->emplace_back(a, b);
  return false;  // go on
}

bool meet(const Object& a, const Object& b) {
  const fcl::CollisionRequest<Scalar> request(1, false);
  fcl::CollisionResult<Scalar> result;
  fcl::detail::MeshCollisionTraversalNodeOBBRSS<Scalar> node;
  const auto tree = [](const Object& object) -> const Tree& {
    return static_cast<const Tree&>(*object.collisionGeometry());
  };
  fcl::detail::initialize(node, tree(a), a.getTransform(), tree(b), b.getTransform(), request, result);
  fcl::detail::collide(&node);
  return result.numContacts() > 0;
}

}  // namespace

ClashTimes fcl_clash(const ClashWork& work) {
  ClashTimes out{.library = "FCL " FCL_VERSION, .call = "OBBRSS trees, dynamic AABB tree", .gives = "pairs of parts"};
  const Assembly& assembly = *work.assembly;
  auto start = std::clock();
  std::vector<std::shared_ptr<Tree>> trees;
  for (const Mesh& mesh : assembly.meshes) trees.push_back(tree_of(mesh));
  out.prepare_ms = ms_since(start);

  start = std::clock();
  std::vector<std::unique_ptr<Object>> objects;
  fcl::DynamicAABBTreeCollisionManager<Scalar> manager;
  std::vector<Object*> all;
  for (std::size_t i = 0; i < assembly.parts.size(); ++i) {
    const AssemblyPart& part = assembly.parts[i];
    objects.push_back(std::make_unique<Object>(trees[part.mesh], to_fcl(part.pose)));
    objects.back()->setUserData(reinterpret_cast<void*>(i));  // a tag, not a pointer: which part it is
    objects.back()->computeAABB();
    all.push_back(objects.back().get());
  }
  manager.registerObjects(all);
  manager.setup();
  std::vector<std::pair<Object*, Object*>> pairs;
  manager.collide(&pairs, note);
  out.broad_ms = ms_since(start);
  out.candidates = pairs.size();

  start = std::clock();
  for (const auto& [a, b] : pairs)
    if (meet(*a, *b)) out.meeting.push_back(std::minmax(number(*a), number(*b)));
  out.pairs_ms = ms_since(start);
  std::sort(out.meeting.begin(), out.meeting.end());
  return out;
}

}  // namespace lamella::bench::peers
