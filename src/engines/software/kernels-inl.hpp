// Included once per instruction set by foreach_target.h; the guard toggles so that each inclusion counts.
#if defined(LAMELLA_SOFTWARE_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LAMELLA_SOFTWARE_KERNELS_INL
#undef LAMELLA_SOFTWARE_KERNELS_INL
#else
#define LAMELLA_SOFTWARE_KERNELS_INL
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
/// (j * lanes + k) % 3.
inline Aabb Bounds(std::span<const Vec3> positions) {
  const F32 d;
  const std::size_t lanes = hn::Lanes(d);
  const float* p = reinterpret_cast<const float*>(positions.data());
  const std::size_t n = positions.size() * 3;
  const float inf = std::numeric_limits<float>::infinity();
  const VF limit = hn::Set(d, kMaxCoordinate);
  VF low[3] = {hn::Set(d, inf), hn::Set(d, inf), hn::Set(d, inf)};
  VF high[3] = {hn::Set(d, -inf), hn::Set(d, -inf), hn::Set(d, -inf)};
  std::size_t i = 0;
  for (; i + 3 * lanes <= n; i += 3 * lanes)
    for (std::size_t j = 0; j < 3; ++j) {
      const VF x = hn::LoadU(d, p + i + j * lanes);
      const auto fine = hn::Le(hn::Abs(x), limit);
      low[j] = hn::Min(low[j], hn::IfThenElse(fine, x, hn::Set(d, inf)));
      high[j] = hn::Max(high[j], hn::IfThenElse(fine, x, hn::Set(d, -inf)));
    }
  Aabb box;
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
    if (!(std::abs(p[i]) <= kMaxCoordinate)) continue;
    const int c = static_cast<int>(i % 3);
    box.min[c] = std::min(box.min[c], p[i]);
    box.max[c] = std::max(box.max[c], p[i]);
  }
  return box;
}

/// Largest of the indices.
HWY_INLINE std::uint32_t MaxIndex(std::span<const Triangle> triangles) {
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

/// The lattice's constants for one position of the flat xyz stream's period of three vectors, and which lanes matter.
struct SnapPhase {
  VF origin, scale, high;
  hn::Mask<I32> kept;
  std::size_t kept_count;
};

HWY_INLINE SnapPhase MakeSnapPhase(const RasterTarget& target, std::size_t phase) {
  const F32 d;
  const I32 di;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float origin[HWY_MAX_BYTES / sizeof(float)], scale[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN float high[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN std::int32_t kept[HWY_MAX_BYTES / sizeof(float)];
  const Lattice& l = target.lattice;
  std::size_t kept_count = 0;
  for (std::size_t k = 0; k < lanes; ++k) {
    const int component = static_cast<int>((phase * lanes + k) % 3);
    const bool is_u = component == target.grid.u(), is_w = component == target.grid.w();
    origin[k] = is_u ? l.origin_u : l.origin_v;
    scale[k] = is_u ? l.scale_u : l.scale_v;
    high[k] = static_cast<float>(clamped_high(is_u ? target.grid.columns : target.grid.rows) + 1);
    kept[k] = is_w ? 0 : 1;
    kept_count += is_w ? 0 : 1;
  }
  return {hn::Load(d, origin), hn::Load(d, scale), hn::Load(d, high), hn::Ne(hn::Load(di, kept), hn::Zero(di)),
          kept_count};
}

/// One vertex, as in core/lattice.hpp.
inline Snapped SnapOne(Vec3 p, const RasterTarget& target) {
  if (!usable(p)) return {kClampedLow, kClampedLow};
  const auto snap_axis = [](float x, float origin, float scale, std::uint32_t cells) {
    const float c = lattice_coordinate(x, origin, scale);
    const float bounded = std::min(std::max(c, 1.0f), static_cast<float>(clamped_high(cells) + 1));
    return static_cast<std::int32_t>(lamella::snap(bounded)) - 1;
  };
  const Lattice& l = target.lattice;
  const Grid& g = target.grid;
  const std::int32_t u = snap_axis(p[g.u()], l.origin_u, l.scale_u, g.columns);
  const std::int32_t v = snap_axis(p[g.v()], l.origin_v, l.scale_v, g.rows);
  return g.axis == Axis::y ? Snapped{v, u} : Snapped{u, v};
}

/// Works on the flat stream: all three components are snapped, the one along the ray is then squeezed out.
inline std::size_t Snap(std::span<const Vec3> positions, const RasterTarget& target, Snapped* out, float* w) {
  const F32 d;
  const I32 di;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t n = positions.size();
  const float* p = reinterpret_cast<const float*>(positions.data());
  const SnapPhase phases[3] = {MakeSnapPhase(target, 0), MakeSnapPhase(target, 1), MakeSnapPhase(target, 2)};
  const VF limit = hn::Set(d, kMaxCoordinate), one = hn::Set(d, 1.0f), half = hn::Set(d, kSubStep / 2);
  auto all_usable = hn::Eq(one, one);
  auto* to = reinterpret_cast<std::int32_t*>(out);
  float* to_w = w;
  std::size_t i = 0;
  // A squeezed vector is stored whole, so a few numbers too many: the last vertices are left to the loop below, which
  // keeps all writes within this call's part of the array.
  for (; i + 2 * lanes <= n; i += lanes)
    for (std::size_t j = 0; j < 3; ++j) {
      const SnapPhase& phase = phases[j];
      const VF x = hn::LoadU(d, p + 3 * i + j * lanes);
      all_usable = hn::And(all_usable, hn::Le(hn::Abs(x), limit));
      const VF c = hn::Add(hn::Mul(hn::Sub(x, phase.origin), phase.scale), half);
      const VI snapped = hn::Sub(hn::NearestInt(hn::Min(hn::Max(c, one), phase.high)), hn::Set(di, 1));
      hn::StoreU(hn::Compress(snapped, phase.kept), di, to);
      to += phase.kept_count;
      hn::StoreU(hn::Compress(x, hn::RebindMask(d, hn::Not(phase.kept))), d, to_w);
      to_w += lanes - phase.kept_count;
    }
  const std::size_t vectors = i;
  for (; i < n; ++i) {
    out[i] = SnapOne(positions[i], target);
    w[i] = positions[i][target.grid.w()];
  }
  // Broken vertices are rare; when there is one, do those again.
  std::size_t unusable = 0;
  for (i = hn::AllTrue(d, all_usable) ? vectors : 0; i < n; ++i)
    if (!usable(positions[i])) {
      out[i] = {kClampedLow, kClampedLow};
      ++unusable;
    }
  return unusable;
}

// ---------------------------------------------------------------------------------------------------------- culling

/// In blocks of two steps: plain loads collect where the corners differ, vectors then test and compact.
inline std::size_t Cull(std::span<const Triangle> triangles, std::span<const Snapped> vertices, std::uint32_t first,
                        std::uint32_t* ids) {
  const U32 d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kBlock = 512;  // long enough that the first stores are done when the vectors load them
  HWY_ALIGN std::uint64_t differ[kBlock];
  const auto* halves = reinterpret_cast<const std::uint32_t*>(differ);
  const VU smallest_cell = hn::Set(d, kSubStep);  // what differs by less differs in the fraction alone
  VU id = hn::Iota(d, first);
  std::size_t count = 0;
  for (std::size_t block = 0; block < triangles.size(); block += kBlock) {
    const std::size_t n = std::min(kBlock, triangles.size() - block);
    if (MaxIndex(triangles.subspan(block, n)) >= vertices.size()) return kBadIndex;
    collect_differences(triangles.subspan(block, n), vertices.data(), differ);
    for (std::size_t i = n; i % lanes != 0; ++i) differ[i] = 0;
    for (std::size_t i = 0; i < n; i += lanes) {
      VU on_first, on_second;
      hn::LoadInterleaved2(d, halves + 2 * i, on_first, on_second);
      const auto survives = hn::Not(hn::Lt(hn::Min(on_first, on_second), smallest_cell));
      hn::StoreU(hn::Compress(id, survives), d, ids + count);
      count += hn::CountTrue(d, survives);
      id = hn::Add(id, hn::Set(d, static_cast<std::uint32_t>(lanes)));
    }
  }
  return count;
}

// ------------------------------------------------------------------------------------------------------ rasterising

/// Crossing keys of clamped depths, see lamella::Crossing.
HWY_INLINE VU MakeKeys(VF z, VF low, VF high, VF box_depth, VU entry) {
  const F32 d;
  const U32 du;
  // To the triangle's own range, then into the box. Adding zero turns a negative zero positive: its sign bit is used.
  const VF in_triangle = hn::Min(hn::Max(z, low), high);
  const VF in_box = hn::Add(hn::Min(hn::Max(in_triangle, hn::Zero(d)), box_depth), hn::Zero(d));
  return hn::Or(hn::ShiftLeft<1>(hn::BitCast(du, in_box)), entry);
}

/// One edge function over a batch: its value at the current sample, its steps, and the tie rule folded into `bias`.
///
/// Samples are thought of as moved by (e, e^2) for an infinitely small e > 0, so that none lies on an edge: where the
/// function is 0 its derivative decides. `bias` is -1 where that makes it negative.
struct Edge {
  VI value, step_u, step_v, bias;
};

HWY_INLINE Edge MakeEdge(VI au, VI av, VI bu, VI bv, hn::Mask<I32> flip) {
  const I32 d;
  const VI zero = hn::Zero(d);
  const auto oriented = [&](VI x) { return hn::IfThenElse(flip, hn::Neg(x), x); };
  const VI du = oriented(hn::Sub(bu, au));
  const VI dv = oriented(hn::Sub(bv, av));
  const VI value = oriented(hn::Sub(hn::Mul(au, bv), hn::Mul(av, bu)));
  const auto accepts = hn::Or(hn::Lt(dv, zero), hn::And(hn::Eq(dv, zero), hn::Gt(du, zero)));
  return {value, hn::Neg(hn::ShiftLeft<kSubBits>(dv)), hn::ShiftLeft<kSubBits>(du),
          hn::IfThenElse(accepts, zero, hn::Set(d, -1))};
}

HWY_INLINE void StoreFragments(hn::Mask<I32> mask, VI column, VU key, FragmentBuffer& out) {
  const U32 d;
  const auto m = hn::RebindMask(d, mask);
  // Compress in registers and store whole: a compressing store to memory is very slow on some processors.
  hn::StoreU(hn::Compress(hn::BitCast(d, column), m), d, out.column + out.size);
  hn::StoreU(hn::Compress(key, m), d, out.key + out.size);
  out.size += hn::CountTrue(d, m);
}

/// Ids of the lanes in `mask`, appended to a list.
HWY_INLINE void AppendIds(hn::Mask<I32> mask, const std::uint32_t* ids, std::uint32_t* list, std::size_t& count) {
  const U32 d;
  const auto m = hn::RebindMask(d, mask);
  hn::StoreU(hn::Compress(hn::Load(d, ids), m), d, list + count);
  count += hn::CountTrue(d, m);
}

inline void Rasterize(const Batch& batch, std::int32_t limit, const RasterTarget& target, FragmentBuffer& out,
                      LeftOver& left) {
  const I32 d;
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(d);
  const VI one = hn::Set(d, 1);
  const VI columns = hn::Set(d, static_cast<std::int32_t>(target.grid.columns));
  const VI low_end = hn::Set(d, kClampedLow);
  const VI high_u = hn::Set(d, clamped_high(target.grid.columns)), high_v = hn::Set(d, clamped_high(target.grid.rows));
  const VF box_depth = hn::Set(df, target.depth), origin_w = hn::Set(df, target.lattice.origin_w);
  const bool swapped = target.grid.axis == Axis::y;

  for (std::size_t at = 0; at < batch.size; at += lanes) {
    VI u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      const auto* corners = reinterpret_cast<const std::int32_t*>(batch.corner[k] + at);
      if (swapped)
        hn::LoadInterleaved2(d, corners, v[k], u[k]);
      else
        hn::LoadInterleaved2(d, corners, u[k], v[k]);
    }
    const VI min_u = hn::Min(hn::Min(u[0], u[1]), u[2]), max_u = hn::Max(hn::Max(u[0], u[1]), u[2]);
    const VI min_v = hn::Min(hn::Min(v[0], v[1]), v[2]), max_v = hn::Max(hn::Max(v[0], v[1]), v[2]);
    const VI first_u = hn::ShiftRight<kSubBits>(min_u), first_v = hn::ShiftRight<kSubBits>(min_v);
    const VI width = hn::Sub(hn::ShiftRight<kSubBits>(max_u), first_u);
    const VI height = hn::Sub(hn::ShiftRight<kSubBits>(max_v), first_v);

    auto active = hn::FirstN(d, batch.size - at);
    const auto outside = hn::And(active, hn::Or(hn::Or(hn::Eq(min_u, low_end), hn::Eq(max_u, high_u)),
                                                hn::Or(hn::Eq(min_v, low_end), hn::Eq(max_v, high_v))));
    const auto larger = hn::AndNot(outside, hn::And(active, hn::Gt(hn::Max(width, height), hn::Set(d, limit))));
    const auto leaving = hn::Or(outside, larger);
    if (!hn::AllFalse(d, leaving)) {
      AppendIds(outside, batch.id + at, left.outside, left.outside_count);
      AppendIds(larger, batch.id + at, left.larger, left.larger_count);
      active = hn::AndNot(leaving, active);
    }

    // Relative to the box's first sample, which lies at lattice coordinate (first + 1) << kSubBits.
    const VI base_u = hn::Sub(hn::ShiftLeft<kSubBits>(hn::Add(first_u, one)), one);
    const VI base_v = hn::Sub(hn::ShiftLeft<kSubBits>(hn::Add(first_v, one)), one);
    for (int k = 0; k < 3; ++k) {
      u[k] = hn::Sub(u[k], base_u);
      v[k] = hn::Sub(v[k], base_v);
    }
    const VI area =
        hn::Sub(hn::Mul(hn::Sub(u[1], u[0]), hn::Sub(v[2], v[0])), hn::Mul(hn::Sub(v[1], v[0]), hn::Sub(u[2], u[0])));
    active = hn::And(active, hn::Ne(area, hn::Zero(d)));
    if (hn::AllFalse(d, active)) continue;

    // Clockwise in (u, v) faces towards the ray's start: an entry.
    const auto front = hn::Lt(area, hn::Zero(d));
    const Edge e0 = MakeEdge(u[1], v[1], u[2], v[2], front);
    const Edge e1 = MakeEdge(u[2], v[2], u[0], v[0], front);
    const Edge e2 = MakeEdge(u[0], v[0], u[1], v[1], front);
    const VU entry = hn::IfThenElseZero(hn::RebindMask(du, front), hn::Set(du, 1));

    const VF z0 = hn::Sub(hn::Load(df, batch.w[0] + at), origin_w);
    const VF z1 = hn::Sub(hn::Load(df, batch.w[1] + at), origin_w);
    const VF z2 = hn::Sub(hn::Load(df, batch.w[2] + at), origin_w);
    const VF low = hn::Min(hn::Min(z0, z1), z2), high = hn::Max(hn::Max(z0, z1), z2);
    const VF inverse = hn::Div(hn::Set(df, 1.0f), hn::ConvertTo(df, hn::Abs(area)));
    const VF dz1 = hn::Sub(z1, z0), dz2 = hn::Sub(z2, z0);

    const std::int32_t most_u = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, width)));
    const std::int32_t most_v = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, height)));
    out.make_room(static_cast<std::size_t>(most_u) * static_cast<std::size_t>(most_v) * lanes);
    VI row0 = e0.value, row1 = e1.value, row2 = e2.value;
    VI row_column = hn::Add(hn::Mul(first_v, columns), first_u);
    for (std::int32_t j = 0; j < most_v; ++j) {
      const auto in_row = hn::And(active, hn::Gt(height, hn::Set(d, j)));
      VI f0 = row0, f1 = row1, f2 = row2, column = row_column;
      for (std::int32_t i = 0; i < most_u; ++i) {
        const VI worst = hn::Or(hn::Or(hn::Add(f0, e0.bias), hn::Add(f1, e1.bias)), hn::Add(f2, e2.bias));
        const auto covered = hn::AndNot(hn::Lt(worst, hn::Zero(d)), hn::And(in_row, hn::Gt(width, hn::Set(d, i))));
        if (!hn::AllFalse(d, covered)) {
          const VF weighted = hn::Add(hn::Mul(hn::ConvertTo(df, f1), dz1), hn::Mul(hn::ConvertTo(df, f2), dz2));
          const VF z = hn::Add(z0, hn::Mul(weighted, inverse));
          StoreFragments(covered, column, MakeKeys(z, low, high, box_depth, entry), out);
        }
        f0 = hn::Add(f0, e0.step_u);
        f1 = hn::Add(f1, e1.step_u);
        f2 = hn::Add(f2, e2.step_u);
        column = hn::Add(column, one);
      }
      row0 = hn::Add(row0, e0.step_v);
      row1 = hn::Add(row1, e1.step_v);
      row2 = hn::Add(row2, e2.step_v);
      row_column = hn::Add(row_column, columns);
    }
  }
}

inline void FillRow(const RowSpan& span, const TriangleDepth& depth, float box_depth, FragmentBuffer& out) {
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  const VU entry = hn::Set(du, depth.entry ? 1u : 0u);
  const VF low = hn::Set(df, depth.low), high = hn::Set(df, depth.high), box = hn::Set(df, box_depth);
  const I32 di;
  for (std::uint32_t i = 0; i < span.count; i += static_cast<std::uint32_t>(lanes)) {
    const VF steps = hn::ConvertTo(df, hn::Iota(di, static_cast<std::int32_t>(i)));
    const VF b1 = hn::Add(hn::Set(df, span.b1), hn::Mul(steps, hn::Set(df, span.b1_step)));
    const VF b2 = hn::Add(hn::Set(df, span.b2), hn::Mul(steps, hn::Set(df, span.b2_step)));
    const VF weighted = hn::Add(hn::Mul(b1, hn::Set(df, depth.dz1)), hn::Mul(b2, hn::Set(df, depth.dz2)));
    const VF z = hn::Add(hn::Set(df, depth.z0), weighted);
    hn::StoreU(hn::Iota(du, span.first_column + i), du, out.column + out.size + i);
    hn::StoreU(MakeKeys(z, low, high, box, entry), du, out.key + out.size + i);
  }
  out.size += span.count;
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
