#include "engines/software/end_kernels.hpp"

#include <algorithm>

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

/// The keys of crossings that end spans of consecutive columns, one span in each lane.
struct Wanted {
  VU begin, end;
};

/// Looks for them in the columns of the tile from `column` on. Without branches: which layer has what cannot be
/// predicted.
HWY_INLINE void FindCrossings(const Layers* const (&sides)[2], std::uint32_t column, const Wanted& wanted,
                              std::uint32_t* begin, std::uint32_t* end) {
  const U32 d;
  const I32 di;
  const hn::Rebind<std::uint8_t, I32> d8;
  const VU one = hn::Set(d, 1);
  VU at_begin = hn::Zero(d), at_end = hn::Zero(d), found_begin = hn::Zero(d), found_end = hn::Zero(d);
  for (std::uint32_t side = 0; side < 2 && sides[side] != nullptr; ++side) {
    const Layers& layers = *sides[side];
    const VI count = hn::PromoteTo(di, hn::LoadU(d8, layers.count() + column));
    const auto most = static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, count)));
    const auto plane = static_cast<std::uint32_t>(layers.plane());
    const std::uint32_t* keys = layers.key() + column;
    VU here = hn::Add(hn::Iota(d, 0), hn::Set(d, column + (side == 0 ? 0 : RowEnds::kSecond)));
    VI number = hn::Zero(di);
    for (std::uint32_t i = 0; i < most; ++i, keys += plane) {
      const VU key = hn::LoadU(d, keys);
      const auto has = hn::RebindMask(d, hn::Gt(count, number));
      const auto begins = hn::And(has, hn::Eq(key, wanted.begin)), ends = hn::And(has, hn::Eq(key, wanted.end));
      at_begin = hn::IfThenElse(begins, here, at_begin);
      at_end = hn::IfThenElse(ends, here, at_end);
      found_begin = hn::Add(found_begin, hn::IfThenElseZero(begins, one));
      found_end = hn::Add(found_end, hn::IfThenElseZero(ends, one));
      here = hn::Add(here, hn::Set(d, plane));
      number = hn::Add(number, hn::Set(di, 1));
    }
  }
  const auto sure = hn::And(hn::Eq(found_begin, one), hn::Eq(found_end, one));
  hn::StoreU(hn::IfThenElse(sure, at_begin, hn::Set(d, RowEnds::kUnsure)), d, begin);
  hn::StoreU(at_end, d, end);
}

inline void FindRowEnds(const SpanRow& row, const RowEnds& out) {
  const U32 d;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint32_t first = row.row * row.side[0]->stride();
  HWY_ALIGN std::uint32_t rest[3 * kMaxLanes] = {};  // the last spans, so that none beyond them are read
  for (std::size_t i = 0; i < row.spans.size();) {
    const std::size_t left = row.spans.size() - i;
    const auto* from = reinterpret_cast<const std::uint32_t*>(&row.spans[i]);
    if (left < lanes) {
      std::copy_n(from, 3 * left, rest);
      from = rest;
    }
    VU column, begin, end;
    hn::LoadInterleaved3(d, from, column, begin, end);
    const std::uint32_t base = row.spans[i].column;
    // As many spans as lie in consecutive columns, one in each.
    const auto apart = hn::Ne(column, hn::Add(hn::Iota(d, 0), hn::Set(d, base)));
    const auto next = static_cast<std::size_t>(hn::FindFirstTrue(d, apart));
    const std::size_t count = std::min(left, hn::AllFalse(d, apart) ? lanes : next);
    const Wanted wanted{hn::Or(hn::ShiftLeft<1>(begin), hn::Set(d, 1)), hn::ShiftLeft<1>(end)};  // Crossing::make()
    FindCrossings(row.side, first + (base - row.column), wanted, out.begin + i, out.end + i);
    i += count;
  }
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
/// The sample of a cell, along an axis.
HWY_INLINE VD SampleAt(hn::Vec<HalfI32> cell) {
  const F64 d;
  return hn::Mul(hn::Add(hn::PromoteTo(d, cell), hn::Set(d, 1.0)), hn::Set(d, static_cast<double>(kSubStep)));
}

/// The cells of ends.
struct Cells {
  hn::Vec<HalfI32> u, v, sign;
};
HWY_INLINE Cells UnpackCells(const std::uint32_t* packed) {
  const HalfU32 d;
  const HalfI32 di;
  const auto cell = hn::Load(d, packed), mask = hn::Set(d, 0x3fffu);
  const auto end = hn::BitCast(di, hn::ShiftRight<28>(cell));  // 1 or 0
  return {hn::BitCast(di, hn::And(cell, mask)), hn::BitCast(di, hn::And(hn::ShiftRight<14>(cell), mask)),
          hn::Sub(hn::Add(end, end), hn::Set(di, 1))};
}

/// Corners of triangles, by corner and axis.
struct EndCorners {
  VF at[3][3];
};
HWY_INLINE EndCorners LoadCorners(const EndBatch& b, std::size_t i) {
  EndCorners c;
  for (int k = 0; k < 3; ++k) hn::LoadInterleaved3(F32(), &b.corner[k][i].x, c.at[k][0], c.at[k][1], c.at[k][2]);
  return c;
}

/// As weights_at(). Edge functions of differences below 2^26 are exact in doubles. Returns the largest difference.
HWY_INLINE VD Weigh(const EndWork& work, const EndCorners& c, const Cells& cells, EndBatch& b, std::size_t i) {
  const F64 d;
  const HalfI32 di;
  const HalfU32 du;
  const Grid& grid = work.grid;
  const Lattice& lattice = work.lattice;
  const VD whole = hn::Set(d, static_cast<double>(kWholeWeight)), half = hn::Set(d, 0.5), zero = hn::Zero(d);
  const VD sample_u = SampleAt(cells.u), sample_v = SampleAt(cells.v);
  VD u[3], v[3], farthest = zero;
  for (int k = 0; k < 3; ++k) {
    u[k] = hn::Sub(OnLattice(c.at[k][grid.u()], lattice.origin_u, lattice.scale_u), sample_u);
    v[k] = hn::Sub(OnLattice(c.at[k][grid.v()], lattice.origin_v, lattice.scale_v), sample_v);
    farthest = hn::Max(farthest, hn::Max(hn::Abs(u[k]), hn::Abs(v[k])));
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
  return farthest;
}

/// As in_weight_steps(), of numbers between -1 and 1.
HWY_INLINE hn::Vec<I64> Steps(VD x, hn::Mask<F64> which) {
  const F64 d;
  const VD steps = hn::Mul(x, hn::Set(d, static_cast<double>(kWholeWeight)));
  const VD rounded = hn::IfThenElseZero(which, hn::Add(steps, hn::CopySign(hn::Set(d, 0.5), steps)));
  return hn::PromoteTo(I64(), hn::DemoteTo(HalfI32(), rounded));
}

/// As unit_normal() and EndSums::add(), a vector of ends at a time.
struct VectorSums {
  hn::Vec<I64> area, normal[3];
  hn::Vec<HalfI32> count, twice_u, twice_v;  // of a batch they fit 32 bits

  VectorSums() : area(hn::Zero(I64())), count(hn::Zero(HalfI32())), twice_u(count), twice_v(count) {
    for (auto& n : normal) n = area;
  }

  HWY_INLINE void Add(const EndCorners& c, const Cells& cells, std::size_t ends, int w) {
    const F64 d;
    const HalfI32 di;
    const VD one = hn::Set(d, 1.0);
    VD e[3], f[3], n[3];
    for (int axis = 0; axis < 3; ++axis) {
      const VD at = hn::PromoteTo(d, c.at[0][axis]);
      e[axis] = hn::Sub(hn::PromoteTo(d, c.at[1][axis]), at);
      f[axis] = hn::Sub(hn::PromoteTo(d, c.at[2][axis]), at);
    }
    n[0] = hn::Sub(hn::Mul(e[1], f[2]), hn::Mul(e[2], f[1]));
    n[1] = hn::Sub(hn::Mul(e[2], f[0]), hn::Mul(e[0], f[2]));
    n[2] = hn::Sub(hn::Mul(e[0], f[1]), hn::Mul(e[1], f[0]));
    const VD squared = hn::Add(hn::Add(hn::Mul(n[0], n[0]), hn::Mul(n[1], n[1])), hn::Mul(n[2], n[2]));
    const auto which = hn::And(hn::FirstN(d, ends), hn::Gt(squared, hn::Zero(d)));
    const VD scale = hn::Div(one, hn::Sqrt(hn::IfThenElse(which, squared, one)));
    for (VD& x : n) x = hn::Mul(x, scale);
    const VD part = hn::Abs(n[w]);
    area = hn::Add(area, Steps(part, which));
    for (int axis = 0; axis < 3; ++axis) normal[axis] = hn::Add(normal[axis], Steps(hn::Mul(part, n[axis]), which));
    const auto sign = hn::IfThenElseZero(hn::FirstN(di, ends), cells.sign);
    const auto twice = [&](hn::Vec<HalfI32> x) { return hn::Mul(sign, hn::Add(hn::Add(x, x), hn::Set(di, 1))); };
    count = hn::Add(count, sign);
    twice_u = hn::Add(twice_u, twice(cells.u));
    twice_v = hn::Add(twice_v, twice(cells.v));
  }

  HWY_INLINE void Finish(EndSums& sums) const {
    const auto of = [](auto d, auto v) {
      return static_cast<SignedSum>(static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, v))));
    };
    sums.count += of(HalfI32(), count);
    sums.twice_u += of(HalfI32(), twice_u);
    sums.twice_v += of(HalfI32(), twice_v);
    sums.area += of(I64(), area);
    for (int axis = 0; axis < 3; ++axis) sums.normal[axis] += of(I64(), normal[axis]);
  }
};

inline bool WorkOnEnds(const EndWork& work, EndBatch& batch, EndSums& sums) {
  const F64 d;
  VD farthest = hn::Zero(d);
  VectorSums totals;
  for (std::size_t i = 0; i < batch.size; i += hn::Lanes(d)) {
    const auto filled = hn::FirstN(d, batch.size - i);
    const EndCorners corners = LoadCorners(batch, i);
    const Cells cells = UnpackCells(batch.cell + i);
    if (work.weights) farthest = hn::Max(farthest, hn::IfThenElseZero(filled, Weigh(work, corners, cells, batch, i)));
    if (work.sums) totals.Add(corners, cells, batch.size - i, work.grid.w());
  }
  if (work.sums) totals.Finish(sums);
  return hn::GetLane(hn::MaxOfLanes(d, farthest)) < 0x1p26;
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::software {

HWY_EXPORT(FindRowEnds);
HWY_EXPORT(WorkOnEnds);

void find_row_ends(const SpanRow& row, const RowEnds& out) { HWY_DYNAMIC_DISPATCH(FindRowEnds)(row, out); }
bool work_on_ends(const EndWork& work, EndBatch& batch, EndSums& sums) {
  return HWY_DYNAMIC_DISPATCH(WorkOnEnds)(work, batch, sums);
}

}  // namespace lamella::software
#endif  // HWY_ONCE
