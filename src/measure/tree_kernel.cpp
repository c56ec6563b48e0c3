#include "measure/tree_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// As many lanes as a leaf has triangles, or fewer.
using Eight = hn::CappedTag<float, kMostInLeaf>;

inline void FitBoxes(std::span<const TreeNode> nodes, std::size_t begin, std::size_t end, const TriangleColumns& t,
                     const float* const normals[3], const NodeColumns& out) {
  const Eight d;
  using V = hn::Vec<Eight>;
  for (std::size_t n = begin; n < end; ++n) {
    const TreeNode node = nodes[n];
    if (!node.leaf) continue;
    for (int k = 0; k < 3; ++k) {
      V low = hn::Set(d, t.at[k][node.begin]), high = low;
      for (std::uint32_t i = 0; i < node.count; i += hn::Lanes(d)) {
        const auto counts = hn::FirstN(d, node.count - i);
        for (int c = 0; c < 3; ++c) {
          const V at = hn::IfThenElse(counts, hn::LoadU(d, t.at[3 * c + k] + node.begin + i), low);
          low = hn::Min(low, at);
          high = hn::Max(high, at);
        }
      }
      out.low[k][n] = hn::GetLane(hn::MinOfLanes(d, low));
      out.high[k][n] = hn::GetLane(hn::MaxOfLanes(d, high));
      float sum = 0;  // in the triangles' order, whatever the instruction set
      for (std::uint32_t i = node.begin; i < node.begin + node.count; ++i) sum += normals[k][i];
      out.normal[k][n] = sum;
    }
  }
}

inline void MakeUnits(std::size_t begin, std::size_t end, float* x, float* y, float* z) {
  const F32 d;
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const VF u = hn::LoadU(d, x + i), v = hn::LoadU(d, y + i), w = hn::LoadU(d, z + i);
    const VF square = hn::Add(hn::Add(hn::Mul(u, u), hn::Mul(v, v)), hn::Mul(w, w));
    const auto some = hn::And(hn::Gt(square, hn::Set(d, 0x1p-100f)), hn::Lt(square, hn::Set(d, 0x1p100f)));
    const VF scale = hn::IfThenElseZero(some, hn::Div(hn::Set(d, 1), hn::Sqrt(square)));
    hn::StoreU(hn::IfThenElseZero(some, hn::Mul(u, scale)), d, x + i);
    hn::StoreU(hn::IfThenElseZero(some, hn::Mul(v, scale)), d, y + i);
    hn::StoreU(hn::IfThenElseZero(some, hn::Mul(w, scale)), d, z + i);
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

inline NearestPoint NearestPointOf(std::span<const Vec3d> points, Vec3d p) {
  const hn::ScalableTag<double> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  NearestPoint best;
  const auto take = [&](std::size_t index, double square) {
    if (square < best.square || (square == best.square && index < best.index)) best = {index, square};
  };
  V least = hn::Set(d, std::numeric_limits<double>::infinity());
  auto at = hn::Zero(du), here = hn::Iota(du, 0);
  std::size_t i = 0;
  for (; i + lanes <= points.size(); i += lanes) {
    V x, y, z;
    hn::LoadInterleaved3(d, &points[i].x, x, y, z);
    x = hn::Sub(x, hn::Set(d, p.x));
    y = hn::Sub(y, hn::Set(d, p.y));
    z = hn::Sub(z, hn::Set(d, p.z));
    const V square = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
    const auto nearer = hn::Lt(square, least);
    least = hn::Min(square, least);
    at = hn::IfThenElse(hn::RebindMask(du, nearer), here, at);
    here = hn::Add(here, hn::Set(du, lanes));
  }
  HWY_ALIGN double squares[HWY_MAX_BYTES / sizeof(double)];
  HWY_ALIGN std::uint64_t indices[HWY_MAX_BYTES / sizeof(double)];
  hn::Store(least, d, squares);
  hn::Store(at, du, indices);
  for (std::size_t k = 0; k < lanes; ++k) take(indices[k], squares[k]);
  for (; i < points.size(); ++i) {
    const Vec3d away = points[i] - p;
    take(i, dot(away, away));
  }
  return best;
}

}  // namespace lamella::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::measure {

HWY_EXPORT(FitBoxes);
HWY_EXPORT(MakeUnits);
HWY_EXPORT(DiscAround);
HWY_EXPORT(WriteAlong);
HWY_EXPORT(NearestPointOf);

void fit_boxes(std::span<const TreeNode> nodes, std::size_t begin, std::size_t end, const TriangleColumns& triangles,
               const float* const normals[3], const NodeColumns& out) {
  HWY_DYNAMIC_DISPATCH(FitBoxes)(nodes, begin, end, triangles, normals, out);
}
void make_units(std::size_t begin, std::size_t end, float* x, float* y, float* z) {
  HWY_DYNAMIC_DISPATCH(MakeUnits)(begin, end, x, y, z);
}
DiscSize disc_around(const TriangleColumns& triangles, std::size_t begin, std::size_t end, Vec3 center, Vec3 normal) {
  return HWY_DYNAMIC_DISPATCH(DiscAround)(triangles, begin, end, center, normal);
}

void write_along(std::span<const Vec3> positions, Vec3 direction, float* out) {
  HWY_DYNAMIC_DISPATCH(WriteAlong)(positions, direction, out);
}
NearestPoint nearest_point(std::span<const Vec3d> points, Vec3d p) {
  return HWY_DYNAMIC_DISPATCH(NearestPointOf)(points, p);
}

}  // namespace lamella::measure
#endif  // HWY_ONCE
