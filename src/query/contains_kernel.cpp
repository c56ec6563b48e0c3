// The lookup of contains(): a vector of points at a time, each in its own column. The fullest of these columns sets the
// number of steps.

#include "query/contains_kernel.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/contains_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<std::int32_t>;
using U32 = hn::ScalableTag<std::uint32_t>;

/// The signs of the crossings in each lane's column: of those before the point, and of all.
struct Sums {
  hn::Vec<I32> before, all;
};

/// Adds the sign of one crossing of each lane in `has`. Crossings with a key below `here` lie before the point.
HWY_INLINE void AddSigns(hn::Vec<U32> key, hn::Mask<I32> has, hn::Vec<U32> here, Sums& sums) {
  const I32 di;
  const auto entry = hn::BitCast(di, hn::And(key, hn::Set(U32(), 1)));
  const auto sign = hn::IfThenElseZero(has, hn::Sub(hn::Add(entry, entry), hn::Set(di, 1)));
  sums.before = hn::Add(sums.before, hn::IfThenElseZero(hn::RebindMask(di, hn::Lt(key, here)), sign));
  sums.all = hn::Add(sums.all, sign);
}

/// `begin` and `size` are those of each lane's column. Crossings with a key below `here` lie before the point. Gathers
/// use signed indices, so there must be fewer than 2^31 crossings.
HWY_INLINE Sums SumByGathers(const std::uint32_t* keys, hn::Vec<I32> begin, hn::Vec<I32> size, hn::Vec<U32> here) {
  const I32 di;
  const U32 du;
  const std::int32_t most = hn::GetLane(hn::MaxOfLanes(di, size));
  Sums sums{hn::Zero(di), hn::Zero(di)};
  for (std::int32_t i = 0; i < most; ++i) {
    const auto step = hn::Set(di, i);
    const auto has = hn::Gt(size, step);
    const auto key = hn::GatherIndex(du, keys, hn::IfThenElseZero(has, hn::Add(begin, step)));
    AddSigns(key, has, here, sums);
  }
  return sums;
}

/// The same for any number of crossings, one lane after another.
inline Sums SumByLoads(const std::uint32_t* keys, hn::Vec<I32> begin, hn::Vec<I32> size, hn::Vec<U32> here) {
  const I32 di;
  const U32 du;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  HWY_ALIGN std::uint32_t begins[kMost], sizes[kMost], points[kMost];
  HWY_ALIGN std::int32_t before[kMost] = {}, all[kMost] = {};
  hn::Store(hn::BitCast(du, begin), du, begins);
  hn::Store(hn::BitCast(du, size), du, sizes);
  hn::Store(here, du, points);
  for (std::size_t lane = 0; lane < hn::Lanes(di); ++lane)
    for (std::size_t i = begins[lane], end = i + sizes[lane]; i < end; ++i) {
      const int sign = (keys[i] & 1) != 0 ? 1 : -1;
      before[lane] += keys[i] < points[lane] ? sign : 0;
      all[lane] += sign;
    }
  return {hn::Load(di, before), hn::Load(di, all)};
}

/// Which points lie in a box, with its faces or strictly inside.
template <bool kFaces>
HWY_INLINE hn::Mask<F32> InBox(const hn::Vec<F32> (&p)[3], const Aabb& box) {
  const F32 df;
  auto in = hn::Eq(hn::Zero(df), hn::Zero(df));
  for (int k = 0; k < 3; ++k) {
    const auto low = hn::Set(df, box.min[k]), high = hn::Set(df, box.max[k]);
    if constexpr (kFaces)
      in = hn::And(in, hn::And(hn::Ge(p[k], low), hn::Le(p[k], high)));
    else
      in = hn::And(in, hn::And(hn::Gt(p[k], low), hn::Lt(p[k], high)));
  }
  return in;
}

/// One vector of points: their windings, which lanes' columns do not close, and which are within the grid's box.
struct Lookup {
  hn::Vec<I32> winding;
  hn::Mask<I32> open, in_box;
};

/// Cells of the points to look up, 0 for the others, and the keys that crossings before them are below.
struct PointCells {
  hn::Vec<I32> u, v;
  hn::Vec<U32> here;
  hn::Mask<I32> wanted, in_grid;
};
HWY_INLINE PointCells FindCells(const Grid& g, const Aabb* mesh_box, const float* xyz) {
  const F32 df;
  const I32 di;
  const U32 du;
  hn::Vec<F32> p[3];
  hn::LoadInterleaved3(df, xyz, p[0], p[1], p[2]);
  const auto cells = [&](int axis, double cell) {
    return hn::Mul(hn::Sub(p[axis], hn::Set(df, g.box.min[axis])), hn::Set(df, static_cast<float>(1 / cell)));
  };
  const auto u = cells(g.u(), g.cell_u()), v = cells(g.v(), g.cell_v());
  const auto z = hn::Sub(p[g.w()], hn::Set(df, g.box.min[g.w()]));
  const auto zero = hn::Zero(df);
  const auto within = [&](hn::Vec<F32> x, float end) { return hn::And(hn::Ge(x, zero), hn::Lt(x, hn::Set(df, end))); };
  hn::Mask<F32> in_grid, can_be_inside;
  if (mesh_box != nullptr) {
    in_grid = InBox<true>(p, g.box);
    can_be_inside = hn::And(in_grid, InBox<false>(p, *mesh_box));
  } else {
    in_grid = hn::And(hn::And(within(u, static_cast<float>(g.columns)), within(v, static_cast<float>(g.rows))),
                      hn::And(hn::Ge(z, zero), hn::Le(z, hn::Set(df, g.depth()))));
    can_be_inside = in_grid;
  }
  const auto wanted = hn::RebindMask(di, can_be_inside);
  const auto cell = [&](hn::Vec<F32> x, std::uint32_t count) {
    return hn::IfThenElseZero(wanted, hn::Min(hn::ConvertTo(di, x), hn::Set(di, static_cast<std::int32_t>(count) - 1)));
  };
  auto here = hn::ShiftLeft<1>(hn::BitCast(du, z));  // a negative zero loses its sign
  // Points on the low face that are looked up are strictly inside the mesh's box. So the mesh continues below, and
  // crossings at depth 0 lie further down: before the points.
  if (mesh_box != nullptr) here = hn::Max(here, hn::Set(du, 2));
  return {cell(u, g.columns), cell(v, g.rows), here, wanted, hn::RebindMask(di, in_grid)};
}

HWY_INLINE Lookup LookUp(const ColumnsView& columns, const float* xyz) {
  const I32 di;
  const PointCells cells = FindCells(columns.grid, columns.mesh_box, xyz);
  const auto column = hn::Add(hn::Mul(cells.v, hn::Set(di, static_cast<std::int32_t>(columns.grid.columns))), cells.u);
  const auto* offsets = reinterpret_cast<const std::int32_t*>(columns.offsets.data());
  const auto begin = hn::GatherIndex(di, offsets, column);
  const auto end = hn::GatherIndex(di, offsets + 1, column);
  const auto size = hn::IfThenElseZero(cells.wanted, hn::Sub(end, begin));
  const auto* keys = reinterpret_cast<const std::uint32_t*>(columns.crossings.data());
  const bool few = columns.crossings.size() <= std::size_t{std::numeric_limits<std::int32_t>::max()};
  const Sums sums = few ? SumByGathers(keys, begin, size, cells.here) : SumByLoads(keys, begin, size, cells.here);
  const auto closing = columns.outside == End::both ? sums.all : hn::Zero(di);
  return {columns.outside == End::high ? hn::Sub(sums.before, sums.all) : sums.before, hn::Ne(closing, hn::Zero(di)),
          cells.in_grid};
}

/// One lane after another.
inline void AddFurther(const LayeredColumns& columns, hn::Vec<I32> column, hn::Vec<I32> size, hn::Vec<U32> here,
                       Sums& sums) {
  const I32 di;
  const U32 du;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  HWY_ALIGN std::uint32_t in[kMost], points[kMost];
  HWY_ALIGN std::int32_t sizes[kMost], before[kMost] = {}, all[kMost] = {};
  hn::Store(hn::BitCast(du, column), du, in);
  hn::Store(here, du, points);
  hn::Store(size, di, sizes);
  for (std::size_t lane = 0; lane < hn::Lanes(di); ++lane) {
    if (sizes[lane] != columns.full) continue;
    const LayeredColumns::Signs signs = columns.further(columns.owner, in[lane], points[lane]);
    before[lane] = signs.before;
    all[lane] = signs.all;
  }
  sums.before = hn::Add(sums.before, hn::Load(di, before));
  sums.all = hn::Add(sums.all, hn::Load(di, all));
}

HWY_INLINE Lookup LookUp(const LayeredColumns& columns, const float* xyz) {
  const I32 di;
  const U32 du;
  const PointCells cells = FindCells(columns.grid, columns.mesh_box, xyz);
  const auto in = [&](hn::Vec<I32> cell, std::uint32_t first) {
    return hn::IfThenElseZero(cells.wanted, hn::Sub(cell, hn::Set(di, static_cast<std::int32_t>(first))));
  };
  const auto column =
      hn::Add(hn::Mul(in(cells.v, columns.first_v), hn::Set(di, static_cast<std::int32_t>(columns.stride))),
              in(cells.u, columns.first_u));
  // Four counts at a time are gathered; the lowest byte is the column's.
  const auto four = hn::GatherOffset(du, reinterpret_cast<const std::uint32_t*>(columns.counts), column);
  const auto size = hn::IfThenElseZero(cells.wanted, hn::BitCast(di, hn::And(four, hn::Set(du, 0xff))));
  const std::int32_t most = hn::GetLane(hn::MaxOfLanes(di, size));
  Sums sums{hn::Zero(di), hn::Zero(di)};
  for (std::int32_t i = 0; i < most; ++i) {
    const auto has = hn::Gt(size, hn::Set(di, i));
    const auto key = hn::GatherIndex(du, columns.keys + static_cast<std::size_t>(i) * columns.plane, column);
    AddSigns(key, has, cells.here, sums);
  }
  if (columns.further != nullptr && most == columns.full) AddFurther(columns, column, size, cells.here, sums);
  return {sums.before, hn::Ne(sums.all, hn::Zero(di)), cells.in_grid};
}

/// Calls visit(xyz, first, count) for vectors of points; the last one is padded with points outside any box.
template <class Visit>
HWY_INLINE void ForPoints(std::span<const Vec3> points, const Visit& visit) {
  const std::size_t lanes = hn::Lanes(F32());
  std::size_t i = 0;
  for (; i + lanes <= points.size(); i += lanes) visit(&points[i].x, i, lanes);
  if (i == points.size()) return;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  float xyz[3 * kMost];
  std::fill(std::begin(xyz), std::end(xyz), std::numeric_limits<float>::quiet_NaN());
  std::memcpy(xyz, &points[i], (points.size() - i) * sizeof(Vec3));
  visit(xyz, i, points.size() - i);
}

template <class Columns>
HWY_INLINE PointCounts FlagEach(const Columns& columns, std::span<const Vec3> points, std::uint8_t* inside) {
  const I32 di;
  const hn::Rebind<std::uint8_t, I32> d8;
  PointCounts counts;
  ForPoints(points, [&](const float* xyz, std::size_t first, std::size_t count) {
    const Lookup lookup = LookUp(columns, xyz);
    const auto unknown = hn::Or(lookup.open, hn::Lt(lookup.winding, hn::Zero(di)));
    const auto is_inside = hn::AndNot(lookup.open, hn::Gt(lookup.winding, hn::Zero(di)));
    counts.inside += hn::CountTrue(di, is_inside);
    counts.untrusted += hn::CountTrue(di, unknown);
    counts.looked_up += hn::CountTrue(di, lookup.in_box);
    static_assert(kPointOutside == 0);
    const auto flag = hn::IfThenElseZero(is_inside, hn::Set(di, kPointInside));
    const auto flags = hn::DemoteTo(d8, hn::IfThenElse(unknown, hn::Set(di, kPointUnknown), flag));
    if (count == hn::Lanes(di)) {
      hn::StoreU(flags, d8, inside + first);
    } else {
      std::uint8_t rest[HWY_MAX_BYTES / sizeof(float)];
      hn::StoreU(flags, d8, rest);
      std::copy(rest, rest + count, inside + first);
    }
  });
  return counts;
}

inline void FindBlocks(const Grid& grid, const Aabb* mesh_box, const CellBlocks& blocks, std::span<const Vec3> points,
                       std::uint32_t none, std::uint32_t* out) {
  const I32 di;
  const auto across = hn::Set(di, static_cast<std::int32_t>(blocks.across));
  ForPoints(points, [&](const float* xyz, std::size_t first, std::size_t count) {
    const PointCells cells = FindCells(grid, mesh_box, xyz);
    const auto block = hn::Add(hn::Mul(hn::ShiftRightSame(cells.v, static_cast<int>(blocks.shift_v)), across),
                               hn::ShiftRightSame(cells.u, static_cast<int>(blocks.shift_u)));
    const auto result = hn::IfThenElse(cells.wanted, block, hn::Set(di, static_cast<std::int32_t>(none)));
    HWY_ALIGN std::int32_t all[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(result, di, all);
    std::copy(all, all + count, out + first);
  });
}

inline PointCounts FlagPoints(const ColumnsView& columns, std::span<const Vec3> points, std::uint8_t* inside) {
  return FlagEach(columns, points, inside);
}
inline PointCounts FlagInLayers(const LayeredColumns& columns, std::span<const Vec3> points, std::uint8_t* inside) {
  return FlagEach(columns, points, inside);
}

}  // namespace lamella::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella {

HWY_EXPORT(FlagPoints);
HWY_EXPORT(FlagInLayers);
HWY_EXPORT(FindBlocks);

PointCounts flag_points(const ColumnsView& columns, std::span<const Vec3> points, std::uint8_t* inside) {
  if (columns.grid.column_count() == 0) {
    std::fill(inside, inside + points.size(), std::uint8_t{0});
    return {};
  }
  if (columns.crossings.empty()) {  // the kernel reads a key even where no column has one
    static constexpr Crossing kNone;
    return HWY_DYNAMIC_DISPATCH(FlagPoints)(
        {columns.grid, columns.outside, columns.offsets, {&kNone, 1}, columns.mesh_box}, points, inside);
  }
  return HWY_DYNAMIC_DISPATCH(FlagPoints)(columns, points, inside);
}

void find_blocks(const Grid& grid, const Aabb* mesh_box, const CellBlocks& blocks, std::span<const Vec3> points,
                 std::uint32_t none, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(FindBlocks)(grid, mesh_box, blocks, points, none, out);
}

PointCounts flag_points(const LayeredColumns& columns, std::span<const Vec3> points, std::uint8_t* inside) {
  return HWY_DYNAMIC_DISPATCH(FlagInLayers)(columns, points, inside);
}

}  // namespace lamella
#endif  // HWY_ONCE
