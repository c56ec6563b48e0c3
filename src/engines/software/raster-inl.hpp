// Kernels over the triangles that survived the cull: coverage, depth, and filing into the layers of a tile.
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

// ----------------------------------------------------------------------------------------------------------- filing

/// Loads, blends and stores: a masked store is slow on some processors. The memory must be this thread's own.
template <class D>
HWY_INLINE void StoreLanes(D d, hn::Mask<D> mask, hn::Vec<D> v, std::uint32_t* to) {
  hn::StoreU(hn::IfThenElse(mask, v, hn::LoadU(d, to)), d, to);
}

/// The lanes of `mask`, whose columns' layers are full.
template <class D>
HWY_NOINLINE void FileDeep(D d, hn::Mask<D> mask, hn::Vec<D> key, std::uint32_t column, std::uint32_t face,
                           Layers& out) {
  HWY_ALIGN std::uint32_t keys[kMaxLanes], full[kMaxLanes];
  hn::Store(key, d, keys);
  hn::Store(hn::IfThenElseZero(mask, hn::Set(d, 1)), d, full);
  for (std::uint32_t i = 0; i < hn::Lanes(d); ++i)
    if (full[i] != 0) out.add_deep({column + i, keys[i], face});
}

/// Files crossings of consecutive columns, from `column` on, in the lanes of `mask`, which must not be empty. Columns
/// that have equally many crossings already, usually all, take one store.
template <class D>
HWY_INLINE void FileRow(D d, hn::Mask<D> mask, hn::Vec<D> key, std::uint32_t column, std::uint32_t face, Layers& out) {
  const hn::Rebind<std::int32_t, D> di;
  const hn::Rebind<std::uint8_t, D> d8;
  std::uint8_t* const counts = out.count() + column;
  const auto count = hn::PromoteTo(di, hn::LoadU(d8, counts));
  auto waiting = hn::RebindMask(di, mask);
  const auto more = hn::Min(hn::Add(count, hn::Set(di, 1)), hn::Set(di, kLayers));
  do {
    const std::uint32_t layer = counts[hn::FindKnownFirstTrue(di, waiting)];
    const auto alike = hn::And(waiting, hn::Eq(count, hn::Set(di, static_cast<std::int32_t>(layer))));
    const auto lanes = hn::RebindMask(d, alike);
    if (HWY_UNLIKELY(layer >= kLayers)) {
      FileDeep(d, lanes, key, column, face, out);
    } else {
      const std::size_t at = layer * out.plane() + column;
      StoreLanes(d, lanes, key, out.key() + at);
      if (out.has_faces()) StoreLanes(d, lanes, hn::Set(d, face), out.face() + at);
    }
    waiting = hn::AndNot(alike, waiting);
  } while (!hn::AllFalse(di, waiting));
  hn::StoreU(hn::DemoteTo(d8, hn::IfThenElse(hn::RebindMask(di, mask), more, count)), d8, counts);
}

/// Files the samples that wait in the batch, in any columns.
inline void FileSamples(Batch& batch, Layers& out) {
  std::uint8_t* const counts = out.count();
  std::uint32_t* const keys = out.key();
  const std::size_t plane = out.plane();
  const bool faces = out.has_faces();
  for (std::size_t i = 0; i < batch.samples; ++i) {
    const std::uint32_t column = batch.column[i];
    const std::uint8_t layer = counts[column];
    if (HWY_UNLIKELY(layer >= kLayers)) {
      out.add_deep({column, batch.key[i], faces ? batch.face[i] : 0});
      continue;
    }
    counts[column] = static_cast<std::uint8_t>(layer + 1);
    keys[layer * plane + column] = batch.key[i];
    if (faces) out.face()[layer * plane + column] = batch.face[i];
  }
  batch.samples = 0;
}

// ------------------------------------------------------------------------------------------------------------ depth

/// Crossing keys of clamped depths, see lamella::Crossing.
template <class V, class U>
HWY_INLINE U MakeKeys(V z, V low, V high, V box_depth, U entry) {
  const hn::DFromV<V> d;
  const hn::DFromV<U> du;
  // Clamps to the triangle's own range, then to the box. Adding zero turns negative zero into positive: the key uses
  // the sign bit.
  const V in_triangle = hn::Min(hn::Max(z, low), high);
  const V in_box = hn::Add(hn::Min(hn::Max(in_triangle, hn::Zero(d)), box_depth), hn::Zero(d));
  return hn::Or(hn::ShiftLeft<1>(hn::BitCast(du, in_box)), entry);
}

/// Depth at a sample with edge functions f1 and f2.
template <class VInt, class V>
HWY_INLINE V DepthAt(VInt f1, VInt f2, V z0, V dz1, V dz2, V inverse) {
  const hn::DFromV<V> d;
  const V weighted = hn::Add(hn::Mul(hn::ConvertTo(d, f1), dz1), hn::Mul(hn::ConvertTo(d, f2), dz2));
  return hn::Add(z0, hn::Mul(weighted, inverse));
}

// ------------------------------------------------------------------------------------------------------------ edges

/// One edge function over a vector of triangles: its value at the first sample, and the bias that decides ties there.
///
/// Samples count as moved by (e, e^2) for an infinitely small e > 0, so that none lies on an edge: where the function
/// is 0 its derivative decides. `bias` is -1 where the derivative is negative.
struct Edge {
  VI value, bias, step_u, step_v;  ///< from sample to sample: minus step_u along u, plus step_v along v
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
  return {oriented(value), hn::Not(hn::ShiftRight<31>(decides)), hn::ShiftLeft<kSubBits>(dv),
          hn::ShiftLeft<kSubBits>(du)};
}

// ------------------------------------------------------------------------------------------------ triangles in lanes

/// A vector of triangles.
struct Corners {
  VI u[3], v[3];  ///< from SnapClamped
  VF z[3];        ///< depths
  VU id;
};

/// Constants for rasterising onto a target.
struct RasterConstants {
  VI low_u, low_v, high_u, high_v;                  ///< limits of the window's lattice
  VI tile_u, tile_v, tile_end_u, tile_end_v;        ///< cells of the tile, in the window
  std::uint32_t tile_first_u, tile_first_v, stride;  ///< of the tile's columns
  VF box_depth;
};

/// Triangles set up for sampling, one per lane, in their part of the tile.
struct SetUp {
  Edge e[3];
  VI first_u, first_v, width, height;  ///< samples of the box
  VF z0, dz1, dz2, inverse, low, high;
  VU entry, id;
};

/// Ids of the lanes in `mask`, appended to a list.
HWY_INLINE void AppendIds(hn::Mask<I32> mask, VU ids, std::uint32_t* list, std::size_t& count) {
  const U32 d;
  const auto m = hn::RebindMask(d, mask);
  hn::StoreU(hn::Compress(ids, m), d, list + count);
  count += hn::CountTrue(d, m);
}

/// Which lanes are to be sampled here; appends the ids of those for rasterize_large() to `left`.
HWY_INLINE hn::Mask<I32> SetUpTriangles(const Corners& corners, std::size_t count, const RasterConstants& c, SetUp& t,
                                        std::uint32_t* left, std::size_t& left_count) {
  const I32 d;
  const F32 df;
  const U32 du;
  const VI one = hn::Set(d, 1);
  VI u[3] = {corners.u[0], corners.u[1], corners.u[2]}, v[3] = {corners.v[0], corners.v[1], corners.v[2]};
  const VI min_u = hn::Min(hn::Min(u[0], u[1]), u[2]), max_u = hn::Max(hn::Max(u[0], u[1]), u[2]);
  const VI min_v = hn::Min(hn::Min(v[0], v[1]), v[2]), max_v = hn::Max(hn::Max(v[0], v[1]), v[2]);
  const VI first_u = hn::ShiftRight<kSubBits>(min_u), first_v = hn::ShiftRight<kSubBits>(min_v);
  const VI end_u = hn::ShiftRight<kSubBits>(max_u), end_v = hn::ShiftRight<kSubBits>(max_v);

  auto active = hn::FirstN(d, count);
  const VI extent = hn::Max(hn::Sub(end_u, first_u), hn::Sub(end_v, first_v));
  const auto outside = hn::Or(hn::Or(hn::Eq(min_u, c.low_u), hn::Eq(max_u, c.high_u)),
                              hn::Or(hn::Eq(min_v, c.low_v), hn::Eq(max_v, c.high_v)));
  const auto leaving = hn::And(active, hn::Or(outside, hn::Gt(extent, hn::Set(d, kMaxBatchExtent))));
  if (!hn::AllFalse(d, leaving)) {
    AppendIds(leaving, corners.id, left, left_count);
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

  // A triangle clockwise in (u, v) faces the ray's start: an entry.
  const VI turn = hn::ShiftRight<31>(area);
  t.entry = hn::ShiftRight<31>(hn::BitCast(du, area));
  t.e[0] = MakeEdge(u[1], v[1], u[2], v[2], value0, turn);
  t.e[1] = MakeEdge(u[2], v[2], u[0], v[0], value1, turn);
  t.e[2] = MakeEdge(u[0], v[0], u[1], v[1], value2, turn);
  t.id = corners.id;
  const VF z0 = corners.z[0], z1 = corners.z[1], z2 = corners.z[2];
  t.z0 = z0;
  t.low = hn::Min(hn::Min(z0, z1), z2);
  t.high = hn::Max(hn::Max(z0, z1), z2);
  t.inverse = hn::Div(hn::Set(df, 1.0f), hn::ConvertTo(df, hn::Abs(area)));
  t.dz1 = hn::Sub(z1, z0);
  t.dz2 = hn::Sub(z2, z0);

  // The part of the box in the tile. Edge functions stay exact: its samples are among the box's.
  t.first_u = hn::Max(first_u, c.tile_u);
  t.first_v = hn::Max(first_v, c.tile_v);
  t.width = hn::Sub(hn::Min(end_u, c.tile_end_u), t.first_u);
  t.height = hn::Sub(hn::Min(end_v, c.tile_end_v), t.first_v);
  const VI skip_u = hn::Sub(t.first_u, first_u), skip_v = hn::Sub(t.first_v, first_v);
  if (!hn::AllTrue(d, hn::Eq(hn::Or(skip_u, skip_v), hn::Zero(d))))
    for (Edge& e : t.e)
      e.value = hn::Add(e.value, hn::Sub(hn::Mul(skip_v, e.step_v), hn::Mul(skip_u, e.step_u)));
  return hn::And(active, hn::Gt(hn::Min(t.width, t.height), hn::Zero(d)));
}

/// Samples small boxes, a triangle in each lane.
HWY_INLINE void SampleLanes(const SetUp& t, hn::Mask<I32> active, const RasterConstants& c, std::uint32_t first_face,
                            Batch& batch, Layers& out) {
  const I32 d;
  const U32 du;
  const std::size_t lanes = hn::Lanes(d);
  const VI one = hn::Set(d, 1);
  const auto sample = [&](VI f0, VI f1, VI f2, VI column, hn::Mask<I32> candidates) {
    const VI worst =
        hn::Or(hn::Or(hn::Add(f0, t.e[0].bias), hn::Add(f1, t.e[1].bias)), hn::Add(f2, t.e[2].bias));
    const auto covered = hn::AndNot(hn::Lt(worst, hn::Zero(d)), candidates);
    if (hn::AllFalse(d, covered)) return;
    const VF z = DepthAt(f1, f2, t.z0, t.dz1, t.dz2, t.inverse);
    const auto m = hn::RebindMask(du, covered);
    // Compressed in registers and stored whole: a compressing store to memory is very slow on some processors.
    hn::StoreU(hn::Compress(hn::BitCast(du, column), m), du, batch.column + batch.samples);
    hn::StoreU(hn::Compress(MakeKeys(z, t.low, t.high, c.box_depth, t.entry), m), du, batch.key + batch.samples);
    if (out.has_faces())
      hn::StoreU(hn::Add(hn::Compress(t.id, m), hn::Set(du, first_face)), du, batch.face + batch.samples);
    batch.samples += hn::CountTrue(du, m);
  };
  const auto make_room = [&](std::size_t n) {
    if (batch.samples + n > Batch::kSamples) FileSamples(batch, out);
  };

  const VI stride = hn::Set(d, static_cast<std::int32_t>(c.stride));
  const VI first_column =
      hn::Add(hn::Mul(hn::Sub(t.first_v, hn::Set(d, static_cast<std::int32_t>(c.tile_first_v))), stride),
              hn::Sub(t.first_u, hn::Set(d, static_cast<std::int32_t>(c.tile_first_u))));
  // Most boxes of a fine mesh hold a single sample.
  const auto more = hn::And(active, hn::Gt(hn::Max(t.width, t.height), one));
  if (hn::AllFalse(d, more)) {
    make_room(lanes);
    sample(t.e[0].value, t.e[1].value, t.e[2].value, first_column, active);
    return;
  }
  const std::int32_t most_u = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, t.width)));
  const std::int32_t most_v = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, t.height)));
  VI row0 = t.e[0].value, row1 = t.e[1].value, row2 = t.e[2].value, row_column = first_column;
  for (std::int32_t j = 0; j < most_v; ++j) {
    make_room(static_cast<std::size_t>(most_u) * lanes);
    const auto in_row = hn::And(active, hn::Gt(t.height, hn::Set(d, j)));
    VI f0 = row0, f1 = row1, f2 = row2, column = row_column;
    for (std::int32_t i = 0; i < most_u; ++i) {
      sample(f0, f1, f2, column, hn::And(in_row, hn::Gt(t.width, hn::Set(d, i))));
      f0 = hn::Sub(f0, t.e[0].step_u);
      f1 = hn::Sub(f1, t.e[1].step_u);
      f2 = hn::Sub(f2, t.e[2].step_u);
      column = hn::Add(column, one);
    }
    row0 = hn::Add(row0, t.e[0].step_v);
    row1 = hn::Add(row1, t.e[1].step_v);
    row2 = hn::Add(row2, t.e[2].step_v);
    row_column = hn::Add(row_column, stride);
  }
}

// -------------------------------------------------------------------------------------------------- samples in lanes

/// Triangles set up for sampling, as arrays.
struct BoxTriangles {
  HWY_ALIGN std::int32_t value[3][kMaxLanes], bias[3][kMaxLanes], step_u[3][kMaxLanes], step_v[3][kMaxLanes];
  HWY_ALIGN std::int32_t first_u[kMaxLanes], first_v[kMaxLanes], width[kMaxLanes], height[kMaxLanes];
  HWY_ALIGN float z0[kMaxLanes], dz1[kMaxLanes], dz2[kMaxLanes], inverse[kMaxLanes], low[kMaxLanes], high[kMaxLanes];
  HWY_ALIGN std::uint32_t entry[kMaxLanes], id[kMaxLanes];
};

HWY_INLINE void StoreTriangles(const SetUp& t, BoxTriangles& b) {
  const I32 d;
  const F32 df;
  const U32 du;
  for (int k = 0; k < 3; ++k) {
    hn::Store(t.e[k].value, d, b.value[k]);
    hn::Store(t.e[k].bias, d, b.bias[k]);
    hn::Store(t.e[k].step_u, d, b.step_u[k]);
    hn::Store(t.e[k].step_v, d, b.step_v[k]);
  }
  hn::Store(t.first_u, d, b.first_u);
  hn::Store(t.first_v, d, b.first_v);
  hn::Store(t.width, d, b.width);
  hn::Store(t.height, d, b.height);
  hn::Store(t.z0, df, b.z0);
  hn::Store(t.dz1, df, b.dz1);
  hn::Store(t.dz2, df, b.dz2);
  hn::Store(t.inverse, df, b.inverse);
  hn::Store(t.low, df, b.low);
  hn::Store(t.high, df, b.high);
  hn::Store(t.entry, du, b.entry);
  hn::Store(t.id, du, b.id);
}

/// Samples the box of triangle `i`, row by row, a sample in each lane.
template <class D>
HWY_INLINE void SampleBox(D d, const BoxTriangles& t, std::size_t i, const RasterConstants& c, float box_depth,
                          std::uint32_t first_face, Layers& out) {
  const hn::Rebind<float, D> df;
  const hn::Rebind<std::uint32_t, D> du;
  using V = hn::Vec<D>;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  const V lane = hn::Iota(d, 0), zero = hn::Zero(d);
  const V bias1 = hn::Set(d, t.bias[1][i]), bias2 = hn::Set(d, t.bias[2][i]);
  const auto z0 = hn::Set(df, t.z0[i]), dz1 = hn::Set(df, t.dz1[i]), dz2 = hn::Set(df, t.dz2[i]);
  const auto inverse = hn::Set(df, t.inverse[i]), box = hn::Set(df, box_depth);
  const auto low = hn::Set(df, t.low[i]), high = hn::Set(df, t.high[i]);
  const auto entry = hn::Set(du, t.entry[i]);
  const std::uint32_t face = t.id[i] + first_face;
  const std::uint32_t first_column =
      (static_cast<std::uint32_t>(t.first_v[i]) - c.tile_first_v) * c.stride +
      (static_cast<std::uint32_t>(t.first_u[i]) - c.tile_first_u);
  for (std::int32_t from = 0; from < t.width[i]; from += lanes) {
    const auto in_box = hn::FirstN(d, static_cast<std::size_t>(t.width[i] - from));
    // Biased, so that a sample is covered where none is negative.
    const auto start = [&](int k) {
      const V along = hn::Mul(hn::Add(lane, hn::Set(d, from)), hn::Set(d, t.step_u[k][i]));
      return hn::Sub(hn::Set(d, t.value[k][i] + t.bias[k][i]), along);
    };
    V f0 = start(0), f1 = start(1), f2 = start(2);
    const V step0 = hn::Set(d, t.step_v[0][i]), step1 = hn::Set(d, t.step_v[1][i]), step2 = hn::Set(d, t.step_v[2][i]);
    std::uint32_t column = first_column + static_cast<std::uint32_t>(from);
    for (std::int32_t row = 0; row < t.height[i]; ++row) {
      const auto covered = hn::AndNot(hn::Lt(hn::Or(hn::Or(f0, f1), f2), zero), in_box);
      if (!hn::AllFalse(d, covered)) {
        const auto z = DepthAt(hn::Sub(f1, bias1), hn::Sub(f2, bias2), z0, dz1, dz2, inverse);
        FileRow(du, hn::RebindMask(du, covered), MakeKeys(z, low, high, box, entry), column, face, out);
      }
      f0 = hn::Add(f0, step0);
      f1 = hn::Add(f1, step1);
      f2 = hn::Add(f2, step2);
      column += c.stride;
    }
  }
}

// ------------------------------------------------------------------------------------------------------------ batches

/// Boxes of up to so many samples along both axes are sampled with a triangle in each lane, larger ones with a sample
/// in each lane.
constexpr std::int32_t kLaneExtent = 3;

HWY_INLINE void SampleBoxes(const SetUp& t, hn::Mask<I32> mask, const RasterConstants& c, float box_depth,
                            std::uint32_t first_face, Layers& out) {
  const I32 d;
  using Narrow = hn::CappedTag<std::int32_t, 8>;
  BoxTriangles boxes;
  StoreTriangles(t, boxes);
  HWY_ALIGN std::int32_t wanted[kMaxLanes];
  hn::Store(hn::IfThenElseZero(mask, hn::Set(d, 1)), d, wanted);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    if (wanted[i] == 0) continue;
    if (boxes.width[i] <= 8)
      SampleBox(Narrow(), boxes, i, c, box_depth, first_face, out);
    else
      SampleBox(d, boxes, i, c, box_depth, first_face, out);
  }
}

inline std::size_t Rasterize(Batch& batch, std::size_t size, std::uint32_t first_face, const RasterTarget& target,
                             Layers& out, std::uint32_t* left) {
  const I32 d;
  const F32 df;
  const U32 du;
  const Grid& g = target.grid;
  const Lattice& l = target.lattice;
  const Window& w = target.window;
  const Window& tile = out.tile();
  const auto set = [&](std::uint32_t x) { return hn::Set(d, static_cast<std::int32_t>(x)); };
  const RasterConstants constants{hn::Set(d, clamped_low(w.first_u)),
                                  hn::Set(d, clamped_low(w.first_v)),
                                  hn::Set(d, clamped_high(w.end_u)),
                                  hn::Set(d, clamped_high(w.end_v)),
                                  set(tile.first_u),
                                  set(tile.first_v),
                                  set(tile.end_u),
                                  set(tile.end_v),
                                  tile.first_u,
                                  tile.first_v,
                                  out.stride(),
                                  hn::Set(df, target.depth)};
  const VF origin_u = hn::Set(df, l.origin_u), scale_u = hn::Set(df, l.scale_u);
  const VF origin_v = hn::Set(df, l.origin_v), scale_v = hn::Set(df, l.scale_v);
  const VF begin_u = hn::Set(df, SnapBegin(w.first_u)), end_u = hn::Set(df, SnapEnd(w.end_u));
  const VF begin_v = hn::Set(df, SnapBegin(w.first_v)), end_v = hn::Set(df, SnapEnd(w.end_v));
  const VF origin_w = hn::Set(df, l.origin_w);
  std::size_t left_count = 0;
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
    SetUp t;
    const auto active = SetUpTriangles(corners, size - at, constants, t, left, left_count);
    if (hn::AllFalse(d, active)) continue;
    const auto wide = hn::And(active, hn::Gt(hn::Max(t.width, t.height), hn::Set(d, kLaneExtent)));
    const auto small = hn::AndNot(wide, active);
    if (!hn::AllFalse(d, small)) SampleLanes(t, small, constants, first_face, batch, out);
    if (!hn::AllFalse(d, wide)) SampleBoxes(t, wide, constants, target.depth, first_face, out);
  }
  FileSamples(batch, out);
  return left_count;
}

inline void FileSpan(const TileRow& row, const RowSpan& span, const TriangleDepth& depth, std::uint32_t face,
                     float box_depth, Layers& out) {
  const F32 df;
  const U32 du;
  const I32 di;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(df));
  const VU entry = hn::Set(du, depth.entry ? 1u : 0u);
  const VF low = hn::Set(df, depth.low), high = hn::Set(df, depth.high), box = hn::Set(df, box_depth);
  for (std::uint32_t i = 0; i < row.count; i += lanes) {
    const VF steps = hn::ConvertTo(df, hn::Iota(di, static_cast<std::int32_t>(row.skipped + i)));
    const VF b1 = hn::Add(hn::Set(df, span.b1), hn::Mul(steps, hn::Set(df, span.b1_step)));
    const VF b2 = hn::Add(hn::Set(df, span.b2), hn::Mul(steps, hn::Set(df, span.b2_step)));
    const VF weighted = hn::Add(hn::Mul(b1, hn::Set(df, depth.dz1)), hn::Mul(b2, hn::Set(df, depth.dz2)));
    const VF z = hn::Add(hn::Set(df, depth.z0), weighted);
    FileRow(du, hn::FirstN(du, row.count - i), MakeKeys(z, low, high, box, entry), row.column + i, face, out);
  }
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
