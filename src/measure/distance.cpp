// The smallest distance of two meshes.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mesh_scan.hpp"
#include "core/origin.hpp"
#include "core/stopwatch.hpp"
#include "measure/distance_state.hpp"
#include "measure/pair_search.hpp"

namespace lamella {
namespace {

using measure::FoundPair;
using measure::PairQuery;

/// How far floats may be from the positions that they were made of.
double rounding_of(const Aabb& box) {
  double most = 0;
  for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(double{box.min[k]}), std::abs(double{box.max[k]})});
  return most * 0x1p-23 + 0x1p-140;
}

/// The mesh as floats relative to `origin`, if it is not that already; `rounding` is then added to.
MeshView placed(MeshView mesh, Vec3d origin, std::vector<Vec3>& positions, double& rounding) {
  if (mesh.wide.empty() && mesh.origin == origin) return mesh;
  positions.resize(mesh.vertex_count());
  rounding += rounding_of(place_mesh(mesh, {}, origin, positions.data()).box);
  return {.positions = positions, .triangles = mesh.triangles, .origin = origin};
}

}  // namespace

void DistanceFinder::State::find_distance(MeshView a, MeshView b) {
  Stopwatch watch;
  pair = {};
  const WideBox box_a = wide_box(a), box_b = wide_box(b);
  const WideBox shared = shared_box(box_a, box_b);
  const bool boxes_meet = !shared.empty();
  // Meshes that may meet are compared in one frame, as by intersect(); others each in its own.
  double slack = 0;
  const auto own_origin = [](MeshView mesh, const WideBox& box) {
    return mesh.wide.empty() ? mesh.origin : origin_for(box);
  };
  const bool alike = a.wide.empty() && b.wide.empty() && a.origin == b.origin;
  const Vec3d common = alike ? a.origin : origin_for(shared);
  const MeshView local_a = placed(a, boxes_meet ? common : own_origin(a, box_a), settled_a, slack);
  const MeshView local_b = placed(b, boxes_meet ? common : own_origin(b, box_b), settled_b, slack);
  check_indices(local_a, workers);
  check_indices(local_b, workers);
  watch.lap(pair.ms.voi);
  tree_a.build(local_a, workers);
  tree_b.build(local_b, workers);
  pair.skipped_triangles = tree_a.skipped() + tree_b.skipped();
  watch.lap(pair.ms.broad);
  if (tree_a.empty() || tree_b.empty()) {
    pair.distance = std::numeric_limits<double>::infinity();
    if (pair.skipped_triangles != 0) pair.verdict = Verdict::undecided;
    return;
  }
  const PairQuery query{{&tree_a, a, local_a.origin}, {&tree_b, b, local_b.origin}, boxes_meet, slack};
  const FoundPair found = find_nearest_pair(query, {}, workers, searching);
  pair.distance = std::sqrt(found.square);
  pair.on_a = found.on_a + local_a.origin;
  pair.on_b = found.on_b + local_a.origin;
  pair.triangle_a = found.triangle_a;
  pair.triangle_b = found.triangle_b;
  watch.lap(pair.ms.query);
  if (!boxes_meet) {
    if (pair.skipped_triangles != 0) pair.verdict = Verdict::undecided;
    return;
  }
  const proof::Proof proof = prove_pair(local_a, local_b, {.apart = found.square > 0}, workers, proving);
  pair.verdict = proof.verdict;
  if (pair.verdict == Verdict::colliding && pair.distance != 0) {
    pair.distance = 0;
    if (proof.certificate.witness) pair.on_a = pair.on_b = *proof.certificate.witness + common;
    pair.triangle_a = pair.triangle_b = kNoTriangle;
  }
  watch.lap(pair.ms.contacts);
}

}  // namespace lamella
