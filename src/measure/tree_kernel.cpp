#include "measure/tree_kernel.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/tree_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::measure::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using VF = hn::Vec<F32>;

inline void WriteNormals(const TriangleColumns& t, std::size_t begin, std::size_t end, float* x, float* y, float* z) {
  const F32 d;
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    VF u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      const VF a = hn::LoadU(d, t.at[k] + i);
      u[k] = hn::Sub(hn::LoadU(d, t.at[3 + k] + i), a);
      v[k] = hn::Sub(hn::LoadU(d, t.at[6 + k] + i), a);
    }
    hn::StoreU(hn::Sub(hn::Mul(u[1], v[2]), hn::Mul(u[2], v[1])), d, x + i);
    hn::StoreU(hn::Sub(hn::Mul(u[2], v[0]), hn::Mul(u[0], v[2])), d, y + i);
    hn::StoreU(hn::Sub(hn::Mul(u[0], v[1]), hn::Mul(u[1], v[0])), d, z + i);
  }
}

inline DiscSize DiscAround(const TriangleColumns& t, std::size_t begin, std::size_t end, Vec3 center, Vec3 normal) {
  const F32 d;
  VF thick = hn::Zero(d), across = hn::Zero(d), reach = hn::Zero(d);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const auto counts = hn::FirstN(d, end - i);
    for (int c = 0; c < 3; ++c) {
      VF q[3];
      for (int k = 0; k < 3; ++k)
        q[k] = hn::IfThenElseZero(counts, hn::Sub(hn::LoadU(d, t.at[3 * c + k] + i), hn::Set(d, center[k])));
      const VF height = hn::Add(hn::Add(hn::Mul(q[0], hn::Set(d, normal.x)), hn::Mul(q[1], hn::Set(d, normal.y))),
                                hn::Mul(q[2], hn::Set(d, normal.z)));
      const VF square = hn::Add(hn::Add(hn::Mul(q[0], q[0]), hn::Mul(q[1], q[1])), hn::Mul(q[2], q[2]));
      thick = hn::Max(thick, hn::Abs(height));
      across = hn::Max(across, hn::Sub(square, hn::Mul(height, height)));
      reach = hn::Max(reach, square);
    }
  }
  const float most = hn::GetLane(hn::MaxOfLanes(d, reach));
  return {std::sqrt(hn::GetLane(hn::MaxOfLanes(d, across)) + most * 0x1p-18f) * (1 + 0x1p-20f) + 0x1p-60f,
          hn::GetLane(hn::MaxOfLanes(d, thick)) + std::sqrt(most) * 0x1p-20f + 0x1p-60f};
}

inline void WriteAlong(std::span<const Vec3> positions, Vec3 direction, float* out) {
  const F32 d;
  std::size_t i = 0;
  const VF nx = hn::Set(d, direction.x), ny = hn::Set(d, direction.y), nz = hn::Set(d, direction.z);
  for (; i + hn::Lanes(d) <= positions.size(); i += hn::Lanes(d)) {
    VF x, y, z;
    hn::LoadInterleaved3(d, &positions[i].x, x, y, z);
    hn::StoreU(hn::Add(hn::Add(hn::Mul(nx, x), hn::Mul(ny, y)), hn::Mul(nz, z)), d, out + i);
  }
  for (; i < positions.size(); ++i) out[i] = dot(direction, positions[i]);
}

}  // namespace lamella::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::measure {

HWY_EXPORT(WriteNormals);
HWY_EXPORT(DiscAround);
HWY_EXPORT(WriteAlong);

void write_normals(const TriangleColumns& triangles, std::size_t begin, std::size_t end, float* x, float* y, float* z) {
  HWY_DYNAMIC_DISPATCH(WriteNormals)(triangles, begin, end, x, y, z);
}
DiscSize disc_around(const TriangleColumns& triangles, std::size_t begin, std::size_t end, Vec3 center, Vec3 normal) {
  return HWY_DYNAMIC_DISPATCH(DiscAround)(triangles, begin, end, center, normal);
}

void write_along(std::span<const Vec3> positions, Vec3 direction, float* out) {
  HWY_DYNAMIC_DISPATCH(WriteAlong)(positions, direction, out);
}

}  // namespace lamella::measure
#endif  // HWY_ONCE
