#include "engines/software/end_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/software/end_kernels.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::software::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using I32 = hn::CappedTag<std::int32_t, kMaxLanes>;
using U32 = hn::CappedTag<std::uint32_t, kMaxLanes>;
using VI = hn::Vec<I32>;
using VU = hn::Vec<U32>;

// --------------------------------------------------------------------------------------------------- which crossing

/// The spans of a vector of columns, at most one in each; then the crossings with their keys.
struct Search {
  HWY_ALIGN std::uint32_t key[2][kMaxLanes];                     ///< wanted, of begin and end
  HWY_ALIGN std::uint32_t at[2][kMaxLanes], mesh[2][kMaxLanes];  ///< in that mesh's layers
  HWY_ALIGN std::uint32_t sure[kMaxLanes];                       ///< not 0: one crossing for each end
};

/// Looks through the crossings of columns of the tile, from `column` on.
HWY_INLINE void FindCrossings(const Layers* const (&sides)[2], std::uint32_t column, Search& s) {
  const U32 d;
  const I32 di;
  const hn::Rebind<std::uint8_t, I32> d8;
  const VU wanted[2] = {hn::Load(d, s.key[0]), hn::Load(d, s.key[1])}, one = hn::Set(d, 1);
  VU place[2] = {hn::Zero(d), hn::Zero(d)}, mesh[2] = {hn::Zero(d), hn::Zero(d)}, found[2] = {hn::Zero(d), hn::Zero(d)};
  for (std::uint32_t side = 0; side < 2 && sides[side] != nullptr; ++side) {
    const Layers& layers = *sides[side];
    const VI count = hn::PromoteTo(di, hn::LoadU(d8, layers.count() + column));
    const auto most = static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, count)));
    for (std::uint32_t i = 0; i < most; ++i) {
      const std::size_t at = i * layers.plane() + column;
      const VU key = hn::LoadU(d, layers.key() + at);
      const auto begins = hn::Eq(key, wanted[0]), ends = hn::Eq(key, wanted[1]);
      if (hn::AllFalse(d, hn::Or(begins, ends))) continue;  // most layers
      const auto has = hn::RebindMask(d, hn::Gt(count, hn::Set(di, static_cast<std::int32_t>(i))));
      const VU here = hn::Iota(d, static_cast<std::uint32_t>(at));
      for (int k = 0; k < 2; ++k) {
        const auto same = hn::And(has, k == 0 ? begins : ends);
        place[k] = hn::IfThenElse(same, here, place[k]);
        mesh[k] = hn::IfThenElse(same, hn::Set(d, side), mesh[k]);
        found[k] = hn::Add(found[k], hn::IfThenElseZero(same, one));
      }
    }
  }
  for (int k = 0; k < 2; ++k) {
    hn::Store(place[k], d, s.at[k]);
    hn::Store(mesh[k], d, s.mesh[k]);
  }
  const auto both = hn::And(hn::Eq(found[0], one), hn::Eq(found[1], one));
  hn::Store(hn::IfThenElseZero(both, one), d, s.sure);
}

inline std::size_t FindRowEnds(const SpanRow& row, SpanPlaces* out, std::uint32_t* unsure) {
  const U32 d;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  const std::uint32_t first = row.row * row.side[0]->stride();
  const std::uint32_t* const faces[2] = {row.side[0]->face(), row.side[1] != nullptr ? row.side[1]->face() : nullptr};
  const std::span<const Span> spans = row.spans;
  std::size_t unsure_count = 0;
  Search s;
  for (std::size_t i = 0, end = 0; i < spans.size(); i = end) {
    const std::uint32_t base = spans[i].column;
    hn::Store(hn::Set(d, ~0u), d, s.key[0]);  // of no crossing
    hn::Store(hn::Set(d, ~0u), d, s.key[1]);
    for (end = i; end < spans.size() && spans[end].column - base < lanes; ++end) {
      if (end > i && spans[end].column == spans[end - 1].column) break;  // one span of a column at a time
      const std::uint32_t lane = spans[end].column - base;
      s.key[0][lane] = Crossing::make(spans[end].begin, true).key;
      s.key[1][lane] = Crossing::make(spans[end].end, false).key;
    }
    FindCrossings(row.side, first + (base - row.column), s);
    for (std::size_t k = i; k < end; ++k) {
      const std::uint32_t lane = spans[k].column - base;
      const std::uint32_t from = s.mesh[0][lane], to = s.mesh[1][lane];
      out[k] = {{from, s.at[0][lane]}, {to, s.at[1][lane]}};
      __builtin_prefetch(faces[from] + out[k].begin.face);
      __builtin_prefetch(faces[to] + out[k].end.face);
      unsure[unsure_count] = static_cast<std::uint32_t>(k);
      unsure_count += s.sure[lane] == 0 ? 1 : 0;
    }
  }
  // Faces are farther away in memory than keys, which the walk has just read: all are fetched before the first is used.
  for (std::size_t k = 0; k < spans.size(); ++k) {
    out[k].begin.face = faces[out[k].begin.mesh][out[k].begin.face];
    out[k].end.face = faces[out[k].end.mesh][out[k].end.face];
  }
  return unsure_count;
}

// ---------------------------------------------------------------------------------------------- where, and how much

using F64 = hn::CappedTag<double, kMaxLanes / 2>;
using F32 = hn::Rebind<float, F64>;
using HalfI32 = hn::Rebind<std::int32_t, F64>;
using HalfU32 = hn::Rebind<std::uint32_t, F64>;
using I64 = hn::Rebind<std::int64_t, F64>;
using VD = hn::Vec<F64>;
using VF = hn::Vec<F32>;

/// Lattice coordinates as in lattice_coordinate() and snap(): rounded to the nearest, ties to even.
HWY_INLINE VD OnLattice(VF x, float origin, float scale) {
  const F32 d;
  const VF at =
      hn::Add(hn::Mul(hn::Sub(x, hn::Set(d, origin)), hn::Set(d, scale)), hn::Set(d, static_cast<float>(kSubStep / 2)));
  return hn::Round(hn::PromoteTo(F64(), at));
}
/// The sample of a cell.
HWY_INLINE VD SampleAt(const std::uint32_t* cell) {
  const F64 d;
  const auto c = hn::BitCast(HalfI32(), hn::Load(HalfU32(), cell));
  return hn::Mul(hn::Add(hn::PromoteTo(d, c), hn::Set(d, 1.0)), hn::Set(d, static_cast<double>(kSubStep)));
}

/// As weights_at(). Edge functions of differences below 2^26 are exact in doubles.
inline bool WeighEnds(const Grid& grid, const Lattice& lattice, EndBatch& b) {
  const F64 d;
  const F32 df;
  const HalfI32 di;
  const HalfU32 du;
  const VD whole = hn::Set(d, static_cast<double>(kWholeWeight)), half = hn::Set(d, 0.5), zero = hn::Zero(d);
  VD farthest = zero;
  for (std::size_t i = 0; i < b.size; i += hn::Lanes(d)) {
    const auto filled = hn::FirstN(d, b.size - i);
    const VD sample_u = SampleAt(b.u + i), sample_v = SampleAt(b.v + i);
    VD u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      VF xyz[3];
      hn::LoadInterleaved3(df, &b.corner[k][i].x, xyz[0], xyz[1], xyz[2]);
      u[k] = hn::Sub(OnLattice(xyz[grid.u()], lattice.origin_u, lattice.scale_u), sample_u);
      v[k] = hn::Sub(OnLattice(xyz[grid.v()], lattice.origin_v, lattice.scale_v), sample_v);
      farthest = hn::Max(farthest, hn::IfThenElseZero(filled, hn::Max(hn::Abs(u[k]), hn::Abs(v[k]))));
    }
    const VD of_a = hn::Sub(hn::Mul(u[1], v[2]), hn::Mul(v[1], u[2]));
    const VD of_b = hn::Sub(hn::Mul(u[2], v[0]), hn::Mul(v[2], u[0]));
    const VD of_c = hn::Sub(hn::Mul(u[0], v[1]), hn::Mul(v[0], u[1]));
    const VD area = hn::Add(hn::Add(of_a, of_b), of_c);
    const auto some = hn::Ne(area, zero);
    const VD scale = hn::Div(whole, hn::IfThenElse(some, area, whole));
    const auto steps = [&](VD of) {
      const VD x = hn::IfThenElseZero(some, hn::Add(hn::Mul(of, scale), half));
      return hn::DemoteTo(di, hn::Min(hn::Max(x, zero), whole));
    };
    const auto at_b = steps(of_b), at_c = steps(of_c);
    const auto rest = hn::Sub(hn::Set(di, static_cast<std::int32_t>(kWholeWeight)), at_b);
    hn::Store(hn::BitCast(du, at_b), du, b.weight_b + i);
    hn::Store(hn::BitCast(du, hn::Min(at_c, rest)), du, b.weight_c + i);
  }
  return hn::GetLane(hn::MaxOfLanes(d, farthest)) < 0x1p26;
}

/// As in_weight_steps(), of numbers between -1 and 1.
HWY_INLINE hn::Vec<I64> Steps(VD x, hn::Mask<F64> which) {
  const F64 d;
  const VD steps = hn::Mul(x, hn::Set(d, static_cast<double>(kWholeWeight)));
  const VD rounded = hn::IfThenElseZero(which, hn::Add(steps, hn::CopySign(hn::Set(d, 0.5), steps)));
  return hn::PromoteTo(I64(), hn::DemoteTo(HalfI32(), rounded));
}

/// As unit_normal() and EndSums::add().
inline void SumUpEnds(const Grid& grid, const EndBatch& b, EndSums& sums) {
  const F64 d;
  const F32 df;
  const I64 dl;
  const VD zero = hn::Zero(d), one = hn::Set(d, 1.0);
  hn::Vec<I64> area = hn::Zero(dl), normal[3] = {area, area, area};
  const int w = grid.w();
  for (std::size_t i = 0; i < b.size; i += hn::Lanes(d)) {
    VD p[3][3];
    for (int k = 0; k < 3; ++k) {
      VF xyz[3];
      hn::LoadInterleaved3(df, &b.corner[k][i].x, xyz[0], xyz[1], xyz[2]);
      for (int axis = 0; axis < 3; ++axis) p[k][axis] = hn::PromoteTo(d, xyz[axis]);
    }
    VD e[3], f[3], n[3];
    for (int axis = 0; axis < 3; ++axis) {
      e[axis] = hn::Sub(p[1][axis], p[0][axis]);
      f[axis] = hn::Sub(p[2][axis], p[0][axis]);
    }
    n[0] = hn::Sub(hn::Mul(e[1], f[2]), hn::Mul(e[2], f[1]));
    n[1] = hn::Sub(hn::Mul(e[2], f[0]), hn::Mul(e[0], f[2]));
    n[2] = hn::Sub(hn::Mul(e[0], f[1]), hn::Mul(e[1], f[0]));
    const VD squared = hn::Add(hn::Add(hn::Mul(n[0], n[0]), hn::Mul(n[1], n[1])), hn::Mul(n[2], n[2]));
    const auto which = hn::And(hn::FirstN(d, b.size - i), hn::Gt(squared, zero));
    const VD scale = hn::Div(one, hn::Sqrt(hn::IfThenElse(which, squared, one)));
    for (VD& x : n) x = hn::Mul(x, scale);
    const VD part = hn::Abs(n[w]);
    area = hn::Add(area, Steps(part, which));
    for (int axis = 0; axis < 3; ++axis) normal[axis] = hn::Add(normal[axis], Steps(hn::Mul(part, n[axis]), which));
  }
  const auto total = [&](hn::Vec<I64> v) { return static_cast<SignedSum>(hn::GetLane(hn::SumOfLanes(dl, v))); };
  sums.area += total(area);
  for (int axis = 0; axis < 3; ++axis) sums.normal[axis] += total(normal[axis]);
  for (std::size_t i = 0; i < b.size; ++i) sums.add_place(b.sign[i], b.u[i], b.v[i]);
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::software {

HWY_EXPORT(FindRowEnds);
HWY_EXPORT(WeighEnds);
HWY_EXPORT(SumUpEnds);

std::size_t find_row_ends(const SpanRow& row, SpanPlaces* out, std::uint32_t* unsure) {
  return HWY_DYNAMIC_DISPATCH(FindRowEnds)(row, out, unsure);
}
bool weigh_ends(const Grid& grid, const Lattice& lattice, EndBatch& batch) {
  return HWY_DYNAMIC_DISPATCH(WeighEnds)(grid, lattice, batch);
}
void sum_up_ends(const Grid& grid, const EndBatch& batch, EndSums& sums) {
  HWY_DYNAMIC_DISPATCH(SumUpEnds)(grid, batch, sums);
}

}  // namespace lamella::software
#endif  // HWY_ONCE
