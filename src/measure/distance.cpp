// The smallest distance of two meshes. Samples of both give a first pair of triangles, and so an upper bound. Whole
// meshes are then tested against it in a pass or two (near_parts.cpp), trees are made of what is left, and searched for
// the nearest pair (pair_search.cpp). Where meshes may overlap, the verdict is proved (proof/prove.hpp).

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mesh_check.hpp"
#include "core/mesh_scan.hpp"
#include "core/origin.hpp"
#include "core/stopwatch.hpp"
#include "measure/distance_state.hpp"

namespace lamella {
namespace {

using measure::FoundPair;
using measure::NearSide;
using measure::PairQuery;
using measure::TriangleTree;

/// How far floats may be from the positions that they were made of.
double rounding_of(const Aabb& box) {
  double most = 0;
  for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(double{box.min[k]}), std::abs(double{box.max[k]})});
  return most * 0x1p-23 + 0x1p-140;
}

/// The mesh as floats relative to `origin`; `slack` grows by what that rounds.
NearSide settle(MeshView mesh, Vec3d origin, std::vector<Vec3>& positions, Workers& workers, double& slack) {
  MeshView local = mesh;
  if (!mesh.wide.empty() || mesh.origin != origin) {
    positions.resize(mesh.vertex_count());
    slack += rounding_of(place_mesh(mesh, {}, origin, positions.data()).box);
    local = {.positions = positions, .triangles = mesh.triangles, .origin = origin};
  }
  check_indices(local, workers);
  const PositionFacts facts = inspect_positions(local.positions, workers);
  return {local, facts.box, facts.usable};
}

void build(TriangleTree& tree, const NearSide& side, bool all, std::span<const std::uint32_t> some, Workers& workers) {
  if (all)
    tree.build(side.local, workers);
  else
    tree.build(side.local, some, workers);
}

std::size_t broken_in(const NearSide& side) { return side.usable ? 0 : count_broken(side.local); }

}  // namespace

void DistanceFinder::State::find_distance(MeshView a, MeshView b) {
  Stopwatch watch;
  pair = {};
  const WideBox box_a = wide_box(a), box_b = wide_box(b), shared = shared_box(box_a, box_b);
  const bool boxes_meet = !shared.empty();
  // Meshes that may meet are compared in one frame, as by intersect(); others each in its own.
  double slack = 0;
  const bool alike = a.wide.empty() && b.wide.empty() && a.origin == b.origin;
  const Vec3d common = alike ? a.origin : origin_for(shared);
  const auto origin_of = [&](MeshView mesh, const WideBox& box) {
    return boxes_meet ? common : mesh.wide.empty() ? mesh.origin : origin_for(box);
  };
  const NearSide side_a = settle(a, origin_of(a, box_a), settled_a, workers, slack),
                 side_b = settle(b, origin_of(b, box_b), settled_b, workers, slack);
  pair.skipped_triangles = broken_in(side_a) + broken_in(side_b);
  if (pair.skipped_triangles != 0) pair.verdict = Verdict::undecided;
  watch.lap(pair.ms.voi);

  const PairQuery query{{&tree_a, a, side_a.local.origin}, {&tree_b, b, side_b.local.origin}, boxes_meet, slack};
  const FoundPair guess = guess_pair(query, side_a, side_b, parts);
  find_near_parts(query, guess, side_a, side_b, workers, parts);
  build(tree_a, side_a, parts.all_a, parts.a, workers);
  build(tree_b, side_b, parts.all_b, parts.b, workers);
  watch.lap(pair.ms.broad);
  if (tree_a.empty() || tree_b.empty()) {
    pair.distance = std::numeric_limits<double>::infinity();
    return;
  }
  const FoundPair found = find_nearest_pair(query, guess, workers, searching);
  pair.distance = std::sqrt(found.square);
  pair.on_a = found.on_a + side_a.local.origin;
  pair.on_b = found.on_b + side_a.local.origin;
  pair.triangle_a = found.triangle_a;
  pair.triangle_b = found.triangle_b;
  watch.lap(pair.ms.query);
  if (boxes_meet) prove_verdict(side_a.local, side_b.local);
  watch.lap(pair.ms.contacts);
}

/// Whether meshes in one frame collide, once the distance of their surfaces is known.
void DistanceFinder::State::prove_verdict(MeshView a, MeshView b) {
  const proof::Proof proof = prove_pair(a, b, {.apart = pair.distance > 0}, workers, proving);
  pair.verdict = proof.verdict;
  if (pair.verdict != Verdict::colliding || pair.distance == 0) return;
  pair.distance = 0;
  if (proof.certificate.witness) pair.on_a = pair.on_b = *proof.certificate.witness + a.origin;
  pair.triangle_a = pair.triangle_b = kNoTriangle;
}

}  // namespace lamella
