#include "measure/corner_kernel.hpp"

#include <algorithm>
#include <limits>

#include "core/lattice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/corner_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::measure::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<std::int32_t>;
using U32 = hn::ScalableTag<std::uint32_t>;
using VF = hn::Vec<F32>;
using VI = hn::Vec<I32>;
using VU = hn::Vec<U32>;

/// The corners of a vector of triangles.
struct Corners {
  VF at[3][3];
};
HWY_INLINE VI Times3(VI x) { return hn::Add(hn::Add(x, x), x); }
/// For indices that a third of a signed number cannot hold.
inline Corners GatherOneByOne(MeshView mesh, VI ids) {
  const F32 d;
  HWY_ALIGN std::int32_t id[HWY_MAX_BYTES / sizeof(std::int32_t)];
  HWY_ALIGN float at[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(ids, I32(), id);
  Corners corners;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < hn::Lanes(d); ++i)
        at[i] = mesh.positions[mesh.triangles[static_cast<std::uint32_t>(id[i])][c]][k];
      corners.at[c][k] = hn::Load(d, at);
    }
  return corners;
}
HWY_INLINE Corners GatherCorners(MeshView mesh, VI ids) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max() / 3;
  if (HWY_UNLIKELY(std::max(mesh.triangles.size(), mesh.positions.size()) > kMost)) return GatherOneByOne(mesh, ids);
  const auto* indices = reinterpret_cast<const std::int32_t*>(mesh.triangles.data());
  const float* positions = &mesh.positions.data()->x;
  Corners corners;
  const VI triangle = Times3(ids);
  for (int c = 0; c < 3; ++c) {
    const VI vertex = Times3(hn::GatherIndex(I32(), indices + c, triangle));
    for (int k = 0; k < 3; ++k) corners.at[c][k] = hn::GatherIndex(F32(), positions + k, vertex);
  }
  return corners;
}

/// The ids of a vector of items; behind the last, its own again.
template <class IdOf>
HWY_INLINE VI IdsFrom(std::size_t i, std::size_t end, const IdOf& id_of) {
  HWY_ALIGN std::int32_t ids[HWY_MAX_BYTES / sizeof(std::int32_t)];
  for (std::size_t k = 0; k < hn::Lanes(I32()); ++k)
    ids[k] = static_cast<std::int32_t>(id_of(std::min(i + k, end - 1)));
  return hn::Load(I32(), ids);
}
HWY_INLINE VI ChosenIds(const ChosenTriangles& triangles, std::size_t i, std::size_t end) {
  const I32 d;
  if (i + hn::Lanes(d) > end) return IdsFrom(i, end, [&](std::size_t k) { return triangles.id(k); });
  if (triangles.all) return hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<std::int32_t>(i)));
  return hn::LoadU(d, reinterpret_cast<const std::int32_t*>(triangles.some.data()) + i);
}

inline Aabb WriteMiddles(const ChosenTriangles& triangles, std::size_t begin, std::size_t end,
                         const MiddleColumns& out) {
  const F32 d;
  const hn::Rebind<std::uint8_t, F32> bytes;
  const VF infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  VF least[3] = {infinity, infinity, infinity}, most[3] = {hn::Neg(infinity), hn::Neg(infinity), hn::Neg(infinity)};
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const Corners t = GatherCorners(triangles.mesh, ChosenIds(triangles, i, end));
    VF size = hn::Zero(d), sum[3];
    auto usable = hn::FirstN(d, hn::Lanes(d));
    for (int k = 0; k < 3; ++k) {
      const VF a = t.at[0][k], b = t.at[1][k], c = t.at[2][k];
      for (const VF x : {a, b, c}) usable = hn::And(usable, hn::Le(hn::Abs(x), hn::Set(d, kMaxCoordinate)));
      const VF low = hn::Min(hn::Min(a, b), c), high = hn::Max(hn::Max(a, b), c);
      size = hn::Max(size, hn::Sub(high, low));
      sum[k] = hn::Add(low, high);
      hn::StoreU(sum[k], d, out.sum[k] + i);
    }
    for (int k = 0; k < 3; ++k) {
      least[k] = hn::Min(least[k], hn::IfThenElse(usable, sum[k], infinity));
      most[k] = hn::Max(most[k], hn::IfThenElse(usable, sum[k], hn::Neg(infinity)));
    }
    const VF known = hn::IfThenElse(usable, size, infinity);
    hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(I32(), hn::ShiftRight<23>(hn::BitCast(U32(), known)))), bytes,
               out.size + i);
  }
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    box.min[k] = hn::GetLane(hn::MinOfLanes(d, least[k]));
    box.max[k] = hn::GetLane(hn::MaxOfLanes(d, most[k]));
  }
  return box;
}

HWY_INLINE VU Spread(VU x) {
  const U32 d;
  x = hn::And(hn::Or(x, hn::ShiftLeft<16>(x)), hn::Set(d, 0x030000ffu));
  x = hn::And(hn::Or(x, hn::ShiftLeft<8>(x)), hn::Set(d, 0x0300f00fu));
  x = hn::And(hn::Or(x, hn::ShiftLeft<4>(x)), hn::Set(d, 0x030c30c3u));
  return hn::And(hn::Or(x, hn::ShiftLeft<2>(x)), hn::Set(d, 0x09249249u));
}

/// As MortonGrid::code().
inline void WriteKeys(const ChosenTriangles& triangles, const MiddleColumns& middles, const MortonGrid& grid,
                      std::size_t begin, std::size_t end, KeyedId* out) {
  const F32 d;
  const U32 du;
  const Vec3 low = grid.low(), scale = grid.scale();
  std::size_t i = begin;
  for (; i + hn::Lanes(d) <= end; i += hn::Lanes(d)) {
    VU cell[3];
    for (int k = 0; k < 3; ++k) {
      const VF at = hn::Mul(hn::Sub(hn::LoadU(d, middles.sum[k] + i), hn::Set(d, low[k])), hn::Set(d, scale[k]));
      // NaN is not above 0.
      const VF within = hn::IfThenElseZero(hn::Gt(at, hn::Zero(d)), hn::Min(at, hn::Set(d, MortonGrid::kLast)));
      cell[k] = Spread(hn::BitCast(du, hn::ConvertTo(I32(), within)));
    }
    const VU key = hn::Or(cell[0], hn::Or(hn::ShiftLeft<1>(cell[1]), hn::ShiftLeft<2>(cell[2])));
    hn::StoreInterleaved2(key, hn::BitCast(du, ChosenIds(triangles, i, end)), du, &out[i].key);
  }
  for (; i < end; ++i) out[i] = {grid.code({middles.sum[0][i], middles.sum[1][i], middles.sum[2][i]}), triangles.id(i)};
}

HWY_INLINE VI SortedIds(std::span<const KeyedId> sorted, std::size_t i, std::size_t end) {
  const U32 d;
  if (i + hn::Lanes(d) > end) return IdsFrom(i, end, [&](std::size_t k) { return sorted[k].id; });
  VU keys, ids;
  hn::LoadInterleaved2(d, &sorted[i].key, keys, ids);
  return hn::BitCast(I32(), ids);
}

inline void WriteCorners(MeshView mesh, std::span<const KeyedId> sorted, std::size_t begin, std::size_t end,
                         const CornerColumns& out) {
  const F32 d;
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const VI ids = SortedIds(sorted, i, end);
    const Corners t = GatherCorners(mesh, ids);
    hn::StoreU(hn::BitCast(U32(), ids), U32(), out.ids + i);
    VF u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c) hn::StoreU(t.at[c][k], d, out.at[3 * c + k] + i);
      u[k] = hn::Sub(t.at[1][k], t.at[0][k]);
      v[k] = hn::Sub(t.at[2][k], t.at[0][k]);
    }
    hn::StoreU(hn::Sub(hn::Mul(u[1], v[2]), hn::Mul(u[2], v[1])), d, out.normal[0] + i);
    hn::StoreU(hn::Sub(hn::Mul(u[2], v[0]), hn::Mul(u[0], v[2])), d, out.normal[1] + i);
    hn::StoreU(hn::Sub(hn::Mul(u[0], v[1]), hn::Mul(u[1], v[0])), d, out.normal[2] + i);
  }
}

}  // namespace lamella::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::measure {

HWY_EXPORT(WriteMiddles);
HWY_EXPORT(WriteKeys);
HWY_EXPORT(WriteCorners);

Aabb write_middles(const ChosenTriangles& triangles, std::size_t begin, std::size_t end, const MiddleColumns& out) {
  return HWY_DYNAMIC_DISPATCH(WriteMiddles)(triangles, begin, end, out);
}
void write_keys(const ChosenTriangles& triangles, const MiddleColumns& middles, const MortonGrid& grid,
                std::size_t begin, std::size_t end, KeyedId* out) {
  HWY_DYNAMIC_DISPATCH(WriteKeys)(triangles, middles, grid, begin, end, out);
}
void write_corners(MeshView mesh, std::span<const KeyedId> sorted, std::size_t begin, std::size_t end,
                   const CornerColumns& out) {
  HWY_DYNAMIC_DISPATCH(WriteCorners)(mesh, sorted, begin, end, out);
}

}  // namespace lamella::measure
#endif  // HWY_ONCE
