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

/// One vector of points. Returns their windings; `open` gets the lanes whose column does not close.
HWY_INLINE hn::Vec<I32> Windings(const Ldi& ldi, const float* xyz, hn::Mask<I32>& open) {
  const F32 df;
  const I32 di;
  const U32 du;
  const Grid& g = ldi.grid;
  hn::Vec<F32> p[3];
  hn::LoadInterleaved3(df, xyz, p[0], p[1], p[2]);
  const auto cells = [&](int axis, double cell) {
    return hn::Mul(hn::Sub(p[axis], hn::Set(df, g.box.min[axis])), hn::Set(df, static_cast<float>(1 / cell)));
  };
  const auto u = cells(g.u(), g.cell_u()), v = cells(g.v(), g.cell_v());
  const auto z = hn::Sub(p[g.w()], hn::Set(df, g.box.min[g.w()]));
  const auto zero = hn::Zero(df);
  const auto within = [&](hn::Vec<F32> x, float end) { return hn::And(hn::Ge(x, zero), hn::Lt(x, hn::Set(df, end))); };
  const auto in_box = hn::RebindMask(
      di, hn::And(hn::And(within(u, static_cast<float>(g.columns)), within(v, static_cast<float>(g.rows))),
                  hn::And(hn::Ge(z, zero), hn::Le(z, hn::Set(df, g.depth())))));
  const auto cell_u = hn::IfThenElseZero(in_box, hn::ConvertTo(di, u));
  const auto cell_v = hn::IfThenElseZero(in_box, hn::ConvertTo(di, v));
  const auto column = hn::Add(hn::Mul(cell_v, hn::Set(di, static_cast<std::int32_t>(g.columns))), cell_u);

  const auto* offsets = reinterpret_cast<const std::int32_t*>(ldi.offsets.data());
  const auto begin = hn::GatherIndex(di, offsets, column);
  const auto end = hn::GatherIndex(di, offsets + 1, column);
  const auto size = hn::IfThenElseZero(in_box, hn::Sub(end, begin));
  const std::int32_t most = hn::GetLane(hn::MaxOfLanes(di, size));

  // Adding zero turns a negative zero positive. Crossings below this key lie before the point.
  const auto here = hn::ShiftLeft<1>(hn::BitCast(du, hn::Add(z, zero)));
  const auto* keys = reinterpret_cast<const std::uint32_t*>(ldi.crossings.data());
  auto before = hn::Zero(di), sum = hn::Zero(di);
  for (std::int32_t i = 0; i < most; ++i) {
    const auto step = hn::Set(di, i);
    const auto has = hn::Gt(size, step);
    const auto key = hn::GatherIndex(du, keys, hn::IfThenElseZero(has, hn::Add(begin, step)));
    const auto entry = hn::BitCast(di, hn::And(key, hn::Set(du, 1)));
    const auto sign = hn::IfThenElseZero(has, hn::Sub(hn::Add(entry, entry), hn::Set(di, 1)));
    before = hn::Add(before, hn::IfThenElseZero(hn::RebindMask(di, hn::Lt(key, here)), sign));
    sum = hn::Add(sum, sign);
  }
  if (ldi.outside == End::both) open = hn::Ne(sum, hn::Zero(di));
  return ldi.outside == End::high ? hn::Sub(before, sum) : before;
}

inline PointCounts FlagPoints(const Ldi& ldi, std::span<const Vec3> points, std::uint8_t* inside) {
  const I32 di;
  const hn::Rebind<std::uint8_t, I32> d8;
  const std::size_t lanes = hn::Lanes(di);
  PointCounts counts;
  const auto flag = [&](const float* xyz, std::uint8_t* out) {
    auto open = hn::Lt(hn::Zero(di), hn::Zero(di));
    const auto winding = Windings(ldi, xyz, open);
    const auto is_inside = hn::AndNot(open, hn::Gt(winding, hn::Zero(di)));
    counts.inside += hn::CountTrue(di, is_inside);
    counts.untrusted += hn::CountTrue(di, open);
    hn::StoreU(hn::DemoteTo(d8, hn::IfThenElseZero(is_inside, hn::Set(di, 1))), d8, out);
  };
  std::size_t i = 0;
  for (; i + lanes <= points.size(); i += lanes) flag(&points[i].x, inside + i);
  if (i == points.size()) return counts;
  // The rest, padded with points outside the box.
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  float xyz[3 * kMost];
  std::uint8_t flags[kMost];
  std::fill(std::begin(xyz), std::end(xyz), std::numeric_limits<float>::quiet_NaN());
  std::memcpy(xyz, &points[i], (points.size() - i) * sizeof(Vec3));
  flag(xyz, flags);
  std::copy(flags, flags + (points.size() - i), inside + i);
  return counts;
}

}  // namespace lamella::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella {

HWY_EXPORT(FlagPoints);

PointCounts flag_points(const Ldi& ldi, std::span<const Vec3> points, std::uint8_t* inside) {
  if (ldi.crossings.empty()) {  // the kernel reads a key even where no column has one
    std::fill(inside, inside + points.size(), std::uint8_t{0});
    return {};
  }
  return HWY_DYNAMIC_DISPATCH(FlagPoints)(ldi, points, inside);
}

}  // namespace lamella
#endif  // HWY_ONCE
