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
  hn::Vec<HalfI32> u, v;
};
HWY_INLINE Cells UnpackCells(const std::uint32_t* packed) {
  const HalfU32 d;
  const HalfI32 di;
  const auto cell = hn::Load(d, packed);
  return {hn::BitCast(di, hn::And(cell, hn::Set(d, 0x3fffu))), hn::BitCast(di, hn::ShiftRight<14>(cell))};
}

/// Corners of triangles, by corner and axis.
struct EndCorners {
  VF at[3][3];
};
HWY_INLINE EndCorners LoadCorners(const Vec3* const (&corner)[3], std::size_t i) {
  EndCorners c;
  for (int k = 0; k < 3; ++k) hn::LoadInterleaved3(F32(), &corner[k][i].x, c.at[k][0], c.at[k][1], c.at[k][2]);
  return c;
}

/// As weights_at(). Edge functions of differences below 2^26 are exact in doubles. Returns the largest difference.
HWY_INLINE VD Weigh(const Grid& grid, const Lattice& lattice, const EndCorners& c, EndBatch& b, std::size_t i) {
  const F64 d;
  const HalfI32 di;
  const HalfU32 du;
  const Cells cells = UnpackCells(b.cell + i);
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

inline bool WeighEnds(const Grid& grid, const Lattice& lattice, EndBatch& batch) {
  const F64 d;
  VD farthest = hn::Zero(d);
  for (std::size_t i = 0; i < batch.size; i += hn::Lanes(d)) {
    const EndCorners corners = LoadCorners({batch.corner[0], batch.corner[1], batch.corner[2]}, i);
    const VD far = Weigh(grid, lattice, corners, batch, i);
    farthest = hn::Max(farthest, hn::IfThenElseZero(hn::FirstN(d, batch.size - i), far));
  }
  return hn::GetLane(hn::MaxOfLanes(d, farthest)) < 0x1p26;
}

// ------------------------------------------------------------------------------------------------- sums over faces

/// As in_weight_steps(), of numbers between -1 and 1.
HWY_INLINE VD Steps(VD x, hn::Mask<F64> which) {
  const F64 d;
  const VD steps = hn::Mul(x, hn::Set(d, static_cast<double>(kWholeWeight)));
  return hn::IfThenElseZero(which, hn::Trunc(hn::Add(steps, hn::CopySign(hn::Set(d, 0.5), steps))));
}

/// As unit_normal() and EndSums::add(), a vector of triangles at a time. Sums of integers, in doubles.
struct VectorSums {
  VD area, normal[3];

  VectorSums() : area(hn::Zero(F64())), normal{area, area, area} {}

  /// `which`: lanes with a triangle, `ends`: how many ends each has.
  HWY_INLINE void Add(const EndCorners& c, hn::Mask<F64> which, VD ends, int w) {
    const F64 d;
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
    which = hn::And(which, hn::Gt(squared, hn::Zero(d)));
    const VD scale = hn::Div(one, hn::Sqrt(hn::IfThenElse(which, squared, one)));
    for (VD& x : n) x = hn::Mul(x, scale);
    const VD part = hn::Abs(n[w]);
    area = hn::Add(area, hn::Mul(ends, Steps(part, which)));
    for (int axis = 0; axis < 3; ++axis)
      normal[axis] = hn::Add(normal[axis], hn::Mul(ends, Steps(hn::Mul(part, n[axis]), which)));
  }

  HWY_INLINE void Finish(EndSums& sums) const {
    const auto of = [](VD v) {
      return static_cast<SignedSum>(static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(F64(), v))));
    };
    sums.area += of(area);
    for (int axis = 0; axis < 3; ++axis) sums.normal[axis] += of(normal[axis]);
  }
};

/// Numbers below kSteepest, rounded.
HWY_INLINE void StoreNearest(VD x, std::int64_t* to) {
  const F64 d;
  const I64 di;
  const VD magic = hn::Set(d, kToInteger);
  hn::Store(hn::Sub(hn::BitCast(di, hn::Add(x, magic)), hn::BitCast(di, magic)), di, to);
}

/// As corner_weights(). Returns the largest difference.
HWY_INLINE VD WeighCorners(const FaceWork& work, const EndCorners& c, FaceBatch& b, std::size_t i) {
  const F64 d;
  const HalfI32 di;
  const Grid& grid = work.grid;
  const Lattice& lattice = work.lattice;
  const VD zero = hn::Zero(d), one = hn::Set(d, 1.0), whole = hn::Set(d, static_cast<double>(kWholeWeight));
  const VD sub_step = hn::Set(d, static_cast<double>(kSubStep)), cell = hn::Set(d, 1.0 / kSubStep);
  VD u[3], v[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = OnLattice(c.at[k][grid.u()], lattice.origin_u, lattice.scale_u);
    v[k] = OnLattice(c.at[k][grid.v()], lattice.origin_v, lattice.scale_v);
  }
  const auto first = [&](VD x, std::uint32_t cells) {
    const VD at = hn::Sub(hn::Floor(hn::Mul(x, cell)), one);
    return hn::Min(hn::Max(at, zero), hn::Set(d, static_cast<double>(cells) - 1));
  };
  const VD first_u = first(u[0], grid.columns), first_v = first(v[0], grid.rows);
  hn::Store(hn::DemoteTo(di, first_u), di, b.first_u + i);
  hn::Store(hn::DemoteTo(di, first_v), di, b.first_v + i);
  const VD pu = hn::Sub(hn::Mul(hn::Add(first_u, one), sub_step), u[0]);
  const VD pv = hn::Sub(hn::Mul(hn::Add(first_v, one), sub_step), v[0]);
  const VD bu = hn::Sub(u[1], u[0]), bv = hn::Sub(v[1], v[0]), cu = hn::Sub(u[2], u[0]), cv = hn::Sub(v[2], v[0]);
  const auto cross = [](VD xu, VD xv, VD yu, VD yv) { return hn::Sub(hn::Mul(xu, yv), hn::Mul(xv, yu)); };
  const auto farther = [](VD x, VD y) { return hn::Max(hn::Abs(x), hn::Abs(y)); };
  const VD area = cross(bu, bv, cu, cv);
  auto fine = hn::Ne(area, zero);
  const VD scale = hn::Div(whole, hn::IfThenElse(fine, area, whole)), step = hn::Mul(scale, sub_step);
  const VD of[6] = {hn::Mul(cross(pu, pv, cu, cv), scale), hn::Mul(cv, step),          hn::Mul(hn::Neg(cu), step),
                    hn::Mul(cross(bu, bv, pu, pv), scale), hn::Mul(hn::Neg(bv), step), hn::Mul(bu, step)};
  const VD steepest = hn::Max(farther(of[0], of[3]), hn::Max(farther(of[1], of[2]), farther(of[4], of[5])));
  fine = hn::And(fine, hn::Lt(steepest, hn::Set(d, kSteepest)));
  for (int k = 0; k < 3; ++k) {
    StoreNearest(hn::IfThenElseZero(fine, of[k]), b.b[k] + i);
    StoreNearest(hn::IfThenElseZero(fine, of[3 + k]), b.c[k] + i);
  }
  return hn::Max(farther(pu, pv), hn::Max(farther(bu, bv), farther(cu, cv)));
}

inline bool SumFaces(const FaceWork& work, std::span<const FaceEnds> ends, FaceBatch& batch, EndSums& sums) {
  const F64 d;
  const HalfU32 du;
  const HalfI32 di;
  VD farthest = hn::Zero(d);
  VectorSums totals;
  for (std::size_t i = 0; i < ends.size(); i += hn::Lanes(d)) {
    const auto filled = hn::FirstN(d, ends.size() - i);
    const EndCorners corners = LoadCorners({batch.corner[0], batch.corner[1], batch.corner[2]}, i);
    hn::Vec<HalfU32> face, count, u, v;
    hn::LoadInterleaved4(du, &ends.data()[i].face, face, count, u, v);
    totals.Add(corners, filled, hn::PromoteTo(d, hn::BitCast(di, count)), work.grid.w());
    if (work.weights) farthest = hn::Max(farthest, hn::IfThenElseZero(filled, WeighCorners(work, corners, batch, i)));
  }
  totals.Finish(sums);
  return hn::GetLane(hn::MaxOfLanes(d, farthest)) < 0x1p26;
}

}  // namespace lamella::software::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::software {

HWY_EXPORT(FindRowEnds);
HWY_EXPORT(SumFaces);
HWY_EXPORT(WeighEnds);

void find_row_ends(const SpanRow& row, const RowEnds& out) { HWY_DYNAMIC_DISPATCH(FindRowEnds)(row, out); }
bool weigh_ends(const Grid& grid, const Lattice& lattice, EndBatch& batch) {
  return HWY_DYNAMIC_DISPATCH(WeighEnds)(grid, lattice, batch);
}
bool sum_faces(const FaceWork& work, std::span<const FaceEnds> ends, FaceBatch& batch, EndSums& sums) {
  return HWY_DYNAMIC_DISPATCH(SumFaces)(work, ends, batch, sums);
}

}  // namespace lamella::software
#endif  // HWY_ONCE
