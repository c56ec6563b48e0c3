// Each kernel is written once and compiled for every instruction set; the best one that the processor has is picked at
// run time. They use only operations that round the same everywhere (no fused multiply-add, no approximate
// reciprocals), so that all return the same bits.

#include "core/positions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lattice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/positions.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using U32 = hn::ScalableTag<std::uint32_t>;
using VF = hn::Vec<F32>;
using VU = hn::Vec<U32>;

/// One vertex at a time: for a few vertices, or a block in which some are not usable. Those do not count at all.
HWY_INLINE void InspectOneByOne(std::span<const Vec3> positions, PositionFacts& facts) {
  for (const Vec3 p : positions) {
    if (usable(p))
      facts.box = extend(facts.box, p);
    else
      facts.usable = false;
  }
}

/// min and max over a flat array of xyz, three vectors at a time: lane k of vector j always holds component
/// (j * lanes + k) % 3. In blocks: one that has a coordinate out of range is left to InspectOneByOne(), so that the
/// others need no test per vertex. With kCopy also copies it to `to`.
template <bool kCopy>
HWY_INLINE PositionFacts Inspect(std::span<const Vec3> positions, float* to) {
  const F32 d;
  const U32 du;
  constexpr std::size_t kBlock = 64;  // times three vectors
  const std::size_t lanes = hn::Lanes(d);
  const float* p = reinterpret_cast<const float*>(positions.data());
  const float inf = std::numeric_limits<float>::infinity();
  const auto limit = hn::BitCast(du, hn::Set(d, kMaxCoordinate));
  VF low[3] = {hn::Set(d, inf), hn::Set(d, inf), hn::Set(d, inf)};
  VF high[3] = {hn::Set(d, -inf), hn::Set(d, -inf), hn::Set(d, -inf)};
  PositionFacts facts;
  std::size_t begin = 0;
  while (positions.size() - begin >= lanes) {
    const std::size_t end = begin + std::min((positions.size() - begin) / lanes, kBlock) * lanes;
    VF block_low[3] = {low[0], low[1], low[2]}, block_high[3] = {high[0], high[1], high[2]};
    // As bits without the sign, a NaN is larger than infinity, and infinity is larger than any number.
    auto largest = hn::Zero(du);
    for (std::size_t i = 3 * begin; i < 3 * end; i += 3 * lanes)
      for (std::size_t j = 0; j < 3; ++j) {
        const VF x = hn::LoadU(d, p + i + j * lanes);
        if constexpr (kCopy) hn::StoreU(x, d, to + i + j * lanes);
        largest = hn::Max(largest, hn::BitCast(du, hn::Abs(x)));
        block_low[j] = hn::Min(block_low[j], x);
        block_high[j] = hn::Max(block_high[j], x);
      }
    if (hn::AllFalse(du, hn::Gt(largest, limit)))
      for (std::size_t j = 0; j < 3; ++j) {
        low[j] = block_low[j];
        high[j] = block_high[j];
      }
    else
      InspectOneByOne(positions.subspan(begin, end - begin), facts);
    begin = end;
  }
  HWY_ALIGN float lows[3 * HWY_MAX_BYTES / sizeof(float)], highs[3 * HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t j = 0; j < 3; ++j) {
    hn::Store(low[j], d, lows + j * lanes);
    hn::Store(high[j], d, highs + j * lanes);
  }
  for (std::size_t k = 0; k < 3 * lanes; ++k) {
    const int c = static_cast<int>(k % 3);
    facts.box.min[c] = std::min(facts.box.min[c], lows[k]);
    facts.box.max[c] = std::max(facts.box.max[c], highs[k]);
  }
  const auto rest = positions.subspan(begin);
  InspectOneByOne(rest, facts);
  if constexpr (kCopy) std::copy_n(p + 3 * begin, 3 * rest.size(), to + 3 * begin);
  return facts;
}

inline PositionFacts InspectPositions(std::span<const Vec3> positions) { return Inspect<false>(positions, nullptr); }
inline PositionFacts CopyPositions(std::span<const Vec3> positions, float* to) { return Inspect<true>(positions, to); }

/// Places positions in double: r0 x + r1 y + r2 z + t, always in this order, rounded once.
inline PositionFacts Transform(std::span<const Vec3> positions, const Placement& p, Vec3* to) {
  const hn::ScalableTag<double> d64;
  const hn::Rebind<float, decltype(d64)> d;
  using Floats = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const float inf = std::numeric_limits<float>::infinity();
  const Floats limit = hn::Set(d, kMaxCoordinate);
  Floats low[3] = {hn::Set(d, inf), hn::Set(d, inf), hn::Set(d, inf)};
  Floats high[3] = {hn::Set(d, -inf), hn::Set(d, -inf), hn::Set(d, -inf)};
  auto all_usable = hn::Eq(limit, limit);
  std::size_t i = 0;
  for (; i + lanes <= positions.size(); i += lanes) {
    Floats in[3], out[3];
    hn::LoadInterleaved3(d, &positions[i].x, in[0], in[1], in[2]);
    const auto x = hn::PromoteTo(d64, in[0]), y = hn::PromoteTo(d64, in[1]), z = hn::PromoteTo(d64, in[2]);
    for (int k = 0; k < 3; ++k) {
      const Vec3d r = p.rows[k];
      const auto xy = hn::Add(hn::Mul(hn::Set(d64, r.x), x), hn::Mul(hn::Set(d64, r.y), y));
      const auto xyz = hn::Add(xy, hn::Mul(hn::Set(d64, r.z), z));
      out[k] = hn::DemoteTo(d, hn::Add(xyz, hn::Set(d64, p.translation[k])));
    }
    const auto in_range = [&](int k) { return hn::Le(hn::Abs(out[k]), limit); };
    const auto fine = hn::And(hn::And(in_range(0), in_range(1)), in_range(2));
    all_usable = hn::And(all_usable, fine);
    for (int k = 0; k < 3; ++k) {
      low[k] = hn::Min(low[k], hn::IfThenElse(fine, out[k], hn::Set(d, inf)));
      high[k] = hn::Max(high[k], hn::IfThenElse(fine, out[k], hn::Set(d, -inf)));
    }
    hn::StoreInterleaved3(out[0], out[1], out[2], d, &to[i].x);
  }
  PositionFacts facts;
  facts.usable = hn::AllTrue(d, all_usable);
  for (int k = 0; k < 3; ++k) {
    facts.box.min[k] = hn::GetLane(hn::MinOfLanes(d, low[k]));
    facts.box.max[k] = hn::GetLane(hn::MaxOfLanes(d, high[k]));
  }
  const std::size_t rest = i;
  for (; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Vec3d r = p.rows[k], v = to_double(positions[i]);
      to[i][k] = static_cast<float>(r.x * v.x + r.y * v.y + r.z * v.z + p.translation[k]);
    }
  InspectOneByOne({to + rest, to + positions.size()}, facts);
  return facts;
}

inline float ReachFrom(Vec3 center, std::span<const Vec3> positions) {
  const F32 d;
  const std::size_t lanes = hn::Lanes(d);
  const VF cx = hn::Set(d, center.x), cy = hn::Set(d, center.y), cz = hn::Set(d, center.z);
  VF most = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= positions.size(); i += lanes) {
    VF x, y, z;
    hn::LoadInterleaved3(d, &positions[i].x, x, y, z);
    const VF dx = hn::Sub(x, cx), dy = hn::Sub(y, cy), dz = hn::Sub(z, cz);
    const VF square = hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
    // Broken positions are ignored.
    const auto fine = hn::Le(hn::Max(hn::Max(hn::Abs(x), hn::Abs(y)), hn::Abs(z)), hn::Set(d, kMaxCoordinate));
    most = hn::Max(most, hn::IfThenElseZero(hn::And(fine, hn::Eq(square, square)), square));
  }
  float result = hn::GetLane(hn::MaxOfLanes(d, most));
  for (; i < positions.size(); ++i) {
    const Vec3 p = positions[i] - center;
    if (usable(positions[i])) result = std::max(result, dot(p, p));
  }
  return std::sqrt(result) * 1.000001f + 0x1p-73f;  // squares may have lost up to 2^-150 each to underflow
}

inline Reach ReachAlong(Vec3 direction, std::span<const Vec3> positions) {
  const F32 d;
  const std::size_t lanes = hn::Lanes(d);
  const Reach none;
  const VF nx = hn::Set(d, direction.x), ny = hn::Set(d, direction.y), nz = hn::Set(d, direction.z);
  VF low = hn::Set(d, none.least), high = hn::Set(d, none.largest);
  std::size_t i = 0;
  for (; i + lanes <= positions.size(); i += lanes) {
    VF x, y, z;
    hn::LoadInterleaved3(d, &positions[i].x, x, y, z);
    const VF along = hn::Add(hn::Add(hn::Mul(nx, x), hn::Mul(ny, y)), hn::Mul(nz, z));
    const VF limit = hn::Set(d, kMaxCoordinate);
    const auto fine = hn::And(hn::And(hn::Le(hn::Abs(x), limit), hn::Le(hn::Abs(y), limit)), hn::Le(hn::Abs(z), limit));
    low = hn::Min(low, hn::IfThenElse(fine, along, hn::Set(d, none.least)));
    high = hn::Max(high, hn::IfThenElse(fine, along, hn::Set(d, none.largest)));
  }
  Reach reach{hn::GetLane(hn::MinOfLanes(d, low)), hn::GetLane(hn::MaxOfLanes(d, high))};
  for (; i < positions.size(); ++i) {
    if (!usable(positions[i])) continue;
    const float along = dot(direction, positions[i]);
    reach.least = std::min(reach.least, along);
    reach.largest = std::max(reach.largest, along);
  }
  return reach;
}

/// The largest index.
inline std::uint32_t MaxIndex(std::span<const Triangle> triangles) {
  const U32 d;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint32_t* p = reinterpret_cast<const std::uint32_t*>(triangles.data());
  const std::size_t n = triangles.size() * 3;
  VU most0 = hn::Zero(d), most1 = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    most0 = hn::Max(most0, hn::LoadU(d, p + i));
    most1 = hn::Max(most1, hn::LoadU(d, p + i + lanes));
  }
  std::uint32_t result = hn::GetLane(hn::MaxOfLanes(d, hn::Max(most0, most1)));
  for (; i < n; ++i) result = std::max(result, p[i]);
  return result;
}

}  // namespace lamella::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella {

HWY_EXPORT(CopyPositions);
HWY_EXPORT(InspectPositions);
HWY_EXPORT(MaxIndex);
HWY_EXPORT(Transform);
HWY_EXPORT(ReachFrom);
HWY_EXPORT(ReachAlong);

PositionFacts inspect_positions(std::span<const Vec3> positions) {
  return HWY_DYNAMIC_DISPATCH(InspectPositions)(positions);
}

PositionFacts copy_positions(std::span<const Vec3> positions, Vec3* to) {
  return HWY_DYNAMIC_DISPATCH(CopyPositions)(positions, reinterpret_cast<float*>(to));
}

PositionFacts place_positions(std::span<const Vec3> positions, const Placement& placement, Vec3* to) {
  return HWY_DYNAMIC_DISPATCH(Transform)(positions, placement, to);
}

float reach_from(Vec3 center, std::span<const Vec3> positions) {
  return HWY_DYNAMIC_DISPATCH(ReachFrom)(center, positions);
}

Reach reach_along(Vec3 direction, std::span<const Vec3> positions) {
  return HWY_DYNAMIC_DISPATCH(ReachAlong)(direction, positions);
}

std::uint32_t max_index(std::span<const Triangle> triangles) { return HWY_DYNAMIC_DISPATCH(MaxIndex)(triangles); }

}  // namespace lamella
#endif  // HWY_ONCE
