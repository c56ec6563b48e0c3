// FCL's distance of two trees of oriented boxes and rectangle swept spheres, which it has for distances. They are built
// in each call: its refit of these trees does not compile for float.

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>
#include <fcl/narrowphase/distance_request.h>
#include <fcl/narrowphase/distance_result.h>

#include <memory>
#include <span>

#include "bench/peers/distance_peers.hpp"

namespace lamella::bench::peers {
namespace {

using Scalar = float;
using Tree = fcl::BVHModel<fcl::OBBRSS<Scalar>>;
using Pose = fcl::Transform3<Scalar>;

struct Model {
  std::unique_ptr<Tree> tree;
  std::vector<fcl::Vector3<Scalar>> vertices;
  std::vector<fcl::Triangle> triangles;

  explicit Model(const MovingMesh& mesh) : vertices(mesh.positions[0].size()) {
    for (const Triangle& t : mesh.triangles) triangles.emplace_back(t.a, t.b, t.c);
    build(mesh.positions[0]);
  }
  void build(std::span<const Vec3> positions) {
    take(positions);
    tree = std::make_unique<Tree>();
    tree->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    tree->addSubModel(vertices, triangles);
    tree->endModel();
  }

 private:
  void take(std::span<const Vec3> positions) {
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = {positions[i].x, positions[i].y, positions[i].z};
  }
};

double distance(const Tree& a, const Tree& b) {
  const fcl::DistanceRequest<Scalar> request(true);
  fcl::DistanceResult<Scalar> result;
  fcl::detail::MeshDistanceTraversalNodeOBBRSS<Scalar> node;
  const Pose here = Pose::Identity();
  fcl::detail::initialize(node, a, here, b, here, request, result);
  fcl::detail::distance<Scalar>(&node);
  return result.min_distance;
}

}  // namespace

DistanceMethods fcl_distance(const PairWork& work) {
  struct State {
    Model a, b;
    double distance = 0;
  };
  const auto state = std::shared_ptr<State>(new State{Model(work.a), Model(work.b)});
  const auto run = [state, &work](std::size_t pose) {
    state->a.build(work.a.positions[pose]);
    state->b.build(work.b.positions[pose]);
    state->distance = distance(*state->a.tree, *state->b.tree);
  };
  return {{{.library = "FCL " FCL_VERSION,
            .call = "build + distance",
            .gives = "distance",
            .run = run,
            .answer = [] { return Answer{}; }},
           [state] { return std::vector<double>{state->distance}; }}};
}

}  // namespace lamella::bench::peers
