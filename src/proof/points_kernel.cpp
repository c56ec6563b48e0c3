#include "proof/points_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/lattice.hpp"
#include "hwy/cache_control.h"

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

/// From 1 on; 0 and `count` + 1 are beyond.
HWY_INLINE Range CellsOf(hn::Vec<F32> from_origin, const CellAxis& axis) {
  const F32 df;
  const I32 di;
  const auto far = hn::Set(df, kFar);
  auto x = hn::Mul(from_origin, hn::Set(df, axis.scale));
  x = hn::Min(hn::Max(x, hn::Neg(far)), far);
  const auto slack = hn::Add(hn::Mul(hn::Abs(x), hn::Set(df, kCellRoundings)), hn::Set(df, kCellSlack));
  const auto cell = [&](hn::Vec<F32> at) {  // cut towards zero, so it must not be negative
    return hn::ConvertTo(di, hn::Min(hn::Max(hn::Add(at, hn::Set(df, 1)), hn::Zero(df)),
                                     hn::Set(df, static_cast<float>(axis.count) + 1)));
  };
  return {cell(hn::Sub(x, slack)), cell(hn::Add(x, slack))};
}

HWY_INLINE void EncodeVector(const float* xyz, const CellGrid& grid, std::uint32_t* out) {
  const F32 df;
  const I32 di;
  const U32 du;
  hn::Vec<F32> p[3];
  hn::LoadInterleaved3(df, xyz, p[0], p[1], p[2]);
  const auto limit = hn::Set(df, kMaxCoordinate);
  auto usable =
      hn::And(hn::And(hn::Le(hn::Abs(p[0]), limit), hn::Le(hn::Abs(p[1]), limit)), hn::Le(hn::Abs(p[2]), limit));
  auto low = hn::Zero(du), high = hn::Zero(du), beyond = hn::Zero(du);
  for (int k = 0; k < 3; ++k) {
    const CellAxis& axis = grid.cells[k];
    const auto from_origin = hn::Sub(p[grid.axis[k]], hn::Set(df, axis.origin));
    if (k < 2) {
      const auto placed = hn::Add(hn::Mul(from_origin, hn::Set(df, grid.lattice_scale[k])),
                                  hn::Set(df, static_cast<float>(kSubStep / 2)));
      usable = hn::And(usable, hn::Lt(hn::Abs(placed), hn::Set(df, kLatticeLimit)));
    }
    Range r = CellsOf(from_origin, axis);
    if (k < 2) {
      const auto end = hn::Set(di, static_cast<std::int32_t>(axis.count)), one = hn::Set(di, 1), zero = hn::Zero(di);
      const auto note = [&](hn::Mask<I32> mask, std::uint32_t bit) {
        beyond = hn::Or(beyond, hn::IfThenElseZero(hn::RebindMask(du, mask), hn::Set(du, bit << 24)));
      };
      note(hn::Lt(r.high, one), 1u << (2 * k));
      note(hn::Gt(r.low, end), 2u << (2 * k));
      r.low = hn::Max(hn::Min(hn::Sub(r.low, one), hn::Sub(end, one)), zero);
      r.high = hn::Max(hn::Min(hn::Sub(r.high, one), hn::Sub(end, one)), zero);
    }
    low = hn::Or(low, hn::ShiftLeftSame(hn::BitCast(du, r.low), 8 * k));
    high = hn::Or(high, hn::ShiftLeftSame(hn::BitCast(du, r.high), 8 * k));
  }
  low = hn::IfThenElseZero(hn::RebindMask(du, usable), hn::Or(low, hn::Set(du, 0xff000000u)));
  hn::StoreInterleaved2(low, hn::Or(hn::AndNot(high, hn::Set(du, 0xffffffu)), beyond), du, out);
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

inline void JoinBoxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes, BoxCode* groups) {
  const hn::CappedTag<std::uint8_t, 8> d;
  const hn::CappedTag<std::uint64_t, 1> d64;
  const auto sides = hn::MaskFromVec(hn::BitCast(d, hn::Set(d64, std::uint64_t{0xff} << 56)));
  const auto load = [&](std::uint32_t i) { return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(corners + i)); };
  for (std::size_t i = 0; i < triangles.size(); i += kGroup) {
    auto all = hn::Set(d, 0xff), all_beyond = all;
    for (std::size_t k = i; k < std::min(i + kGroup, triangles.size()); ++k) {
      const auto a = load(triangles[k].a), b = load(triangles[k].b), c = load(triangles[k].c);
      const auto box = hn::Min(hn::Min(a, b), c), beyond = hn::And(hn::And(a, b), c);
      hn::StoreU(hn::IfThenElse(sides, beyond, box), d, reinterpret_cast<std::uint8_t*>(codes + k));
      all = hn::Min(all, box);
      all_beyond = hn::And(all_beyond, beyond);
    }
    hn::StoreU(hn::IfThenElse(sides, all_beyond, all), d, reinterpret_cast<std::uint8_t*>(groups + i / kGroup));
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
  float corner[3][2];  ///< u, v
};

/// Which points are beside the triangle for certain: to the left of one edge and to the right of another. Each term of
/// a cross product has four roundings, of 2^-24 each, and may lose what is below the least float.
HWY_INLINE hn::Mask<F32> Beside(hn::Vec<F32> u, hn::Vec<F32> v, const TriangleBox& box) {
  const F32 df;
  hn::Vec<F32> qu[3], qv[3];
  for (int k = 0; k < 3; ++k) {
    qu[k] = hn::Sub(hn::Set(df, box.corner[k][0]), u);
    qv[k] = hn::Sub(hn::Set(df, box.corner[k][1]), v);
  }
  auto left = hn::Lt(u, u), right = left;
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const auto one = hn::Mul(qu[k], qv[next]), other = hn::Mul(qv[k], qu[next]);
    const auto size = hn::Add(hn::Abs(one), hn::Abs(other));
    const auto bound = hn::Add(hn::Mul(size, hn::Set(df, 0x1p-20f)), hn::Set(df, 0x1p-120f));
    const auto side = hn::Sub(one, other);
    left = hn::Or(left, hn::Gt(side, bound));
    right = hn::Or(right, hn::Lt(side, hn::Neg(bound)));
  }
  return hn::And(left, right);
}

/// Points `begin` to before `end`, against one box.
HWY_INLINE void TestPoints(const BinnedPoints& points, std::uint32_t begin, std::uint32_t end, const TriangleBox& box,
                           std::uint32_t id, HitBuffer& out) {
  const F32 df;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  for (std::size_t i = begin; i < end; i += lanes) {
    hn::Vec<F32> u, v, w, code;
    hn::LoadInterleaved4(df, reinterpret_cast<const float*>(points.points + i), u, v, w, code);
    const auto way = hn::And(hn::BitCast(du, code), hn::Set(du, (1u << RayStart::kWayBits) - 1));
    const auto not_up = hn::RebindMask(df, hn::Ne(way, hn::Set(du, static_cast<std::uint32_t>(Way::up))));
    const auto not_down = hn::RebindMask(df, hn::Ne(way, hn::Set(du, static_cast<std::uint32_t>(Way::down))));
    const auto in_u = hn::And(hn::Ge(u, hn::Set(df, box.low[0])), hn::Le(u, hn::Set(df, box.high[0])));
    const auto in_v = hn::And(hn::Ge(v, hn::Set(df, box.low[1])), hn::Le(v, hn::Set(df, box.high[1])));
    const auto in_w = hn::And(hn::Or(not_up, hn::Le(w, hn::Set(df, box.high[2]))),
                              hn::Or(not_down, hn::Ge(w, hn::Set(df, box.low[2]))));
    const auto in_box = hn::And(hn::And(in_u, in_v), hn::And(in_w, hn::FirstN(df, end - i)));
    if (hn::AllFalse(df, in_box)) continue;
    const auto hit = hn::AndNot(Beside(u, v, box), in_box);
    // Bit by bit: where instructions that compress vectors are slow, they are very slow.
    std::uint64_t bits = 0;
    hn::StoreMaskBits(df, hit, reinterpret_cast<std::uint8_t*>(&bits));
    if (out.count + lanes > HitBuffer::kCapacity) out.flush();
    for (; bits != 0; bits &= bits - 1)
      out.hits[out.count++] = {static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(std::countr_zero(bits)), id};
  }
}

/// Triangles ahead: those that are left lie apart in memory.
constexpr std::size_t kAhead = 12;

HWY_INLINE TriangleBox BoxOf(MeshView mesh, const Triangle& t, const int (&axes)[3]) {
  const auto* xyz = reinterpret_cast<const float*>(mesh.positions.data());
  const float *a = xyz + std::size_t{3} * t.a, *b = xyz + std::size_t{3} * t.b, *c = xyz + std::size_t{3} * t.c;
  TriangleBox box;
  for (int k = 0; k < 3; ++k) {
    const float pa = a[axes[k]], pb = b[axes[k]], pc = c[axes[k]];
    if (k < 2) {
      box.corner[0][k] = pa;
      box.corner[1][k] = pb;
      box.corner[2][k] = pc;
    }
    box.low[k] = std::min(std::min(pa, pb), pc);
    box.high[k] = std::max(std::max(pa, pb), pc);
  }
  return box;
}

inline std::uint64_t FindHits(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                              const BinnedPoints& points, const HitSink& sink) {
  HitBuffer out{sink, {}};
  std::uint64_t tested = 0;
  const auto bin = [&](float x, int k) { return bin_of(x, points.origin[k], points.scale[k], points.bins[k]); };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + 2 * kAhead < ids.size()) hwy::Prefetch(&mesh.triangles[ids[i + 2 * kAhead]]);
    if (i + kAhead < ids.size()) {
      const Triangle& next = mesh.triangles[ids[i + kAhead]];
      for (const std::uint32_t corner : {next.a, next.b, next.c}) hwy::Prefetch(&mesh.positions[corner]);
    }
    const TriangleBox box = BoxOf(mesh, mesh.triangles[ids[i]], axes);
    const std::int32_t left = bin(box.low[0], 0), right = bin(box.high[0], 0), top = bin(box.high[1], 1);
    for (std::int32_t v = bin(box.low[1], 1); v <= top; ++v) {
      const std::uint32_t* const row = points.begin + static_cast<std::size_t>(v) * points.bins[0];
      tested += row[right + 1] - row[left];
      TestPoints(points, row[left], row[right + 1], box, ids[i], out);
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
  const auto u = hn::ShiftRightSame(cell(0), static_cast<int>(grid.shift));
  const auto v = hn::ShiftRightSame(cell(1), static_cast<int>(grid.shift));
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
void join_boxes(std::span<const Triangle> triangles, const BoxCode* corners, BoxCode* codes, BoxCode* groups) {
  HWY_DYNAMIC_DISPATCH(JoinBoxes)(triangles, corners, codes, groups);
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
