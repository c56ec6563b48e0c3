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
#include <array>

#include "engines/software/kernels.hpp"
#include "engines/software/stream-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {

// ----------------------------------------------------------------------------------------------------------- filing

constexpr bool kLong = hn::MaxLanes(hn::ScalableTag<std::int32_t>()) >= 16;

/// Short vectors are loaded, blended and stored: their masked stores are slow on some processors. The memory must be
/// this thread's own.
template <class D>
HWY_INLINE void StoreLanes(D d, hn::Mask<D> mask, hn::Vec<D> v, std::uint32_t* to) {
  if constexpr (kLong)
    hn::BlendedStore(v, mask, d, to);
  else
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

// ------------------------------------------------------------------------------------------------------------ depth

/// The limits of a triangle's crossings: its own range of depths, in the box. Beyond either face of the box a crossing
/// is moved onto it. Adding zero turns negative zero into positive: keys use the sign bit.
template <class V>
HWY_INLINE V LimitDepth(V z, V box_depth) {
  const hn::DFromV<V> d;
  return hn::Add(hn::Min(hn::Max(z, hn::Zero(d)), box_depth), hn::Zero(d));
}

/// Crossing keys of depths between two limits, see lamella::Crossing. A depth of negative zero becomes the low limit.
template <class V, class U>
HWY_INLINE U MakeKeys(V z, V low, V high, U entry) {
  const hn::DFromV<U> du;
  return hn::Or(hn::ShiftLeft<1>(hn::BitCast(du, hn::Min(hn::Max(z, low), high))), entry);
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

// ----------------------------------------------------------------------------------------------------------- triangles

/// A vector of triangles.
struct Corners {
  VI u[3], v[3];  ///< from SnapClamped
  VF z[3];        ///< depths
  VU id;
};

/// Constants for rasterising onto a target.
struct RasterConstants {
  VI low_u, low_v, high_u, high_v;            ///< limits of the window's lattice
  VI tile_u, tile_v, tile_end_u, tile_end_v;  ///< cells of the tile
  std::uint32_t first_u, first_v, stride;     ///< of columns, as in RasterRegion
  float box_depth;
  bool faces;
  std::uint32_t first_face;
};

/// The samples of a vector of triangles' boxes, and those of them that are in the tile.
struct Boxes {
  VI first_u, first_v, end_u, end_v;
  VI tile_first_u, tile_first_v, width, height;
};

HWY_INLINE Boxes FindBoxes(const Corners& c, const RasterConstants& constants, hn::Mask<I32>& outside) {
  const auto least = [](const VI(&x)[3]) { return hn::Min(hn::Min(x[0], x[1]), x[2]); };
  const auto most = [](const VI(&x)[3]) { return hn::Max(hn::Max(x[0], x[1]), x[2]); };
  const VI min_u = least(c.u), max_u = most(c.u), min_v = least(c.v), max_v = most(c.v);
  outside = hn::Or(hn::Or(hn::Eq(min_u, constants.low_u), hn::Eq(max_u, constants.high_u)),
                   hn::Or(hn::Eq(min_v, constants.low_v), hn::Eq(max_v, constants.high_v)));
  Boxes b;
  b.first_u = hn::ShiftRight<kSubBits>(min_u);
  b.first_v = hn::ShiftRight<kSubBits>(min_v);
  b.end_u = hn::ShiftRight<kSubBits>(max_u);
  b.end_v = hn::ShiftRight<kSubBits>(max_v);
  b.tile_first_u = hn::Max(b.first_u, constants.tile_u);
  b.tile_first_v = hn::Max(b.first_v, constants.tile_v);
  b.width = hn::Sub(hn::Min(b.end_u, constants.tile_end_u), b.tile_first_u);
  b.height = hn::Sub(hn::Min(b.end_v, constants.tile_end_v), b.tile_first_v);
  return b;
}

/// Triangles set up for sampling, one per lane, in their part of the tile.
struct SetUp {
  Edge e[3];
  VI first_u, first_v, width, height;  ///< samples of the box
  VF z0, dz1, dz2, inverse;
  VF low, high;  ///< from LimitDepth
  VU entry, id;
};

/// Returns which of the lanes have an area.
HWY_INLINE hn::Mask<I32> SetUpTriangles(const Corners& corners, const Boxes& box, const RasterConstants& c, SetUp& t) {
  const I32 d;
  const F32 df;
  const U32 du;
  const VI one = hn::Set(d, 1);
  // Relative to the box's first sample, which lies at lattice coordinate (first + 1) << kSubBits.
  const VI base_u = hn::Sub(hn::ShiftLeft<kSubBits>(hn::Add(box.first_u, one)), one);
  const VI base_v = hn::Sub(hn::ShiftLeft<kSubBits>(hn::Add(box.first_v, one)), one);
  VI u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = hn::Sub(corners.u[k], base_u);
    v[k] = hn::Sub(corners.v[k], base_v);
  }
  const VI value0 = EdgeValue(u[1], v[1], u[2], v[2]), value1 = EdgeValue(u[2], v[2], u[0], v[0]);
  const VI value2 = EdgeValue(u[0], v[0], u[1], v[1]);
  const VI area = hn::Add(hn::Add(value0, value1), value2);

  // A triangle clockwise in (u, v) faces the ray's start: an entry.
  const VI turn = hn::ShiftRight<31>(area);
  t.entry = hn::ShiftRight<31>(hn::BitCast(du, area));
  t.e[0] = MakeEdge(u[1], v[1], u[2], v[2], value0, turn);
  t.e[1] = MakeEdge(u[2], v[2], u[0], v[0], value1, turn);
  t.e[2] = MakeEdge(u[0], v[0], u[1], v[1], value2, turn);
  t.id = corners.id;
  const VF z0 = corners.z[0], z1 = corners.z[1], z2 = corners.z[2];
  t.z0 = z0;
  const VF box_depth = hn::Set(df, c.box_depth);
  t.low = LimitDepth(hn::Min(hn::Min(z0, z1), z2), box_depth);
  t.high = LimitDepth(hn::Max(hn::Max(z0, z1), z2), box_depth);
  t.inverse = hn::Div(hn::Set(df, 1.0f), hn::ConvertTo(df, hn::Abs(area)));
  t.dz1 = hn::Sub(z1, z0);
  t.dz2 = hn::Sub(z2, z0);

  // From the first sample of the box to its first in the tile. Edge functions stay exact within the box.
  t.first_u = box.tile_first_u;
  t.first_v = box.tile_first_v;
  t.width = box.width;
  t.height = box.height;
  const VI skip_u = hn::Sub(t.first_u, box.first_u), skip_v = hn::Sub(t.first_v, box.first_v);
  if (!hn::AllTrue(d, hn::Eq(hn::Or(skip_u, skip_v), hn::Zero(d))))
    for (Edge& e : t.e) e.value = hn::Add(e.value, hn::Sub(hn::Mul(skip_v, e.step_v), hn::Mul(skip_u, e.step_u)));
  return hn::Ne(area, hn::Zero(d));
}

/// Ids of the lanes in `mask`, appended to a list.
HWY_INLINE void AppendIds(hn::Mask<I32> mask, VU ids, std::uint32_t* list, std::size_t& count) {
  const U32 d;
  const LaneCompressor<> compress(mask);
  hn::StoreU(compress(ids), d, list + count);
  count += compress.count();
}

// ------------------------------------------------------------------------------------------------ triangles in lanes

/// Appends samples to those that wait in the batch, which must have room. They are compressed in registers and stored
/// whole: a compressing store to memory is very slow on some processors.
HWY_INLINE void StoreSamples(hn::Mask<I32> covered, VI column, VU key, VU face, bool faces, Batch& batch) {
  const U32 d;
  const LaneCompressor<> compress(covered);
  hn::StoreU(compress(hn::BitCast(d, column)), d, batch.column + batch.samples);
  hn::StoreU(compress(key), d, batch.key + batch.samples);
  if (faces) hn::StoreU(compress(face), d, batch.face + batch.samples);
  batch.samples += compress.count();
}

/// Samples small boxes, a triangle in each lane.
HWY_INLINE void SampleLanes(const SetUp& t, hn::Mask<I32> active, const RasterConstants& c, Batch& batch,
                            SampleSink& sink) {
  const I32 d;
  const U32 du;
  const std::size_t lanes = hn::Lanes(d);
  const VI one = hn::Set(d, 1);
  const VU face = hn::Add(t.id, hn::Set(du, c.first_face));
  // Edge functions are biased, so that a sample is covered where none is negative.
  const auto sample = [&](VI f0, VI f1, VI f2, VI column, hn::Mask<I32> candidates) {
    const auto covered = hn::AndNot(hn::Lt(hn::Or(hn::Or(f0, f1), f2), hn::Zero(d)), candidates);
    // Of many lanes one is covered mostly: then a branch costs more, mispredicted, than storing nothing.
    if (!kLong && hn::AllFalse(d, covered)) return;
    const VF z = DepthAt(hn::Sub(f1, t.e[1].bias), hn::Sub(f2, t.e[2].bias), t.z0, t.dz1, t.dz2, t.inverse);
    StoreSamples(covered, column, MakeKeys(z, t.low, t.high, t.entry), face, c.faces, batch);
  };
  const auto make_room = [&](std::size_t n) {
    if (batch.samples + n > Batch::kSamples) batch.flush(sink);
  };
  const VI stride = hn::Set(d, static_cast<std::int32_t>(c.stride));
  VI row0 = hn::Add(t.e[0].value, t.e[0].bias), row1 = hn::Add(t.e[1].value, t.e[1].bias);
  VI row2 = hn::Add(t.e[2].value, t.e[2].bias);
  VI row_column = hn::Add(hn::Mul(hn::Sub(t.first_v, hn::Set(d, static_cast<std::int32_t>(c.first_v))), stride),
                          hn::Sub(t.first_u, hn::Set(d, static_cast<std::int32_t>(c.first_u))));
  // Most boxes of a fine mesh hold a single sample.
  if (hn::AllFalse(d, hn::And(active, hn::Gt(hn::Max(t.width, t.height), one)))) {
    make_room(lanes);
    sample(row0, row1, row2, row_column, active);
    return;
  }
  const std::int32_t most_u = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, t.width)));
  const std::int32_t most_v = hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElseZero(active, t.height)));
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

/// Samples the box of triangle `i`, a sample in each lane: blocks of `block` samples along u, as many rows as fit.
HWY_INLINE void SampleBox(const BoxTriangles& t, std::size_t i, std::int32_t block_shift, const RasterConstants& c,
                          Batch& batch) {
  const I32 d;
  const F32 df;
  const U32 du;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  const std::int32_t block = 1 << block_shift, rows = lanes >> block_shift;
  const VI lane = hn::Iota(d, 0), zero = hn::Zero(d);
  const VI lane_u = hn::And(lane, hn::Set(d, block - 1)), lane_v = hn::ShiftRightSame(lane, block_shift);
  const VI bias1 = hn::Set(d, t.bias[1][i]), bias2 = hn::Set(d, t.bias[2][i]);
  const VF z0 = hn::Set(df, t.z0[i]), dz1 = hn::Set(df, t.dz1[i]), dz2 = hn::Set(df, t.dz2[i]);
  const VF inverse = hn::Set(df, t.inverse[i]);
  const VF low = hn::Set(df, t.low[i]), high = hn::Set(df, t.high[i]);
  const VU entry = hn::Set(du, t.entry[i]);
  const VU face = hn::Set(du, t.id[i] + c.first_face);
  const std::int32_t first_column =
      (t.first_v[i] - static_cast<std::int32_t>(c.first_v)) * static_cast<std::int32_t>(c.stride) + t.first_u[i] -
      static_cast<std::int32_t>(c.first_u);
  const std::int32_t width = t.width[i], height = t.height[i];
  for (std::int32_t from = 0; from < width; from += block) {
    const VI x = hn::Add(lane_u, hn::Set(d, from));
    const auto in_width = hn::Lt(x, hn::Set(d, width));
    // Biased, so that a sample is covered where none is negative.
    const auto start = [&](int k) {
      return hn::Add(hn::Sub(hn::Set(d, t.value[k][i] + t.bias[k][i]), hn::Mul(x, hn::Set(d, t.step_u[k][i]))),
                     hn::Mul(lane_v, hn::Set(d, t.step_v[k][i])));
    };
    VI f0 = start(0), f1 = start(1), f2 = start(2);
    const VI step0 = hn::Set(d, t.step_v[0][i] * rows), step1 = hn::Set(d, t.step_v[1][i] * rows);
    const VI step2 = hn::Set(d, t.step_v[2][i] * rows);
    VI column =
        hn::Add(hn::Add(hn::Set(d, first_column), x), hn::Mul(lane_v, hn::Set(d, static_cast<std::int32_t>(c.stride))));
    const VI column_step = hn::Set(d, rows * static_cast<std::int32_t>(c.stride));
    for (std::int32_t row = 0; row < height; row += rows) {
      auto covered = hn::AndNot(hn::Lt(hn::Or(hn::Or(f0, f1), f2), zero), in_width);
      if (row + rows > height) covered = hn::And(covered, hn::Lt(lane_v, hn::Set(d, height - row)));
      const VF z = DepthAt(hn::Sub(f1, bias1), hn::Sub(f2, bias2), z0, dz1, dz2, inverse);
      StoreSamples(covered, column, MakeKeys(z, low, high, entry), face, c.faces, batch);
      f0 = hn::Add(f0, step0);
      f1 = hn::Add(f1, step1);
      f2 = hn::Add(f2, step2);
      column = hn::Add(column, column_step);
    }
  }
}

HWY_INLINE void SampleBoxes(const SetUp& t, hn::Mask<I32> mask, const RasterConstants& c, Batch& batch,
                            SampleSink& sink) {
  const I32 d;
  BoxTriangles boxes;
  StoreTriangles(t, boxes);
  HWY_ALIGN std::int32_t wanted[kMaxLanes];
  hn::Store(hn::IfThenElseZero(mask, hn::Set(d, 1)), d, wanted);
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    if (wanted[i] == 0) continue;
    if (batch.samples + 32 * 32 > Batch::kSamples) batch.flush(sink);
    std::int32_t shift = 0;
    while ((1 << shift) < lanes && (1 << shift) < boxes.width[i]) ++shift;
    SampleBox(boxes, i, shift, c, batch);
  }
}

// ------------------------------------------------------------------------------------------------------------ batches

/// Triangles wait here for others whose boxes are about as large: a vector takes as long as its largest.
class SizeQueue {
 public:
  [[nodiscard]] HWY_INLINE std::size_t size() const { return size_; }
  HWY_INLINE void Add(hn::Mask<I32> mask, const Corners& c) {
    const U32 d;
    const LaneCompressor<> compress(mask);
    const auto add = [&](auto v, std::uint32_t* to) { hn::StoreU(compress(hn::BitCast(d, v)), d, to + size_); };
    for (int k = 0; k < 3; ++k) {
      add(c.u[k], field_[k]);
      add(c.v[k], field_[3 + k]);
      add(c.z[k], field_[6 + k]);
    }
    add(c.id, field_[9]);
    size_ += compress.count();
  }
  /// The first vector of triangles; the others move up.
  HWY_INLINE Corners Take() {
    const U32 d;
    const std::size_t lanes = hn::Lanes(d);
    const auto take = [&](int k) {
      const VU first = hn::Load(d, field_[k]);
      hn::Store(hn::Load(d, field_[k] + lanes), d, field_[k]);
      return first;
    };
    Corners c;
    for (int k = 0; k < 3; ++k) {
      c.u[k] = hn::BitCast(I32(), take(k));
      c.v[k] = hn::BitCast(I32(), take(3 + k));
      c.z[k] = hn::BitCast(F32(), take(6 + k));
    }
    c.id = take(9);
    size_ -= std::min(size_, lanes);
    return c;
  }

 private:
  std::size_t size_ = 0;
  HWY_ALIGN std::uint32_t field_[10][2 * kMaxLanes];
};

/// Boxes of up to so many samples along both axes are sampled with a triangle in each lane: the first at once, the
/// others in queues of their own. Where vectors are long, larger boxes are sampled with a sample in each lane; short
/// ones would be compressed too often for the few samples of a row.
constexpr std::array<std::int32_t, 4> kLaneExtents =
    kLong ? std::array<std::int32_t, 4>{3, 5, 8, 0} : std::array<std::int32_t, 4>{3, 6, 12, kMaxBatchExtent};
constexpr std::size_t kLaneQueues = kLong ? 2 : 3;

inline std::size_t Rasterize(Batch& batch, std::size_t size, std::uint32_t first_face, const RasterTarget& target,
                             const RasterRegion& region, SampleSink& sink, std::uint32_t* left) {
  const I32 d;
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(d);
  const Grid& g = target.grid;
  const Lattice& l = target.lattice;
  const Window& w = target.window;
  const Window& tile = region.cells;
  const auto set = [&](std::uint32_t x) { return hn::Set(d, static_cast<std::int32_t>(x)); };
  const RasterConstants constants{hn::Set(d, clamped_low(w.first_u)),
                                  hn::Set(d, clamped_low(w.first_v)),
                                  hn::Set(d, clamped_high(w.end_u)),
                                  hn::Set(d, clamped_high(w.end_v)),
                                  set(tile.first_u),
                                  set(tile.first_v),
                                  set(tile.end_u),
                                  set(tile.end_v),
                                  region.first_u,
                                  region.first_v,
                                  region.stride,
                                  target.depth,
                                  region.faces,
                                  first_face};
  const VF origin_u = hn::Set(df, l.origin_u), scale_u = hn::Set(df, l.scale_u);
  const VF origin_v = hn::Set(df, l.origin_v), scale_v = hn::Set(df, l.scale_v);
  const VF begin_u = hn::Set(df, SnapBegin(w.first_u)), end_u = hn::Set(df, SnapEnd(w.end_u));
  const VF begin_v = hn::Set(df, SnapBegin(w.first_v)), end_v = hn::Set(df, SnapEnd(w.end_v));
  const VF origin_w = hn::Set(df, l.origin_w);
  const bool small = SnapEnd(std::max(w.end_u, w.end_v)) <= kSmallEnd;
  const auto snap = [small](VF x, VF origin, VF scale, VF begin, VF end) {
    return small ? SnapSmall(x, origin, scale, begin, end) : SnapClamped(x, origin, scale, begin, end);
  };

  SizeQueue queues[kLaneQueues + 1];
  const auto sample = [&](std::size_t queue) {
    const std::size_t count = queues[queue].size();
    SetUp t;
    const Corners corners = queues[queue].Take();
    hn::Mask<I32> outside;
    const Boxes box = FindBoxes(corners, constants, outside);
    const auto active = hn::And(hn::FirstN(d, count), SetUpTriangles(corners, box, constants, t));
    if (queue < kLaneQueues)
      SampleLanes(t, active, constants, batch, sink);
    else
      SampleBoxes(t, active, constants, batch, sink);
  };
  std::size_t left_count = 0;
  for (std::size_t at = 0; at < size; at += lanes) {
    Corners corners;
    for (int k = 0; k < 3; ++k) {
      VF xyz[3];
      hn::LoadInterleaved3(df, &batch.corner[k][at].x, xyz[0], xyz[1], xyz[2]);
      corners.u[k] = snap(xyz[g.u()], origin_u, scale_u, begin_u, end_u);
      corners.v[k] = snap(xyz[g.v()], origin_v, scale_v, begin_v, end_v);
      corners.z[k] = hn::Sub(xyz[g.w()], origin_w);
    }
    corners.id = hn::Load(du, batch.id + at);
    hn::Mask<I32> outside;
    const Boxes box = FindBoxes(corners, constants, outside);
    const VI extent = hn::Max(hn::Sub(box.end_u, box.first_u), hn::Sub(box.end_v, box.first_v));
    auto waiting = hn::FirstN(d, size - at);
    const auto leaving = hn::And(waiting, hn::Or(outside, hn::Gt(extent, hn::Set(d, region.limit))));
    if (!hn::AllFalse(d, leaving)) {
      AppendIds(leaving, corners.id, left, left_count);
      waiting = hn::AndNot(leaving, waiting);
    }
    waiting = hn::And(waiting, hn::Gt(hn::Min(box.width, box.height), hn::Zero(d)));
    const VI in_tile = hn::Max(box.width, box.height);
    auto larger = hn::And(waiting, hn::Gt(in_tile, hn::Set(d, kLaneExtents[0])));
    waiting = hn::AndNot(larger, waiting);
    if (!hn::AllFalse(d, waiting)) {
      SetUp t;
      const auto active = hn::And(waiting, SetUpTriangles(corners, box, constants, t));
      SampleLanes(t, active, constants, batch, sink);
    }
    for (std::size_t queue = 0; queue <= kLaneQueues && !hn::AllFalse(d, larger); ++queue) {
      waiting = larger;
      larger = queue < kLaneQueues ? hn::And(waiting, hn::Gt(in_tile, hn::Set(d, kLaneExtents[queue + 1])))
                                   : hn::Lt(in_tile, in_tile);
      queues[queue].Add(hn::AndNot(larger, waiting), corners);
      if (queues[queue].size() >= lanes) sample(queue);
    }
  }
  for (std::size_t queue = 0; queue <= kLaneQueues; ++queue)
    if (queues[queue].size() != 0) sample(queue);
  batch.flush(sink);
  return left_count;
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
