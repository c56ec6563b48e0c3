#include "proof/points_hits.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "hwy/cache_control.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proof/points_hits.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::proof::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<std::int32_t>;
using Floats = hn::Vec<F32>;
using FloatMask = hn::Mask<F32>;

/// With u = 2^-24, each term of a side has four roundings, and each of the six terms of the volume eight: 4u and 8u,
/// and a little more for the roundings of the bound itself. What products below the least normal float lose is far
/// below kLeast.
constexpr float kSideBound = 0x1p-20f, kVolumeBound = 0x1p-19f, kLeast = 0x1p-120f;

/// Hits on their way to the sink.
struct HitBuffer {
  static constexpr std::size_t kCapacity = 2048;
  const HitSink& sink;
  std::size_t count = 0;
  BoxHit hits[kCapacity];

  explicit HitBuffer(const HitSink& to) : sink(to) {}  // the hits need no values yet
  void flush() {
    if (count != 0) sink.take(sink.owner, {hits, count});
    count = 0;
  }
};

struct Corners {
  float low[3], high[3];
  float at[3][3];  ///< of each corner: u, v, w
};

HWY_INLINE Corners CornersOf(MeshView mesh, const Triangle& t, const int (&axes)[3]) {
  const auto* xyz = reinterpret_cast<const float*>(mesh.positions.data());
  const float *a = xyz + std::size_t{3} * t.a, *b = xyz + std::size_t{3} * t.b, *c = xyz + std::size_t{3} * t.c;
  Corners corners;
  for (int k = 0; k < 3; ++k) {
    const float pa = a[axes[k]], pb = b[axes[k]], pc = c[axes[k]];
    corners.at[0][k] = pa;
    corners.at[1][k] = pb;
    corners.at[2][k] = pc;
    corners.low[k] = std::min(std::min(pa, pb), pc);
    corners.high[k] = std::max(std::max(pa, pb), pc);
  }
  return corners;
}

/// What floats can tell about the line along w through each point.
struct Lines {
  FloatMask beside;              ///< to the left of one edge and to the right of another; holds for any coordinates
  FloatMask left, right;         ///< of every edge
  FloatMask positive, negative;  ///< the volume of point and triangle: for lines to the left, it is crossed above
};

HWY_INLINE Lines Cross(Floats u, Floats v, Floats w, const Corners& c) {
  const F32 df;
  Floats qu[3], qv[3], side[3], size[3], less[3], more[3];
  for (int k = 0; k < 3; ++k) {
    qu[k] = hn::Sub(hn::Set(df, c.at[k][0]), u);
    qv[k] = hn::Sub(hn::Set(df, c.at[k][1]), v);
  }
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const auto one = hn::Mul(qu[k], qv[next]), other = hn::Mul(qv[k], qu[next]);
    side[k] = hn::Sub(one, other);
    size[k] = hn::Add(hn::Add(hn::Abs(one), hn::Abs(other)), hn::Set(df, kLeast / kSideBound));
    const auto bound = hn::Mul(size[k], hn::Set(df, kSideBound));
    // Rounded, these still have the right sign.
    less[k] = hn::Sub(side[k], bound);
    more[k] = hn::Add(side[k], bound);
  }
  auto volume = hn::Zero(df), bound = hn::Set(df, kLeast / kVolumeBound);
  for (int k = 0; k < 3; ++k) {
    const int opposite = k == 2 ? 0 : k + 1;
    const auto qw = hn::Sub(hn::Set(df, c.at[k][2]), w);
    volume = hn::Add(volume, hn::Mul(qw, side[opposite]));
    bound = hn::Add(bound, hn::Mul(hn::Abs(qw), size[opposite]));
  }
  bound = hn::Mul(bound, hn::Set(df, kVolumeBound));
  const auto zero = hn::Zero(df);
  const auto least = [](const Floats(&x)[3]) { return hn::Min(hn::Min(x[0], x[1]), x[2]); };
  const auto most = [](const Floats(&x)[3]) { return hn::Max(hn::Max(x[0], x[1]), x[2]); };
  return {hn::And(hn::Gt(most(less), zero), hn::Lt(least(more), zero)), hn::Gt(least(less), zero),
          hn::Lt(most(more), zero), hn::Gt(volume, bound), hn::Lt(volume, hn::Neg(bound))};
}

HWY_INLINE std::uint64_t BitsOf(FloatMask mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(F32(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

HWY_INLINE void Add(FloatMask crossed, FloatMask plus, Adding adding, std::int32_t* windings) {
  const I32 di;
  if (adding == Adding::alone) {
    const auto turn = hn::IfThenElse(hn::RebindMask(di, plus), hn::Set(di, 1), hn::Set(di, -1));
    const auto add = hn::IfThenElseZero(hn::RebindMask(di, crossed), turn);
    hn::StoreU(hn::Add(hn::LoadU(di, windings), add), di, windings);
    return;
  }
  const std::uint64_t up = BitsOf(plus);
  for (std::uint64_t bits = BitsOf(crossed); bits != 0; bits &= bits - 1) {
    const int lane = std::countr_zero(bits);
    std::atomic_ref(windings[lane]).fetch_add((up >> lane & 1) != 0 ? 1 : -1, std::memory_order_relaxed);
  }
}

/// Points `begin` to before `end`, against one triangle.
template <Way kWay>
HWY_INLINE void TestPoints(const BinnedPoints& points, std::uint32_t begin, std::uint32_t end, const Corners& c,
                           std::uint32_t id, Adding adding, HitBuffer& out) {
  const F32 df;
  const std::size_t lanes = hn::Lanes(df);
  for (std::size_t i = begin; i < end; i += lanes) {
    const auto u = hn::LoadU(df, points.at[0] + i), v = hn::LoadU(df, points.at[1] + i),
               w = hn::LoadU(df, points.at[2] + i);
    const auto in_u = hn::And(hn::Ge(u, hn::Set(df, c.low[0])), hn::Le(u, hn::Set(df, c.high[0])));
    const auto in_v = hn::And(hn::Ge(v, hn::Set(df, c.low[1])), hn::Le(v, hn::Set(df, c.high[1])));
    auto met = hn::And(hn::And(in_u, in_v), hn::FirstN(df, end - i));
    if (kWay == Way::up) met = hn::And(met, hn::Le(w, hn::Set(df, c.high[2])));
    if (kWay == Way::down) met = hn::And(met, hn::Ge(w, hn::Set(df, c.low[2])));
    if (hn::AllFalse(df, met)) continue;
    const Lines lines = Cross(u, v, w, c);
    auto doubtful = hn::AndNot(lines.beside, met);
    if (adding != Adding::none) {
      const auto above = hn::Or(hn::And(lines.left, lines.positive), hn::And(lines.right, lines.negative));
      const auto below = hn::Or(hn::And(lines.left, lines.negative), hn::And(lines.right, lines.positive));
      // A ray that goes up leaves through triangles that look up; one that goes down enters through those.
      const auto crossed = hn::And(met, kWay == Way::up ? above : below);
      if (!hn::AllFalse(df, crossed))
        Add(crossed, kWay == Way::up ? lines.left : lines.right, adding, points.windings + i);
      doubtful = hn::AndNot(hn::Or(above, below), doubtful);
    }
    if (hn::AllFalse(df, doubtful)) continue;
    // Bit by bit: where instructions that compress vectors are slow, they are very slow.
    if (out.count + lanes > HitBuffer::kCapacity) out.flush();
    for (std::uint64_t bits = BitsOf(doubtful); bits != 0; bits &= bits - 1)
      out.hits[out.count++] = {static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(std::countr_zero(bits)), id};
  }
}

/// Triangles ahead: those that are left lie apart in memory.
constexpr std::size_t kAhead = 12;

/// The points of a row's bins that a triangle's box touches.
struct RowTest {
  std::uint32_t id, begin, end;
};

/// Finding the points and testing them are two loops: which bins have points cannot be foreseen, and a branch on it
/// would cost more than all else.
template <Way kWay>
struct RowTests {
  static constexpr std::size_t kCapacity = 1024;
  MeshView mesh;
  const int (&axes)[3];
  const BinnedPoints& points;
  Adding adding;
  HitBuffer& out;
  std::uint64_t tested = 0;
  std::size_t count = 0;
  RowTest tests[kCapacity];

  RowTests(MeshView of, const int (&along)[3], const BinnedPoints& tested_points, Adding how, HitBuffer& to)
      : mesh(of), axes(along), points(tested_points), adding(how), out(to) {}

  HWY_INLINE void add(std::uint32_t id, std::int32_t v, std::int32_t left, std::int32_t right, bool wanted) {
    const std::uint32_t* const row = points.begin + static_cast<std::size_t>(v) * points.bins[0];
    const std::uint32_t begin = row[left], end = row[right + 1];
    tests[count] = {id, begin, end};
    count += static_cast<std::size_t>(wanted) & static_cast<std::size_t>(begin != end);
  }

  HWY_INLINE void find(std::uint32_t id) {
    const auto* xyz = reinterpret_cast<const float*>(mesh.positions.data());
    const Triangle& t = mesh.triangles[id];
    const float *a = xyz + std::size_t{3} * t.a, *b = xyz + std::size_t{3} * t.b, *c = xyz + std::size_t{3} * t.c;
    std::int32_t low[2], high[2];
    for (int k = 0; k < 2; ++k) {
      const float pa = a[axes[k]], pb = b[axes[k]], pc = c[axes[k]];
      const auto bin = [&](float x) {  // as bin_of(), without branches
        const float at = (x - points.origin[k]) * points.scale[k];
        return static_cast<std::int32_t>(std::min(std::max(at, 0.0f), static_cast<float>(points.bins[k] - 1)));
      };
      low[k] = bin(std::min(std::min(pa, pb), pc));
      high[k] = bin(std::max(std::max(pa, pb), pc));
    }
    if (count + 2 > kCapacity) flush();
    add(id, low[1], low[0], high[0], true);
    add(id, std::min(low[1] + 1, high[1]), low[0], high[0], high[1] != low[1]);
    for (std::int32_t v = low[1] + 2; v <= high[1]; ++v) {
      if (count == kCapacity) flush();
      add(id, v, low[0], high[0], true);
    }
  }

  void flush() {
    for (std::size_t i = 0; i < count; ++i) {
      const RowTest& test = tests[i];
      tested += test.end - test.begin;
      TestPoints<kWay>(points, test.begin, test.end, CornersOf(mesh, mesh.triangles[test.id], axes), test.id, adding,
                       out);
    }
    count = 0;
  }
};

template <Way kWay>
std::uint64_t FindOneWay(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                         const BinnedPoints& points, Adding adding, const HitSink& sink) {
  HitBuffer out(sink);
  RowTests<kWay> rows(mesh, axes, points, adding, out);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + 2 * kAhead < ids.size()) hwy::Prefetch(&mesh.triangles[ids[i + 2 * kAhead]]);
    if (i + kAhead < ids.size()) {
      const Triangle& next = mesh.triangles[ids[i + kAhead]];
      for (const std::uint32_t corner : {next.a, next.b, next.c}) hwy::Prefetch(&mesh.positions[corner]);
    }
    rows.find(ids[i]);
  }
  rows.flush();
  out.flush();
  return rows.tested;
}

inline std::uint64_t FindHits(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                              const BinnedPoints& points, Way way, Adding adding, const HitSink& sink) {
  if (way == Way::up) return FindOneWay<Way::up>(mesh, ids, axes, points, adding, sink);
  if (way == Way::down) return FindOneWay<Way::down>(mesh, ids, axes, points, adding, sink);
  return FindOneWay<Way::both>(mesh, ids, axes, points, Adding::none, sink);
}

inline void SplitPoints(std::span<const RayStart> points, float* u, float* v, float* w) {
  const F32 df;
  const std::size_t lanes = hn::Lanes(df);
  for (std::size_t i = 0; i < points.size(); i += lanes) {
    Floats pu, pv, pw, code;
    hn::LoadInterleaved4(df, reinterpret_cast<const float*>(points.data() + i), pu, pv, pw, code);
    hn::StoreU(pu, df, u + i);
    hn::StoreU(pv, df, v + i);
    hn::StoreU(pw, df, w + i);
  }
}

}  // namespace lamella::proof::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::proof {

HWY_EXPORT(FindHits);
HWY_EXPORT(SplitPoints);

std::uint64_t find_hits(MeshView mesh, std::span<const std::uint32_t> ids, const int (&axes)[3],
                        const BinnedPoints& points, Way way, Adding adding, const HitSink& sink) {
  return HWY_DYNAMIC_DISPATCH(FindHits)(mesh, ids, axes, points, way, adding, sink);
}
void split_points(std::span<const RayStart> points, float* u, float* v, float* w) {
  HWY_DYNAMIC_DISPATCH(SplitPoints)(points, u, v, w);
}

}  // namespace lamella::proof
#endif  // HWY_ONCE
