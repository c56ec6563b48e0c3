#include "proof/kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proof/kernels.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::proof::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using VU = hn::Vec<U32>;

/// Numbers of a vertex: y and z are as good as random; of x it is enough that differences are seldom even.
struct Numbers {
  VU x, y, z;
};
HWY_INLINE Numbers NumbersOf(VU vertex) {
  const U32 d;
  const auto h = hn::Mul(hn::Add(vertex, hn::Set(d, 0x7f4a7c15u)), hn::Set(d, 0x9e3779b1u));
  const auto x = hn::Xor(h, hn::ShiftRight<15>(h));
  const auto y = hn::Mul(x, hn::Set(d, 0xc2b2ae3du));
  const auto z = hn::Mul(hn::Xor(x, hn::ShiftRight<17>(y)), hn::Set(d, 0x27d4eb2fu));
  return {x, hn::Xor(y, hn::ShiftRight<16>(y)), hn::Xor(z, hn::ShiftRight<14>(z))};
}

/// x_a (y_b - y_c) + x_b (y_c - y_a) + x_c (y_a - y_b): the sum over the edges p, q of x_p y_q - y_p x_q.
HWY_INLINE VU AroundTriangle(VU xa, VU xb, VU xc, VU ya, VU yb, VU yc) {
  return hn::Add(hn::Mul(xa, hn::Sub(yb, yc)), hn::Add(hn::Mul(xb, hn::Sub(yc, ya)), hn::Mul(xc, hn::Sub(ya, yb))));
}

HWY_INLINE void AddEdges(const std::uint32_t* corners, VU& first, VU& second) {
  const U32 d;
  VU a, b, c;
  hn::LoadInterleaved3(d, corners, a, b, c);
  const Numbers na = NumbersOf(a), nb = NumbersOf(b), nc = NumbersOf(c);
  first = hn::Add(first, AroundTriangle(na.x, nb.x, nc.x, na.y, nb.y, nc.y));
  second = hn::Add(second, AroundTriangle(na.x, nb.x, nc.x, na.z, nb.z, nc.z));
}

inline EdgeSums SumEdges(std::span<const Triangle> triangles) {
  const U32 d;
  const std::size_t lanes = hn::Lanes(d);
  const auto* corners = reinterpret_cast<const std::uint32_t*>(triangles.data());
  VU first = hn::Zero(d), second = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= triangles.size(); i += lanes) AddEdges(corners + 3 * i, first, second);
  if (i < triangles.size()) {  // a triangle of one corner three times counts nothing
    std::uint32_t rest[3 * HWY_MAX_BYTES / sizeof(std::uint32_t)] = {};
    std::copy(corners + 3 * i, corners + 3 * triangles.size(), rest);
    AddEdges(rest, first, second);
  }
  return {hn::GetLane(hn::SumOfLanes(d, first)), hn::GetLane(hn::SumOfLanes(d, second))};
}

inline EdgeSums CollectAndSum(std::span<const Triangle> triangles, std::uint32_t begin, const std::uint8_t* codes,
                              std::vector<std::uint32_t>& out) {
  const U32 d;
  const std::size_t lanes = hn::Lanes(d);
  VU first = hn::Zero(d), second = hn::Zero(d);
  const auto collect = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const Triangle& t = triangles[i];
      if ((codes[t.a] & codes[t.b] & codes[t.c]) == 0) out.push_back(begin + static_cast<std::uint32_t>(i));
    }
  };
  std::size_t i = 0;
  for (; i + lanes <= triangles.size(); i += lanes) {
    AddEdges(reinterpret_cast<const std::uint32_t*>(&triangles[i]), first, second);
    collect(i, i + lanes);
  }
  collect(i, triangles.size());
  const EdgeSums rest = SumEdges(triangles.subspan(i));
  return {hn::GetLane(hn::SumOfLanes(d, first)) + rest.first, hn::GetLane(hn::SumOfLanes(d, second)) + rest.second};
}

/// Calls write(x, y, z, i) for vectors of positions from position i on; the last one may be filled up with 0, and its
/// result goes to `rest`.
template <class Write, class Out>
HWY_INLINE void ForPositions(std::span<const Vec3> positions, Out* out, const Write& write) {
  const F32 d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<F32> x, y, z;
  std::size_t i = 0;
  for (; i + lanes <= positions.size(); i += lanes) {
    hn::LoadInterleaved3(d, &positions[i].x, x, y, z);
    write(x, y, z, out + i);
  }
  if (i == positions.size()) return;
  Vec3 last[HWY_MAX_BYTES / sizeof(float)] = {};
  Out results[HWY_MAX_BYTES / sizeof(float)];
  std::copy(positions.begin() + static_cast<std::ptrdiff_t>(i), positions.end(), last);
  hn::LoadInterleaved3(d, &last[0].x, x, y, z);
  write(x, y, z, results);
  std::copy_n(results, positions.size() - i, out + i);
}

inline void WriteOutcodes(std::span<const Vec3> positions, Vec3 low, Vec3 high, std::uint8_t* out) {
  const F32 d;
  const U32 du;
  const I32 di;
  const hn::Rebind<std::uint8_t, I32> d8;
  using V = hn::Vec<F32>;
  ForPositions(positions, out, [&](V x, V y, V z, std::uint8_t* to) {
    const V p[3] = {x, y, z};
    auto code = hn::Zero(du);
    for (int k = 0; k < 3; ++k) {
      const auto below = hn::VecFromMask(du, hn::RebindMask(du, hn::Lt(p[k], hn::Set(d, low[k]))));
      const auto above = hn::VecFromMask(du, hn::RebindMask(du, hn::Gt(p[k], hn::Set(d, high[k]))));
      code = hn::Or(code, hn::Or(hn::And(below, hn::Set(du, 1u << 2 * k)), hn::And(above, hn::Set(du, 2u << 2 * k))));
    }
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, code)), d8, to);
  });
}

inline void WriteCells(std::span<const Vec3> positions, Vec3 low, Vec3 scale, float last, std::uint32_t* out) {
  const F32 d;
  const U32 du;
  const I32 di;
  using V = hn::Vec<F32>;
  ForPositions(positions, out, [&](V x, V y, V z, std::uint32_t* to) {
    const auto along = [&](V p, int k) {
      const V at = hn::Add(hn::Mul(hn::Sub(p, hn::Set(d, low[k])), hn::Set(d, scale[k])), hn::Set(d, 1));
      return hn::BitCast(du, hn::ConvertTo(di, hn::Min(hn::Max(at, hn::Zero(d)), hn::Set(d, last))));
    };
    const auto cells =
        hn::Or(along(x, 0), hn::Or(hn::ShiftLeft<kCellBits>(along(y, 1)), hn::ShiftLeft<2 * kCellBits>(along(z, 2))));
    hn::StoreU(cells, du, to);
  });
}

}  // namespace lamella::proof::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::proof {

HWY_EXPORT(SumEdges);
HWY_EXPORT(CollectAndSum);
HWY_EXPORT(WriteOutcodes);
HWY_EXPORT(WriteCells);

EdgeSums sum_edges(std::span<const Triangle> triangles) { return HWY_DYNAMIC_DISPATCH(SumEdges)(triangles); }

EdgeSums collect_and_sum(std::span<const Triangle> triangles, std::uint32_t begin, const std::uint8_t* codes,
                         std::vector<std::uint32_t>& out) {
  return HWY_DYNAMIC_DISPATCH(CollectAndSum)(triangles, begin, codes, out);
}

void write_outcodes(std::span<const Vec3> positions, Vec3 low, Vec3 high, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(WriteOutcodes)(positions, low, high, out);
}

void write_cells(std::span<const Vec3> positions, Vec3 low, Vec3 scale, float last, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(WriteCells)(positions, low, scale, last, out);
}

}  // namespace lamella::proof
#endif  // HWY_ONCE
