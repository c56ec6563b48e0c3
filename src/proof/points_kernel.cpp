#include "proof/points_kernel.hpp"

#include <algorithm>
#include <cstring>

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

/// Hits on their way to the sink.
struct HitBuffer {
  static constexpr std::size_t kCapacity = 2048;
  const HitSink& sink;
  BoxHit hits[kCapacity];
  std::size_t count = 0;

  void flush() {
    if (count != 0) sink.take(sink.owner, {hits, count});
    count = 0;
  }
};

struct TriangleBox {
  float low[3], high[3];
};

/// Points `begin` to before `end`, against one box.
HWY_INLINE void TestPoints(const BinnedPoints& points, std::uint32_t begin, std::uint32_t end, const TriangleBox& box,
                           std::uint32_t id, HitBuffer& out) {
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  HWY_ALIGN std::uint32_t numbers[HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t i = begin; i < end; i += lanes) {
    const auto u = hn::LoadU(df, points.u + i), v = hn::LoadU(df, points.v + i);
    const auto in_u = hn::And(hn::Ge(u, hn::Set(df, box.low[0])), hn::Le(u, hn::Set(df, box.high[0])));
    const auto in_v = hn::And(hn::Ge(v, hn::Set(df, box.low[1])), hn::Le(v, hn::Set(df, box.high[1])));
    const auto in_w = hn::And(hn::Le(hn::LoadU(df, points.below + i), hn::Set(df, box.high[2])),
                              hn::Ge(hn::LoadU(df, points.above + i), hn::Set(df, box.low[2])));
    const auto hit = hn::And(hn::And(in_u, in_v), hn::And(in_w, hn::FirstN(df, end - i)));
    if (hn::AllFalse(df, hit)) continue;
    const std::size_t count =
        hn::CompressStore(hn::Iota(du, static_cast<std::uint32_t>(i)), hn::RebindMask(du, hit), du, numbers);
    if (out.count + count > HitBuffer::kCapacity) out.flush();
    for (std::size_t k = 0; k < count; ++k) out.hits[out.count++] = {numbers[k], id};
  }
}

inline std::uint64_t FindHits(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                              const BinnedPoints& points, const HitSink& sink) {
  HitBuffer out{sink, {}};
  std::uint64_t tested = 0;
  const auto* xyz = reinterpret_cast<const float*>(mesh.positions.data());
  for (const std::uint32_t id : ids) {
    const Triangle& t = mesh.triangles[id];
    const float *a = xyz + std::size_t{3} * t.a, *b = xyz + std::size_t{3} * t.b, *c = xyz + std::size_t{3} * t.c;
    TriangleBox box;
    for (int k = 0; k < 3; ++k) {
      const float pa = a[axes[k]], pb = b[axes[k]], pc = c[axes[k]];
      box.low[k] = std::min(std::min(pa, pb), pc);
      box.high[k] = std::max(std::max(pa, pb), pc);
    }
    std::int32_t first[2], last[2];
    for (int k = 0; k < 2; ++k) {
      first[k] = bin_of(box.low[k], points.origin[k], points.scale[k], points.bins[k]);
      last[k] = bin_of(box.high[k], points.origin[k], points.scale[k], points.bins[k]);
    }
    for (std::int32_t v = first[1]; v <= last[1]; ++v) {
      const std::uint32_t* const row = points.begin + static_cast<std::size_t>(v) * points.bins[0];
      const std::uint32_t begin = row[first[0]], end = row[last[0] + 1];
      tested += end - begin;
      TestPoints(points, begin, end, box, id, out);
    }
  }
  out.flush();
  return tested;
}

HWY_INLINE void CellsVector(const float* xyz, const PointCells& grid, std::uint32_t* column, std::uint32_t* slab) {
  const F32 df;
  const I32 di;
  const U32 du;
  hn::Vec<F32> p[3];
  hn::LoadInterleaved3(df, xyz, p[0], p[1], p[2]);
  const auto cell = [&](int k) {
    const CellAxis& axis = grid.cells[k];
    const auto at = hn::Mul(hn::Sub(p[grid.axis[k]], hn::Set(df, axis.origin)), hn::Set(df, axis.scale));
    const auto within = hn::Min(hn::Max(at, hn::Zero(df)), hn::Set(df, static_cast<float>(axis.count - 1)));
    return hn::BitCast(du, hn::ConvertTo(di, hn::IfThenElseZero(hn::Eq(at, at), within)));
  };
  const auto one = hn::Set(du, 1);
  const auto u = hn::Add(hn::ShiftRightSame(cell(0), static_cast<int>(grid.shift)), one);
  const auto v = hn::Add(hn::ShiftRightSame(cell(1), static_cast<int>(grid.shift)), one);
  hn::StoreU(hn::Add(hn::Mul(v, hn::Set(du, grid.stride)), u), du, column);
  hn::StoreU(cell(2), du, slab);
}

inline void FindCells(std::span<const Vec3> points, const PointCells& grid, std::uint32_t* column,
                      std::uint32_t* slab) {
  const std::size_t lanes = hn::Lanes(F32());
  std::size_t i = 0;
  for (; i + lanes <= points.size(); i += lanes) CellsVector(&points[i].x, grid, column + i, slab + i);
  if (i == points.size()) return;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  float xyz[3 * kMost] = {};
  std::uint32_t columns[kMost], slabs[kMost];
  std::memcpy(xyz, &points[i], (points.size() - i) * sizeof(Vec3));
  CellsVector(xyz, grid, columns, slabs);
  std::copy_n(columns, points.size() - i, column + i);
  std::copy_n(slabs, points.size() - i, slab + i);
}

}  // namespace lamella::proof::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::proof {

HWY_EXPORT(EncodeBoxes);
HWY_EXPORT(JoinBoxes);
HWY_EXPORT(FindHits);
HWY_EXPORT(FindCells);

void encode_boxes(std::span<const Vec3> positions, const CellGrid& grid, BoxCode* codes) {
  HWY_DYNAMIC_DISPATCH(EncodeBoxes)(positions, grid, codes);
}
void join_boxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes) {
  HWY_DYNAMIC_DISPATCH(JoinBoxes)(triangles, corners, codes);
}
std::uint64_t find_hits(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                        const BinnedPoints& points, const HitSink& sink) {
  return HWY_DYNAMIC_DISPATCH(FindHits)(mesh, ids, axes, points, sink);
}
void find_cells(std::span<const Vec3> points, const PointCells& grid, std::uint32_t* column, std::uint32_t* slab) {
  HWY_DYNAMIC_DISPATCH(FindCells)(points, grid, column, slab);
}

}  // namespace lamella::proof
#endif  // HWY_ONCE
