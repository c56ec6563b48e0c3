// Kernels over the triangles that survived the cull: coverage, depth, fragments.
//
// Included once per instruction set by foreach_target.h; the guard toggles so that each inclusion is compiled.
#if defined(LAMELLA_SOFTWARE_RASTER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LAMELLA_SOFTWARE_RASTER_INL
#undef LAMELLA_SOFTWARE_RASTER_INL
#else
#define LAMELLA_SOFTWARE_RASTER_INL
#endif

#include <algorithm>

#include "engines/software/kernels.hpp"
#include "engines/software/stream-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {

/// Crossing keys of clamped depths, see lamella::Crossing.
HWY_INLINE VU MakeKeys(VF z, VF low, VF high, VF box_depth, VU entry) {
  const F32 d;
  const U32 du;
  // Clamps to the triangle's own range, then to the box. Adding zero turns negative zero into positive: the key uses
  // the sign bit.
  const VF in_triangle = hn::Min(hn::Max(z, low), high);
  const VF in_box = hn::Add(hn::Min(hn::Max(in_triangle, hn::Zero(d)), box_depth), hn::Zero(d));
  return hn::Or(hn::ShiftLeft<1>(hn::BitCast(du, in_box)), entry);
}

/// One edge function over a vector of triangles: its value at a sample, and the bias that decides ties there.
///
/// Samples count as moved by (e, e^2) for an infinitely small e > 0, so that none lies on an edge: where the function
/// is 0 its derivative decides. `bias` is -1 where the derivative is negative.
struct Edge {
  VI value, bias, du, dv;
};

/// Values at the origin, not yet oriented.
HWY_INLINE VI EdgeValue(VI au, VI av, VI bu, VI bv) { return hn::Sub(hn::Mul(au, bv), hn::Mul(av, bu)); }

/// `turn` is 0 for counter-clockwise triangles and -1 for clockwise ones, whose edges run in the opposite direction.
HWY_INLINE Edge MakeEdge(VI au, VI av, VI bu, VI bv, VI value, VI turn) {
  const auto oriented = [&](VI x) { return hn::Sub(hn::Xor(x, turn), turn); };
  const VI du = oriented(hn::Sub(bu, au));
  const VI dv = oriented(hn::Sub(bv, av));
  // Accepted on the edge: dv < 0, or dv = 0 and du > 0. Both are the sign of 2 dv - (du > 0).
  const VU minus_du = hn::BitCast(U32(), hn::Neg(du));
  const VI decides = hn::Sub(hn::Add(dv, dv), hn::BitCast(I32(), hn::ShiftRight<31>(minus_du)));
  return {oriented(value), hn::Not(hn::ShiftRight<31>(decides)), du, dv};
}

HWY_INLINE void StoreFragments(hn::Mask<I32> mask, VI column, VU key, VU id, FragmentBuffer& out) {
  const U32 d;
  const auto m = hn::RebindMask(d, mask);
  // Compress in registers and store the whole vector: a compressing store to memory is very slow on some processors.
  hn::StoreU(hn::Compress(hn::BitCast(d, column), m), d, out.column + out.size);
  hn::StoreU(hn::Compress(key, m), d, out.key + out.size);
  if (out.face != nullptr) hn::StoreU(hn::Add(hn::Compress(id, m), hn::Set(d, out.first_face)), d, out.face + out.size);
  out.size += hn::CountTrue(d, m);
}

/// Ids of the lanes in `mask`, appended to a list.
HWY_INLINE void AppendIds(hn::Mask<I32> mask, VU ids, std::uint32_t* list, std::size_t& count) {
  const U32 d;
  const auto m = hn::RebindMask(d, mask);
  hn::StoreU(hn::Compress(ids, m), d, list + count);
  count += hn::CountTrue(d, m);
}

/// A vector of triangles.
struct Corners {
  VI u[3], v[3];  ///< from SnapClamped
  VF z[3];        ///< depths
  VU id;
};

/// Constants for rasterising onto a target.
struct RasterConstants {
  VI columns, low_u, low_v, high_u, high_v;
  VF box_depth;
};

/// Rasterises the first `count` lanes.
HWY_INLINE void RasterizeVector(const Corners& corners, std::size_t count, std::int32_t limit, const RasterConstants& c,
                                FragmentBuffer& out, LeftOver& left) {
  const I32 d;
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(d);
  const VI one = hn::Set(d, 1);
  VI u[3] = {corners.u[0], corners.u[1], corners.u[2]}, v[3] = {corners.v[0], corners.v[1], corners.v[2]};
  const VI min_u = hn::Min(hn::Min(u[0], u[1]), u[2]), max_u = hn::Max(hn::Max(u[0], u[1]), u[2]);
  const VI min_v = hn::Min(hn::Min(v[0], v[1]), v[2]), max_v = hn::Max(hn::Max(v[0], v[1]), v[2]);
  const VI first_u = hn::ShiftRight<kSubBits>(min_u), first_v = hn::ShiftRight<kSubBits>(min_v);
  const VI width = hn::Sub(hn::ShiftRight<kSubBits>(max_u), first_u);
  const VI height = hn::Sub(hn::ShiftRight<kSubBits>(max_v), first_v);

  auto active = hn::FirstN(d, count);
  const auto outside = hn::And(active, hn::Or(hn::Or(hn::Eq(min_u, c.low_u), hn::Eq(max_u, c.high_u)),
                                              hn::Or(hn::Eq(min_v, c.low_v), hn::Eq(max_v, c.high_v))));
  const auto larger = hn::AndNot(outside, hn::And(active, hn::Gt(hn::Max(width, height), hn::Set(d, limit))));
  const auto leaving = hn::Or(outside, larger);
  if (!hn::AllFalse(d, leaving)) {
    AppendIds(outside, corners.id, left.outside, left.outside_count);
    AppendIds(larger, corners.id, left.larger, left.larger_count);
    active = hn::AndNot(leaving, active);
  }

  // Relative to the box's first sample, which lies at lattice coordinate (first + 1) << kSubBits.
  const VI base_u = hn::Sub(hn::ShiftLeft<kSubBits>(hn::Add(first_u, one)), one);
  const VI base_v = hn::Sub(hn::ShiftLeft<kSubBits>(hn::Add(first_v, one)), one);
  for (int k = 0; k < 3; ++k) {
    u[k] = hn::Sub(u[k], base_u);
    v[k] = hn::Sub(v[k], base_v);
  }
  const VI value0 = EdgeValue(u[1], v[1], u[2], v[2]), value1 = EdgeValue(u[2], v[2], u[0], v[0]);
  const VI value2 = EdgeValue(u[0], v[0], u[1], v[1]);
  const VI area = hn::Add(hn::Add(value0, value1), value2);
  active = hn::And(active, hn::Ne(area, hn::Zero(d)));
  if (hn::AllFalse(d, active)) return;

  // A triangle clockwise in (u, v) faces the ray's start: an entry.
  const VI turn = hn::ShiftRight<31>(area);
  const VU entry = hn::ShiftRight<31>(hn::BitCast(du, area));
  const Edge e0 = MakeEdge(u[1], v[1], u[2], v[2], value0, turn);
  const Edge e1 = MakeEdge(u[2], v[2], u[0], v[0], value1, turn);
  const Edge e2 = MakeEdge(u[0], v[0], u[1], v[1], value2, turn);

  const VF z0 = corners.z[0], z1 = corners.z[1], z2 = corners.z[2];
  const VF low = hn::Min(hn::Min(z0, z1), z2), high = hn::Max(hn::Max(z0, z1), z2);
  const VF inverse = hn::Div(hn::Set(df, 1.0f), hn::ConvertTo(df, hn::Abs(area)));
  const VF dz1 = hn::Sub(z1, z0), dz2 = hn::Sub(z2, z0);
  const auto sample = [&](VI f0, VI f1, VI f2, VI column, hn::Mask<I32> candidates) {
    const VI worst = hn::Or(hn::Or(hn::Add(f0, e0.bias), hn::Add(f1, e1.bias)), hn::Add(f2, e2.bias));
    const auto covered = hn::AndNot(hn::Lt(worst, hn::Zero(d)), candidates);
    if (hn::AllFalse(d, covered)) return;
    const VF weighted = hn::Add(hn::Mul(hn::ConvertTo(df, f1), dz1), hn::Mul(hn::ConvertTo(df, f2), dz2));
    const VF z = hn::Add(z0, hn::Mul(weighted, inverse));
    StoreFragments(covered, column, MakeKeys(z, low, high, c.box_depth, entry), corners.id, out);
  };

  // Most boxes of a fine mesh hold a single sample.
  const VI first_column = hn::Add(hn::Mul(first_v, c.columns), first_u);
  const auto more = hn::And(active, hn::Gt(hn::Max(width, height), one));
  if (hn::AllFalse(d, more)) {
    out.make_room(lanes);
    sample(e0.value, e1.value, e2.value, first_column, active);
    return;
  }
  const std::int32_t most_u = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, width)));
  const std::int32_t most_v = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, height)));
  const auto step_u = [](const Edge& e) { return hn::ShiftLeft<kSubBits>(e.dv); };  // to be subtracted
  const auto step_v = [](const Edge& e) { return hn::ShiftLeft<kSubBits>(e.du); };
  const VI step_u0 = step_u(e0), step_u1 = step_u(e1), step_u2 = step_u(e2);
  const VI step_v0 = step_v(e0), step_v1 = step_v(e1), step_v2 = step_v(e2);
  VI row0 = e0.value, row1 = e1.value, row2 = e2.value, row_column = first_column;
  for (std::int32_t j = 0; j < most_v; ++j) {
    out.make_room(static_cast<std::size_t>(most_u) * lanes);
    const auto in_row = hn::And(active, hn::Gt(height, hn::Set(d, j)));
    VI f0 = row0, f1 = row1, f2 = row2, column = row_column;
    for (std::int32_t i = 0; i < most_u; ++i) {
      sample(f0, f1, f2, column, hn::And(in_row, hn::Gt(width, hn::Set(d, i))));
      f0 = hn::Sub(f0, step_u0);
      f1 = hn::Sub(f1, step_u1);
      f2 = hn::Sub(f2, step_u2);
      column = hn::Add(column, one);
    }
    row0 = hn::Add(row0, step_v0);
    row1 = hn::Add(row1, step_v1);
    row2 = hn::Add(row2, step_v2);
    row_column = hn::Add(row_column, c.columns);
  }
}

inline void Rasterize(const Batch& batch, std::size_t size, std::int32_t limit, const RasterTarget& target,
                      FragmentBuffer& out, LeftOver& left) {
  const I32 d;
  const F32 df;
  const U32 du;
  const Grid& g = target.grid;
  const Lattice& l = target.lattice;
  const Window& w = target.window;
  const RasterConstants constants{hn::Set(d, static_cast<std::int32_t>(g.columns)),
                                  hn::Set(d, clamped_low(w.first_u)),
                                  hn::Set(d, clamped_low(w.first_v)),
                                  hn::Set(d, clamped_high(w.end_u)),
                                  hn::Set(d, clamped_high(w.end_v)),
                                  hn::Set(df, target.depth)};
  const VF origin_u = hn::Set(df, l.origin_u), scale_u = hn::Set(df, l.scale_u);
  const VF origin_v = hn::Set(df, l.origin_v), scale_v = hn::Set(df, l.scale_v);
  const VF begin_u = hn::Set(df, SnapBegin(w.first_u)), end_u = hn::Set(df, SnapEnd(w.end_u));
  const VF begin_v = hn::Set(df, SnapBegin(w.first_v)), end_v = hn::Set(df, SnapEnd(w.end_v));
  const VF origin_w = hn::Set(df, l.origin_w);
  for (std::size_t at = 0; at < size; at += hn::Lanes(d)) {
    Corners corners;
    for (int k = 0; k < 3; ++k) {
      VF xyz[3];
      hn::LoadInterleaved3(df, &batch.corner[k][at].x, xyz[0], xyz[1], xyz[2]);
      corners.u[k] = SnapClamped(xyz[g.u()], origin_u, scale_u, begin_u, end_u);
      corners.v[k] = SnapClamped(xyz[g.v()], origin_v, scale_v, begin_v, end_v);
      corners.z[k] = hn::Sub(xyz[g.w()], origin_w);
    }
    corners.id = hn::Load(du, batch.id + at);
    RasterizeVector(corners, size - at, limit, constants, out, left);
  }
}

inline void FillRow(const RowSpan& span, const TriangleDepth& depth, std::uint32_t id, float box_depth,
                    FragmentBuffer& out) {
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  const VU entry = hn::Set(du, depth.entry ? 1u : 0u), face = hn::Set(du, id + out.first_face);
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
    if (out.face != nullptr) hn::StoreU(face, du, out.face + out.size + i);
  }
  out.size += span.count;
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
