// The class of parts that share a volume, as far as volumes and boxes do not tell.

#include <algorithm>
#include <cmath>

#include "clash/classify.hpp"
#include "clash/pair_tester.hpp"
#include "core/mesh_check.hpp"
#include "lamella/triangles_meet.hpp"
#include "proof/contacts.hpp"

namespace lamella::clash {
namespace {

/// Whether a part's box lies in the other's, but for rounding.
bool lies_in(const Aabb& inner, const Aabb& outer) {
  for (int k = 0; k < 3; ++k) {
    const double slack = 1e-6 * (double{outer.max[k]} - outer.min[k]);
    if (inner.min[k] < outer.min[k] - slack || inner.max[k] > outer.max[k] + slack) return false;
  }
  return true;
}

bool same_pose(const Transform& p, const Transform& q) {
  const Quaternion &r = p.rotation, &s = q.rotation;
  return p.translation == q.translation && r.x == s.x && r.y == s.y && r.z == s.z && r.w == s.w;
}

/// Whether the overlap's box is all of a part's own, give or take a tenth, for rays miss thin ends.
bool reaches_around(const MeshView& part, const ClashPair& pair) {
  const Aabb box = bounds(part);
  for (int k = 0; k < 3; ++k) {
    const double slack = 0.1 * (double{box.max[k]} - box.min[k]);
    if (pair.min[k] > box.min[k] + part.origin[k] + slack || pair.max[k] < box.max[k] + part.origin[k] - slack)
      return false;
  }
  return true;
}

}  // namespace

/// The class; and of a part that is wholly inside the other the volume, which is its own.
void PairTester::classify(const Placed& placed, const OverlapGradient& detail, ClashPair& pair) {
  constexpr double kLongest = 0.01;
  const AssemblyPart &part_a = parts_[pair.a], &part_b = parts_[pair.b];
  const MeshFacts &a = meshes_[part_a.mesh], &b = meshes_[part_b.mesh];
  const Aabb box_a = bounds(placed.a), box_b = bounds(placed.b);
  const bool a_fits = lies_in(box_a, box_b), b_fits = lies_in(box_b, box_a);
  pair.kind = class_of({pair.volume, pair.volume_error, a_fits ? a.volume : 0, b_fits ? b.volume : 0,
                        detail.sums.inner_a, detail.sums.inner_b});
  const auto take_own = [&](double volume) {
    pair.volume = volume;
    pair.volume_error = 0x1p-22 * volume;
  };
  if (pair.kind == ClashClass::duplicate && part_a.mesh == part_b.mesh && same_pose(part_a.pose, part_b.pose))
    return take_own(a.volume);
  // A volume may be off by more than its error bar. Parts that share one, and whose surfaces do not meet, are inside.
  const bool may_be_inside =
      pair.kind == ClashClass::contained ||
      (pair.kind == ClashClass::piercing && (reaches_around(placed.a, pair) || reaches_around(placed.b, pair)));
  if (!may_be_inside) return;
  const bool a_is_inner = a_fits && (!b_fits || a.volume <= b.volume);
  if (surfaces_apart(placed)) {
    pair.kind = ClashClass::contained;
    const double own = a_is_inner ? a.volume : b.volume;
    // A mesh that overlaps itself has another volume than it covers.
    if (std::abs(own - pair.volume) <= 3 * pair.volume_error + kLongest * own) take_own(own);
  } else if (pair.volume_error > kLongest * pair.volume ||
             (a_is_inner ? sticks_out(placed.a, placed.b) : sticks_out(placed.b, placed.a))) {
    pair.kind = class_of({pair.volume, pair.volume_error, 0, 0, detail.sums.inner_a, detail.sums.inner_b});
  }
}

/// Whether a corner of a part is outside the other, by more than rounding and ClashOptions::touch: corners may be too
/// small for the shared volume to tell.
bool PairTester::sticks_out(const MeshView& inner, const MeshView& outer) {
  constexpr double kRounding = 0x1p-22;
  corners_.clear();
  for (const Triangle& t : inner.triangles)
    if (usable(inner, t)) corners_.insert(corners_.end(), {t.a, t.b, t.c});
  std::sort(corners_.begin(), corners_.end());
  corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
  moved_.clear();
  for (const std::uint32_t v : corners_) moved_.push_back(inner.positions[v]);
  const MeshView around{.positions = outer.positions, .triangles = outer.triangles};  // in the frame of both
  const double slack = std::max(options_.touch, kRounding * length(extent(bounds(outer))));
  const std::vector<ClosestPoint>& nearest = distances_.closest(around, moved_).points;
  return std::any_of(nearest.begin(), nearest.end(), [&](const ClosestPoint& p) { return p.distance > slack; });
}

/// By exact arithmetic, up to the first two triangles that meet.
bool PairTester::surfaces_apart(const Placed& placed) {
  const auto list = [](const MeshView& mesh, std::vector<proof::TriangleBox>& boxes) {
    boxes.clear();
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      if (usable(mesh, mesh.triangles[t])) boxes.push_back(proof::box_of(mesh, t));
  };
  list(placed.a, boxes_a_);
  list(placed.b, boxes_b_);
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    return triangles_meet(proof::corners_of(placed.a, a).at, proof::corners_of(placed.b, b).at);
  };
  return proof::visit_box_pairs(boxes_a_, boxes_b_, [&](std::uint32_t a, std::uint32_t b) { return !meet(a, b); }) ==
         proof::Search::finished;
}

}  // namespace lamella::clash
