#include "proof/points_kernel.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/lattice.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proof/points_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::proof::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<std::int32_t>;
using U32 = hn::ScalableTag<std::uint32_t>;

constexpr float kFar = 0x1p20f;  ///< cells; beyond it nothing is told apart

struct Range {
  hn::Vec<I32> low, high;
};

HWY_INLINE Range CellsOf(hn::Vec<F32> from_origin, const CellAxis& axis) {
  const F32 df;
  const I32 di;
  const auto far = hn::Set(df, kFar);
  auto x = hn::Mul(from_origin, hn::Set(df, axis.scale));
  x = hn::Min(hn::Max(x, hn::Neg(far)), far);
  const auto slack = hn::Add(hn::Mul(hn::Abs(x), hn::Set(df, kCellRoundings)), hn::Set(df, kCellSlack));
  const auto cell = [&](hn::Vec<F32> at) {  // cut towards zero, so it must not be negative
    const auto from_one = hn::Add(at, hn::Set(df, 1));
    return hn::ConvertTo(
        di, hn::Min(hn::Max(from_one, hn::Zero(df)), hn::Set(df, static_cast<float>(axis.count) + 1)));
  };
  return {cell(hn::Sub(x, slack)), cell(hn::Add(x, slack))};
}

HWY_INLINE void EncodeVector(const float* xyz, const CellGrid& grid, std::uint32_t* out) {
  const F32 df;
  const U32 du;
  hn::Vec<F32> p[3];
  hn::LoadInterleaved3(df, xyz, p[0], p[1], p[2]);
  const auto limit = hn::Set(df, kMaxCoordinate);
  auto usable = hn::And(hn::And(hn::Le(hn::Abs(p[0]), limit), hn::Le(hn::Abs(p[1]), limit)),
                        hn::Le(hn::Abs(p[2]), limit));
  auto low = hn::Zero(du), high = hn::Zero(du);
  for (int k = 0; k < 3; ++k) {
    const auto from_origin = hn::Sub(p[grid.axis[k]], hn::Set(df, grid.cells[k].origin));
    if (k < 2) {
      const auto placed = hn::Add(hn::Mul(from_origin, hn::Set(df, grid.lattice_scale[k])),
                                  hn::Set(df, static_cast<float>(kSubStep / 2)));
      usable = hn::And(usable, hn::Lt(hn::Abs(placed), hn::Set(df, kLatticeLimit)));
    }
    const Range r = CellsOf(from_origin, grid.cells[k]);
    low = hn::Or(low, hn::ShiftLeftSame(hn::BitCast(du, r.low), 8 * k));
    high = hn::Or(high, hn::ShiftLeftSame(hn::BitCast(du, r.high), 8 * k));
  }
  low = hn::IfThenElseZero(hn::RebindMask(du, usable), hn::Or(low, hn::Set(du, 0xff000000u)));
  hn::StoreInterleaved2(low, hn::Not(high), du, out);
}

inline void EncodeBoxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes) {
  const std::size_t lanes = hn::Lanes(F32());
  std::size_t i = 0;
  auto* out = reinterpret_cast<std::uint32_t*>(codes);
  for (; i + lanes <= positions.size(); i += lanes) EncodeVector(&positions[i].x, grid, out + 2 * i);
  if (i == positions.size()) return;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  float xyz[3 * kMost] = {};
  std::uint32_t rest[2 * kMost];
  std::memcpy(xyz, &positions[i], (positions.size() - i) * sizeof(Vec3));
  EncodeVector(xyz, grid, rest);
  std::memcpy(out + 2 * i, rest, (positions.size() - i) * sizeof(BoxCode));
}

inline void JoinBoxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes) {
  const hn::CappedTag<std::uint8_t, 8> d;
  const auto load = [&](std::uint32_t i) { return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(corners + i)); };
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    hn::StoreU(hn::Min(hn::Min(load(t.a), load(t.b)), load(t.c)), d, reinterpret_cast<std::uint8_t*>(codes + i));
  }
}

inline std::size_t FindHits(const FloatBoxes& boxes, std::span<const RayStart> points, Way way,
                            std::size_t first, std::span<BoxHit> hits, std::size_t& found) {
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  const auto infinity = hn::Set(df, std::numeric_limits<float>::infinity());
  HWY_ALIGN std::uint32_t numbers[HWY_MAX_BYTES / sizeof(float)];
  found = 0;
  std::size_t i = first;
  for (; i < points.size() && hits.size() - found >= boxes.count + kPad; ++i) {
    const RayStart& p = points[i];
    const auto u = hn::Set(df, p.at.x), v = hn::Set(df, p.at.y), w = hn::Set(df, p.at.z);
    const auto least_high = way == Way::up ? w : hn::Neg(infinity), most_low = way == Way::down ? w : infinity;
    for (std::size_t k = 0; k < boxes.count; k += lanes) {
      const auto in_u = hn::And(hn::Le(hn::LoadU(df, boxes.low[0] + k), u), hn::Ge(hn::LoadU(df, boxes.high[0] + k), u));
      const auto in_v = hn::And(hn::Le(hn::LoadU(df, boxes.low[1] + k), v), hn::Ge(hn::LoadU(df, boxes.high[1] + k), v));
      const auto in_w = hn::And(hn::Le(hn::LoadU(df, boxes.low[2] + k), most_low),
                                hn::Ge(hn::LoadU(df, boxes.high[2] + k), least_high));
      const auto hit = hn::And(hn::And(in_u, in_v), in_w);
      if (hn::AllFalse(df, hit)) continue;
      const std::size_t count = hn::CompressStore(hn::Iota(du, static_cast<std::uint32_t>(k)), hn::RebindMask(du, hit),
                                                  du, numbers);
      for (std::size_t j = 0; j < count; ++j) hits[found++] = {static_cast<std::uint32_t>(i), numbers[j]};
    }
  }
  return i;
}

}  // namespace lamella::proof::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::proof {

HWY_EXPORT(EncodeBoxes);
HWY_EXPORT(JoinBoxes);
HWY_EXPORT(FindHits);

void encode_boxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes) {
  HWY_DYNAMIC_DISPATCH(EncodeBoxes)(positions, grid, codes);
}
void join_boxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes) {
  HWY_DYNAMIC_DISPATCH(JoinBoxes)(triangles, corners, codes);
}
std::size_t find_hits(const FloatBoxes& boxes, std::span<const RayStart> points, Way way,
                      std::size_t first, std::span<BoxHit> hits, std::size_t& found) {
  return HWY_DYNAMIC_DISPATCH(FindHits)(boxes, points, way, first, hits, found);
}

}  // namespace lamella::proof
#endif  // HWY_ONCE
