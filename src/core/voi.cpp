// Volume of interest of a pair: Heidelberger, Teschner, Gross, "Volumetric Collision Detection for Deformable Objects",
// ETH TR 395 (2003), section 2.1. The paper picks the axis whose outside faces are closest; so do we, with the extended
// candidates (one box within the other on an axis) competing on equal terms.

#include "lamella/voi.hpp"

#include <algorithm>

namespace lamella {
namespace {

// Below this a cell would be smaller than float arithmetic can scale by.
constexpr float kMinExtent = 0x1p-80f;

bool encloses_volume(const Aabb& box) {
  const Vec3 e = extent(box);
  return e.x > kMinExtent && e.y > kMinExtent && e.z > kMinExtent;
}

struct Interval {
  float low, high;
  End outside_a;
};

PairVoi make_voi(const Aabb& shared, int axis, const Interval& interval) {
  PairVoi voi{shared, static_cast<Axis>(axis), interval.outside_a,
              interval.outside_a == End::low ? End::high : End::low};
  voi.box.min[axis] = interval.low;
  voi.box.max[axis] = interval.high;
  return voi;
}

}  // namespace

std::optional<PairVoi> choose_pair_voi(const Aabb& a, const Aabb& b, std::optional<Axis> forced) {
  if (a.empty() || b.empty()) return std::nullopt;
  Aabb shared;
  for (int i = 0; i < 3; ++i) {
    shared.min[i] = std::max(a.min[i], b.min[i]);
    shared.max[i] = std::min(a.max[i], b.max[i]);
  }
  if (!encloses_volume(shared)) return std::nullopt;

  std::optional<PairVoi> best;
  for (int axis = 0; axis < 3; ++axis) {
    if (forced && static_cast<int>(*forced) != axis) continue;
    // The low face must lie on the box of the object that is outside there, the high face on the other's. That the
    // interval starts at one's minimum and ends at the other's maximum covers the plain and both extended cases: where
    // the boxes merely overlap the two candidates are the intersection and the union, and the intersection is shorter.
    for (const Interval c :
         {Interval{a.min[axis], b.max[axis], End::low}, Interval{b.min[axis], a.max[axis], End::high}}) {
      const PairVoi voi = make_voi(shared, axis, c);
      if (!best || extent(voi.box)[axis] < extent(best->box)[static_cast<int>(best->axis)]) best = voi;
    }
  }
  return best;
}

std::optional<Axis> choose_axis(const Aabb& box) {
  if (box.empty() || !encloses_volume(box)) return std::nullopt;
  const Vec3 e = extent(box);
  if (e.x < e.y && e.x < e.z) return Axis::x;
  return e.y < e.z ? Axis::y : Axis::z;
}

}  // namespace lamella
