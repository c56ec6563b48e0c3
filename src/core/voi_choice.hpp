#pragma once

// Volume of interest of a pair: Heidelberger, Teschner, Gross, "Volumetric Collision Detection for Deformable Objects",
// ETH TR 395 (2003), section 2.1. The paper picks the axis whose outside faces are closest; so do we, with the extended
// candidates (one box within the other on an axis) competing on equal terms. voi.hpp is the C++ interface; kernels call
// this.

#include "core/host_device.hpp"
#include "lamella/voi.hpp"

namespace lamella {

/// Below this, cells would be too small for the scaling in float arithmetic.
inline constexpr float kMinExtent = 0x1p-80f;

LAMELLA_HOST_DEVICE constexpr bool encloses_volume(const Aabb& box) {
  const Vec3 e = extent(box);
  return e.x > kMinExtent && e.y > kMinExtent && e.z > kMinExtent;
}

struct VoiChoice {
  bool exists = false;
  PairVoi voi;  ///< when there is one
};

/// What two boxes have in common; empty when they are apart.
LAMELLA_HOST_DEVICE constexpr Aabb shared_box(const Aabb& a, const Aabb& b) {
  Aabb shared;
  for (int i = 0; i < 3; ++i) {
    shared.min[i] = a.min[i] < b.min[i] ? b.min[i] : a.min[i];
    shared.max[i] = b.max[i] < a.max[i] ? b.max[i] : a.max[i];
  }
  return shared;
}

/// choose_pair_voi(), with -1 for any axis.
LAMELLA_HOST_DEVICE constexpr VoiChoice choose_voi(const Aabb& a, const Aabb& b, int forced_axis) {
  VoiChoice best;
  if (a.empty() || b.empty()) return best;
  const Aabb shared = shared_box(a, b);
  if (!encloses_volume(shared)) return best;

  float shallowest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (forced_axis >= 0 && forced_axis != axis) continue;
    // The low face must lie on the box of the object that is outside there, the high face on the other's. The interval
    // from one's minimum to the other's maximum covers the plain case and both extended cases: where the boxes overlap
    // only partly, the two candidates are the intersection and the union, and the intersection is shorter.
    for (int way = 0; way < 2; ++way) {
      const float low = way == 0 ? a.min[axis] : b.min[axis], high = way == 0 ? b.max[axis] : a.max[axis];
      if (best.exists && !(high - low < shallowest)) continue;
      best.exists = true;
      best.voi.box = shared;
      best.voi.box.min[axis] = low;
      best.voi.box.max[axis] = high;
      best.voi.axis = static_cast<Axis>(axis);
      best.voi.outside_a = way == 0 ? End::low : End::high;
      best.voi.outside_b = way == 0 ? End::high : End::low;
      shallowest = high - low;
    }
  }
  return best;
}

/// choose_axis(), with -1 for a box that encloses no volume.
LAMELLA_HOST_DEVICE constexpr int shallowest_axis(const Aabb& box) {
  if (box.empty() || !encloses_volume(box)) return -1;
  const Vec3 e = extent(box);
  if (e.x < e.y && e.x < e.z) return 0;
  return e.y < e.z ? 1 : 2;
}

/// choose_shared_voi(), with -1 for any axis.
LAMELLA_HOST_DEVICE constexpr VoiChoice choose_shared(const Aabb& a, const Aabb& b, int forced_axis) {
  VoiChoice choice;
  if (a.empty() || b.empty()) return choice;
  const Aabb shared = shared_box(a, b);
  const int axis = shallowest_axis(shared);
  if (axis < 0) return choice;
  choice.exists = true;
  choice.voi = {shared, static_cast<Axis>(forced_axis >= 0 ? forced_axis : axis), End::both, End::both};
  return choice;
}

}  // namespace lamella
