// Kernels over the rows of large triangles: the samples of many rows at once, and filing them into the layers of a
// tile.
//
// Included once per instruction set by foreach_target.h; the guard toggles so that each inclusion is compiled.
#if defined(LAMELLA_SOFTWARE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LAMELLA_SOFTWARE_ROWS_INL
#undef LAMELLA_SOFTWARE_ROWS_INL
#else
#define LAMELLA_SOFTWARE_ROWS_INL
#endif

#include <algorithm>

#include "engines/software/kernels.hpp"
#include "engines/software/raster-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {

/// Files the rows of one triangle.
class RowFiler {
 public:
  HWY_INLINE RowFiler(const TriangleDepth& depth, std::uint32_t face, float box_depth, Layers& out)
      : entry_(hn::Set(U32(), depth.entry ? 1u : 0u)),
        low_(LimitDepth(hn::Set(F32(), depth.low), hn::Set(F32(), box_depth))),
        high_(LimitDepth(hn::Set(F32(), depth.high), hn::Set(F32(), box_depth))),
        z0_(hn::Set(F32(), depth.z0)),
        dz1_(hn::Set(F32(), depth.dz1)),
        dz2_(hn::Set(F32(), depth.dz2)),
        lane_(hn::Iota(I32(), 0)),  // of a number that is not constant it goes through memory, lane by lane
        face_(face),
        out_(out) {}

  /// `first`, `count`: columns of the tile; `skipped`: samples of the row before them.
  HWY_INLINE void File(std::uint32_t first, std::uint32_t count, std::uint32_t skipped, float b1, float b1_step,
                       float b2, float b2_step) const {
    const F32 df;
    const U32 du;
    const I32 di;
    const auto lanes = static_cast<std::uint32_t>(hn::Lanes(df));
    for (std::uint32_t i = 0; i < count; i += lanes) {
      const VF steps = hn::ConvertTo(df, hn::Add(lane_, hn::Set(di, static_cast<std::int32_t>(skipped + i))));
      const VF at1 = hn::Add(hn::Set(df, b1), hn::Mul(steps, hn::Set(df, b1_step)));
      const VF at2 = hn::Add(hn::Set(df, b2), hn::Mul(steps, hn::Set(df, b2_step)));
      const VF z = hn::Add(z0_, hn::Add(hn::Mul(at1, dz1_), hn::Mul(at2, dz2_)));
      FileRow(du, hn::FirstN(du, count - i), MakeKeys(z, low_, high_, entry_), first + i, face_, out_);
    }
  }

 private:
  VU entry_;
  VF low_, high_, z0_, dz1_, dz2_;
  VI lane_;
  std::uint32_t face_;
  Layers& out_;
};

/// One row after the other, in integers.
template <class Int>
HWY_INLINE void RowByRow(const RowTriangle<Int>& t, std::uint32_t face, float box_depth, Layers& out) {
  const Window& tile = out.tile();
  const std::int64_t first_row = std::max<std::int64_t>(t.first_row, tile.first_v);
  const std::int64_t last_row = std::min<std::int64_t>(t.last_row, tile.end_v);
  const RowFiler filer(t.depth, face, box_depth, out);
  RowWalk<Int> walk(t, first_row);
  RowSpan span;
  std::uint32_t column = static_cast<std::uint32_t>(first_row - tile.first_v) * out.stride();
  for (std::int64_t row = first_row; row < last_row; ++row, column += out.stride()) {
    if (!walk.next(0, span)) continue;  // columns are numbered from the row's first
    const std::uint32_t first = span.first_column;
    const std::uint32_t begin = std::max(first, tile.first_u), end = std::min(first + span.count, tile.end_u);
    if (begin >= end) continue;
    filer.File(column + begin - tile.first_u, end - begin, begin - first, span.b1, span.b1_step, span.b2, span.b2_step);
  }
}

inline void RasterizeNearRows(const RowTriangle<std::int64_t>& t, std::uint32_t face, float box_depth, Layers& out) {
  RowByRow(t, face, box_depth, out);
}
inline void RasterizeFarRows(const RowTriangle<Wide>& t, std::uint32_t face, float box_depth, Layers& out) {
  RowByRow(t, face, box_depth, out);
}

#if HWY_HAVE_FLOAT64

using F64 = hn::CappedTag<double, kMaxLanes / 2>;
using VD = hn::Vec<F64>;

/// RowEdge::narrow() for a row in each lane, in doubles that are exact: see fits_doubles().
class EdgeOfRows {
 public:
  HWY_INLINE explicit EdgeOfRows(const RowEdge<std::int64_t>& e)
      : upper_(e.dv > 0),
        level_(e.dv == 0),
        pu_(hn::Set(F64(), static_cast<double>(e.pu))),
        pv_(hn::Set(F64(), static_cast<double>(e.pv))),
        du_(hn::Set(F64(), static_cast<double>(e.du))),
        divisor_(hn::Set(F64(), static_cast<double>(e.dv > 0 ? e.dv : -e.dv))),
        inverse_(hn::Set(F64(), 1 / static_cast<double>(e.dv > 0 ? e.dv : -e.dv))) {}

  HWY_INLINE void Narrow(VD v, VD& first, VD& last) const {
    const F64 d;
    if (level_) return;  // it limits only the rows
    const VD one = hn::Set(d, 1.0), cell = hn::Set(d, 1.0 / kSubStep);
    const VD product = hn::Mul(du_, hn::Sub(v, pv_));
    if (upper_)
      last = hn::Min(last, hn::Floor(hn::Mul(hn::Add(pu_, Quotient(hn::Sub(product, one))), cell)));
    else
      first = hn::Max(first, hn::Floor(hn::Mul(hn::Sub(hn::Sub(pu_, Quotient(product)), one), cell)));
  }

 private:
  /// floor_div(). The product with the inverse is off by a part of 2^-52 at most: too little to reach the next integer,
  /// as |n| is below 2^52, but enough to fall short of an integer that the quotient is. The remainder shows that.
  HWY_INLINE VD Quotient(VD n) const {
    const F64 d;
    const VD q = hn::Floor(hn::Mul(n, inverse_));
    const VD rest = hn::Sub(n, hn::Mul(q, divisor_));
    return hn::Add(q, hn::IfThenElseZero(hn::Ge(rest, divisor_), hn::Set(d, 1.0)));
  }

  bool upper_;  ///< the samples end here; else they begin
  bool level_;
  VD pu_, pv_, du_, divisor_, inverse_;
};

/// RowEdge::value() times the inverse of the area, in float.
class WeightOfRows {
 public:
  HWY_INLINE WeightOfRows(const RowEdge<std::int64_t>& e, double inverse)
      : pu_(hn::Set(F64(), static_cast<double>(e.pu))),
        pv_(hn::Set(F64(), static_cast<double>(e.pv))),
        du_(hn::Set(F64(), static_cast<double>(e.du))),
        dv_(hn::Set(F64(), static_cast<double>(e.dv))),
        inverse_(hn::Set(F64(), inverse)) {}

  HWY_INLINE void Store(VD u, VD v, float* to) const {
    const hn::Rebind<float, F64> df;
    const VD value = hn::Sub(hn::Mul(du_, hn::Sub(v, pv_)), hn::Mul(dv_, hn::Sub(u, pu_)));
    hn::StoreU(hn::DemoteTo(df, hn::Mul(value, inverse_)), df, to);
  }

 private:
  VD pu_, pv_, du_, dv_, inverse_;
};

/// Files the samples of a triangle that fits_doubles(): of those that RowTriangle::row() gives, what is in the tile.
inline void RasterizeRows(const RowTriangle<std::int64_t>& t, std::uint32_t face, float box_depth, Layers& out) {
  const F64 d;
  const hn::Rebind<std::int32_t, F64> di;
  const std::size_t lanes = hn::Lanes(d);
  const Window& tile = out.tile();
  const std::int64_t first_row = std::max<std::int64_t>(t.first_row, tile.first_v);
  const std::int64_t last_row = std::min<std::int64_t>(t.last_row, tile.end_v);
  const EdgeOfRows e0(t.e0), e1(t.e1), e2(t.e2);
  const WeightOfRows w1(t.e1, t.inverse), w2(t.e2, t.inverse);
  const float b1_step = t.step_of(t.e1), b2_step = t.step_of(t.e2);
  const RowFiler filer(t.depth, face, box_depth, out);
  const VD one = hn::Set(d, 1.0), cell = hn::Set(d, kSubStep);
  const VD tile_first = hn::Set(d, tile.first_u), tile_end = hn::Set(d, tile.end_u);
  HWY_ALIGN std::int32_t begins[kMaxLanes], ends[kMaxLanes], skips[kMaxLanes];
  HWY_ALIGN float b1[kMaxLanes], b2[kMaxLanes];
  for (std::int64_t row = first_row; row < last_row; row += static_cast<std::int64_t>(lanes)) {
    const VD v = hn::Mul(hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<double>(row + 1))), cell);
    VD first = hn::Set(d, static_cast<double>(t.first_u)), last = hn::Set(d, static_cast<double>(t.last_u));
    e0.Narrow(v, first, last);
    e1.Narrow(v, first, last);
    e2.Narrow(v, first, last);
    // Where a row has no samples in the tile, its end is not above its begin, and the rest means nothing.
    const VD begin = hn::Min(hn::Max(first, tile_first), tile_end), end = hn::Max(hn::Min(last, tile_end), tile_first);
    hn::StoreU(hn::DemoteTo(di, hn::Sub(begin, tile_first)), di, begins);
    hn::StoreU(hn::DemoteTo(di, hn::Sub(end, tile_first)), di, ends);
    hn::StoreU(hn::DemoteTo(di, hn::Min(hn::Sub(begin, first), tile_end)), di, skips);
    const VD u = hn::Mul(hn::Add(first, one), cell);
    w1.Store(u, v, b1);
    w2.Store(u, v, b2);
    const auto rows =
        static_cast<std::size_t>(std::min<std::int64_t>(last_row - row, static_cast<std::int64_t>(lanes)));
    std::uint32_t column = static_cast<std::uint32_t>(row - tile.first_v) * out.stride();
    for (std::size_t i = 0; i < rows; ++i, column += out.stride()) {
      if (begins[i] >= ends[i]) continue;
      filer.File(column + static_cast<std::uint32_t>(begins[i]), static_cast<std::uint32_t>(ends[i] - begins[i]),
                 static_cast<std::uint32_t>(skips[i]), b1[i], b1_step, b2[i], b2_step);
    }
  }
}

#else

inline void RasterizeRows(const RowTriangle<std::int64_t>& t, std::uint32_t face, float box_depth, Layers& out) {
  RowByRow(t, face, box_depth, out);
}

#endif  // HWY_HAVE_FLOAT64

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
