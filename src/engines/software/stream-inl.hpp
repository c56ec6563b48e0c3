// Kernels over whole meshes: bounds, codes, cull.
//
// Included once per instruction set by foreach_target.h; the guard toggles so that each inclusion counts.
#if defined(LAMELLA_SOFTWARE_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LAMELLA_SOFTWARE_STREAM_INL
#undef LAMELLA_SOFTWARE_STREAM_INL
#else
#define LAMELLA_SOFTWARE_STREAM_INL
#endif

#include <algorithm>
#include <limits>

#include "engines/software/kernels.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<std::int32_t>;
using U32 = hn::ScalableTag<std::uint32_t>;
using VF = hn::Vec<F32>;
using VI = hn::Vec<I32>;
using VU = hn::Vec<U32>;

inline const char* InstructionSet() { return hwy::TargetName(HWY_TARGET); }

// ---------------------------------------------------------------------------------------------------------- streams

/// min and max over a flat array of xyz, three vectors at a time: lane k of vector j always holds component
/// (j * lanes + k) % 3. With kCopy also copies it to `to`.
template <bool kCopy>
HWY_INLINE PositionFacts Inspect(std::span<const Vec3> positions, float* to) {
  const F32 d;
  const U32 du;
  const std::size_t lanes = hn::Lanes(d);
  const float* p = reinterpret_cast<const float*>(positions.data());
  const std::size_t n = positions.size() * 3;
  const float inf = std::numeric_limits<float>::infinity();
  const VF limit = hn::Set(d, kMaxCoordinate);
  VF low[3] = {hn::Set(d, inf), hn::Set(d, inf), hn::Set(d, inf)};
  VF high[3] = {hn::Set(d, -inf), hn::Set(d, -inf), hn::Set(d, -inf)};
  // As bits, without the sign, a NaN is larger than infinity, and that than any number.
  auto largest = hn::Zero(du);
  std::size_t i = 0;
  for (; i + 3 * lanes <= n; i += 3 * lanes)
    for (std::size_t j = 0; j < 3; ++j) {
      const VF x = hn::LoadU(d, p + i + j * lanes);
      if constexpr (kCopy) hn::StoreU(x, d, to + i + j * lanes);
      const VF magnitude = hn::Abs(x);
      largest = hn::Max(largest, hn::BitCast(du, magnitude));
      const auto fine = hn::Le(magnitude, limit);
      low[j] = hn::Min(low[j], hn::IfThenElse(fine, x, hn::Set(d, inf)));
      high[j] = hn::Max(high[j], hn::IfThenElse(fine, x, hn::Set(d, -inf)));
    }
  PositionFacts facts;
  Aabb& box = facts.box;
  facts.usable = hn::AllFalse(du, hn::Gt(largest, hn::BitCast(du, limit)));
  HWY_ALIGN float lows[3 * HWY_MAX_BYTES / sizeof(float)], highs[3 * HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t j = 0; j < 3; ++j) {
    hn::Store(low[j], d, lows + j * lanes);
    hn::Store(high[j], d, highs + j * lanes);
  }
  for (std::size_t k = 0; k < 3 * lanes; ++k) {
    const int c = static_cast<int>(k % 3);
    box.min[c] = std::min(box.min[c], lows[k]);
    box.max[c] = std::max(box.max[c], highs[k]);
  }
  for (; i < n; ++i) {
    if constexpr (kCopy) to[i] = p[i];
    if (!(std::abs(p[i]) <= kMaxCoordinate)) {
      facts.usable = false;
      continue;
    }
    const int c = static_cast<int>(i % 3);
    box.min[c] = std::min(box.min[c], p[i]);
    box.max[c] = std::max(box.max[c], p[i]);
  }
  return facts;
}

inline PositionFacts InspectPositions(std::span<const Vec3> positions) { return Inspect<false>(positions, nullptr); }
inline PositionFacts CopyPositions(std::span<const Vec3> positions, float* to) { return Inspect<true>(positions, to); }

/// Positions placed in double, r0 x + r1 y + r2 z + t in this order everywhere, and rounded once.
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
      const auto fine = hn::Le(hn::Abs(out[k]), limit);
      all_usable = hn::And(all_usable, fine);
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
  for (; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Vec3d r = p.rows[k], v = to_double(positions[i]);
      const auto x = static_cast<float>(r.x * v.x + r.y * v.y + r.z * v.z + p.translation[k]);
      to[i][k] = x;
      if (!(std::abs(x) <= kMaxCoordinate)) {
        facts.usable = false;
        continue;
      }
      facts.box.min[k] = std::min(facts.box.min[k], x);
      facts.box.max[k] = std::max(facts.box.max[k], x);
    }
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
    // Of broken positions nothing is known: they do not count.
    const auto fine = hn::Le(hn::Max(hn::Max(hn::Abs(x), hn::Abs(y)), hn::Abs(z)), hn::Set(d, kMaxCoordinate));
    most = hn::Max(most, hn::IfThenElseZero(hn::And(fine, hn::Eq(square, square)), square));
  }
  float result = hn::GetLane(hn::MaxOfLanes(d, most));
  for (; i < positions.size(); ++i) {
    const Vec3 p = positions[i] - center;
    if (usable(positions[i])) result = std::max(result, dot(p, p));
  }
  return std::sqrt(result) * 1.000001f;
}

/// Largest of the indices.
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

// --------------------------------------------------------------------------------------------------------- snapping

/// lattice_coordinate() and snap(), minus one, from `begin` - 1 up to `end` - 1.
HWY_INLINE VI SnapClamped(VF x, VF origin, VF scale, VF begin, VF end) {
  const F32 d;
  const I32 di;
  const VF c = hn::Add(hn::Mul(hn::Sub(x, origin), scale), hn::Set(d, kSubStep / 2));
  // Clamped while still a float, to integers that are exact in it.
  const VF bounded = hn::Min(hn::Max(c, begin), end);
  return hn::Sub(hn::NearestInt(bounded), hn::Set(di, 1));
}

constexpr float SnapBegin(std::uint32_t first) { return static_cast<float>(clamped_low(first) + 1); }
constexpr float SnapEnd(std::uint32_t end) { return static_cast<float>(clamped_high(end) + 1); }

/// The lattice's constants for one position of the flat xyz stream's period of three vectors, and which lanes matter.
struct StreamPhase {
  VF origin, scale, begin, end;
  hn::Mask<I32> kept;
  std::size_t kept_count;
};

HWY_INLINE StreamPhase MakePhase(const RasterTarget& target, std::size_t phase) {
  const F32 d;
  const I32 di;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  HWY_ALIGN float origin[kMost], scale[kMost], begin[kMost], end[kMost];
  HWY_ALIGN std::int32_t kept[kMost];
  const Lattice& l = target.lattice;
  std::size_t kept_count = 0;
  for (std::size_t k = 0; k < lanes; ++k) {
    const int component = static_cast<int>((phase * lanes + k) % 3);
    const bool is_u = component == target.grid.u(), is_w = component == target.grid.w();
    origin[k] = is_u ? l.origin_u : l.origin_v;
    scale[k] = is_u ? l.scale_u : l.scale_v;
    begin[k] = SnapBegin(is_u ? target.window.first_u : target.window.first_v);
    end[k] = SnapEnd(is_u ? target.window.end_u : target.window.end_v);
    kept[k] = is_w ? 0 : 1;
    kept_count += is_w ? 0 : 1;
  }
  return {hn::Load(d, origin),
          hn::Load(d, scale),
          hn::Load(d, begin),
          hn::Load(d, end),
          hn::Ne(hn::Load(di, kept), hn::Zero(di)),
          kept_count};
}

/// One vertex, as in core/lattice.hpp.
inline CellCode EncodeOne(Vec3 p, const RasterTarget& target) {
  if (!usable(p)) return {};
  const auto encode_axis = [](float x, float origin, float scale, std::uint32_t first, std::uint32_t end) {
    const float c = lattice_coordinate(x, origin, scale);
    const float bounded = std::min(std::max(c, SnapBegin(first)), SnapEnd(end));
    return static_cast<std::uint16_t>((snap(bounded) - 1) >> kSubBits);
  };
  const Lattice& l = target.lattice;
  const Grid& g = target.grid;
  const Window& w = target.window;
  const std::uint16_t u = encode_axis(p[g.u()], l.origin_u, l.scale_u, w.first_u, w.end_u);
  const std::uint16_t v = encode_axis(p[g.v()], l.origin_v, l.scale_v, w.first_v, w.end_v);
  return g.axis == Axis::y ? CellCode{v, u} : CellCode{u, v};
}

/// Works on the flat stream: all three components are coded, the one along the ray is then squeezed out.
inline std::size_t Encode(std::span<const Vec3> positions, const RasterTarget& target, CellCode* codes) {
  const F32 d;
  const hn::Rebind<std::uint16_t, I32> d16;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t n = positions.size();
  const float* p = reinterpret_cast<const float*>(positions.data());
  const StreamPhase phases[3] = {MakePhase(target, 0), MakePhase(target, 1), MakePhase(target, 2)};
  const VF limit = hn::Set(d, kMaxCoordinate);
  auto all_usable = hn::Eq(limit, limit);
  auto* to = reinterpret_cast<std::uint16_t*>(codes);
  std::size_t i = 0;
  // Squeezed vectors are stored whole, so a few numbers too many: the last vertices are left to the loop below, which
  // keeps all writes within this call's part of the array.
  for (; i + 2 * lanes <= n; i += lanes)
    for (std::size_t j = 0; j < 3; ++j) {
      const StreamPhase& phase = phases[j];
      const VF x = hn::LoadU(d, p + 3 * i + j * lanes);
      all_usable = hn::And(all_usable, hn::Le(hn::Abs(x), limit));
      const VI code = hn::ShiftRight<kSubBits>(SnapClamped(x, phase.origin, phase.scale, phase.begin, phase.end));
      hn::StoreU(hn::DemoteTo(d16, hn::Compress(code, phase.kept)), d16, to);
      to += phase.kept_count;
    }
  const std::size_t vectors = i;
  for (; i < n; ++i) codes[i] = EncodeOne(positions[i], target);
  std::size_t unusable = 0;
  for (i = hn::AllTrue(d, all_usable) ? vectors : 0; i < n; ++i) unusable += usable(positions[i]) ? 0 : 1;
  return unusable;
}

// ---------------------------------------------------------------------------------------------------------- culling

/// Appends the ids of the triangles whose corners differ on both axes.
HWY_INLINE void AppendSurvivors(VU differ, VU id, std::uint32_t* ids, std::size_t& count) {
  const U32 d;
  const VU least = hn::Min(hn::And(differ, hn::Set(d, 0xffffu)), hn::ShiftRight<16>(differ));
  const auto survives = hn::Ne(least, hn::Zero(d));
  hn::StoreU(hn::Compress(id, survives), d, ids + count);
  count += hn::CountTrue(d, survives);
}

/// A vector of triangles at a time.
inline std::size_t CullByGathers(std::span<const Triangle> triangles, std::span<const CellCode> codes,
                                 std::uint32_t first, std::uint32_t* ids) {
  const U32 d;
  const I32 di;
  const std::size_t lanes = hn::Lanes(d);
  const auto* indices = reinterpret_cast<const std::uint32_t*>(triangles.data());
  const auto* base = reinterpret_cast<const std::uint32_t*>(codes.data());
  const VU end = hn::Set(d, static_cast<std::uint32_t>(codes.size()));
  const auto code = [&](VU index) { return hn::GatherIndex(d, base, hn::BitCast(di, index)); };
  VU id = hn::Iota(d, first);
  std::size_t count = 0, i = 0;
  for (; i + lanes <= triangles.size(); i += lanes) {
    VU ia, ib, ic;
    hn::LoadInterleaved3(d, indices + 3 * i, ia, ib, ic);
    if (!hn::AllTrue(d, hn::Lt(hn::Max(hn::Max(ia, ib), ic), end))) return kBadIndex;
    const VU a = code(ia);
    AppendSurvivors(hn::Or(hn::Xor(a, code(ib)), hn::Xor(a, code(ic))), id, ids, count);
    id = hn::Add(id, hn::Set(d, static_cast<std::uint32_t>(lanes)));
  }
  if (i == triangles.size()) return count;
  const std::size_t rest =
      cull_by_loads(triangles.subspan(i), codes, first + static_cast<std::uint32_t>(i), ids + count);
  return rest == kBadIndex ? kBadIndex : count + rest;
}

/// In blocks of two steps: plain loads collect where the corners differ, vectors then test and compact.
inline std::size_t CullByLoads(std::span<const Triangle> triangles, std::span<const CellCode> codes,
                               std::uint32_t first, std::uint32_t* ids) {
  const U32 d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kBlock = 512;  // long enough that the first stores are done when the vectors load them
  HWY_ALIGN std::uint32_t differ[kBlock];
  VU id = hn::Iota(d, first);
  std::size_t count = 0;
  for (std::size_t block = 0; block < triangles.size(); block += kBlock) {
    const std::size_t n = std::min(kBlock, triangles.size() - block);
    if (MaxIndex(triangles.subspan(block, n)) >= codes.size()) return kBadIndex;
    collect_differences(triangles.subspan(block, n), codes.data(), differ);
    for (std::size_t i = n; i % lanes != 0; ++i) differ[i] = 0;
    for (std::size_t i = 0; i < n; i += lanes) {
      AppendSurvivors(hn::Load(d, differ + i), id, ids, count);
      id = hn::Add(id, hn::Set(d, static_cast<std::uint32_t>(lanes)));
    }
  }
  return count;
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
