#include "measure/pair_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "measure/tree_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/pair_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::measure::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using VF = hn::Vec<F32>;

/// Parts of a length that roundings may take, with room: no bound has more than some twenty.
constexpr float kRoundings = 0x1p-18f;

template <class D>
HWY_INLINE hn::Vec<D> Dot(D, const hn::Vec<D> (&a)[3], const hn::Vec<D> (&b)[3]) {
  return hn::Add(hn::Add(hn::Mul(a[0], b[0]), hn::Mul(a[1], b[1])), hn::Mul(a[2], b[2]));
}
HWY_INLINE VF PositiveSquare(VF x) {
  const VF y = hn::Max(x, hn::Zero(F32()));
  return hn::Mul(y, y);
}

/// How far apart two discs are, as seen in the frame of one: along its axis and across it. `away`: from its centre to
/// the other's; `cosine`: of both normals.
HWY_INLINE VF DiscSquare(VF height, VF square, VF radius, VF thick, VF cosine, VF other_radius, VF other_thick) {
  const F32 d;
  const VF zero = hn::Zero(d), one = hn::Set(d, 1);
  const VF room = hn::Mul(hn::Sqrt(square), hn::Set(d, kRoundings));
  // A little is added below the root, since the cosine is rounded.
  const VF sine = hn::Sqrt(hn::Max(hn::Sub(hn::Set(d, 1 + kRoundings), hn::Mul(cosine, cosine)), zero));
  const VF reach =
      hn::Add(hn::Mul(other_radius, hn::Min(sine, one)), hn::Mul(other_thick, hn::Min(hn::Abs(cosine), one)));
  const VF above = hn::Sub(hn::Sub(hn::Sub(hn::Abs(height), thick), hn::Mul(reach, hn::Set(d, 1 + kRoundings))), room);
  const VF across = hn::Max(hn::Sub(hn::Mul(square, hn::Set(d, 1 - kRoundings)), hn::Mul(height, height)), zero);
  const VF beside = hn::Sub(hn::Sub(hn::Sub(hn::Sqrt(across), radius), hn::Add(other_radius, other_thick)), room);
  return hn::Add(PositiveSquare(above), PositiveSquare(beside));
}

inline std::size_t FindNearChildren(const TriangleTree& tree, const TreeNode& node, const NodeShape& other, float limit,
                                    NearChildren& out) {
  const F32 d;
  const hn::RebindToUnsigned<F32> du;
  const VF zero = hn::Zero(d);
  const std::size_t end = std::size_t{node.begin} + node.count;
  std::size_t found = 0;
  for (std::size_t i = node.begin; i < end; i += hn::Lanes(d)) {
    VF boxes = zero, square = zero, height = zero, own_height = zero, cosine = zero;
    for (int k = 0; k < 3; ++k) {
      const VF low = hn::LoadU(d, tree.low(k) + i), high = hn::LoadU(d, tree.high(k) + i);
      const VF normal = hn::LoadU(d, tree.normal(k) + i), other_normal = hn::Set(d, other.normal[k]);
      boxes = hn::Add(boxes, PositiveSquare(hn::Max(hn::Sub(low, hn::Set(d, other.high[k])),
                                                    hn::Sub(hn::Set(d, other.low[k]), high))));
      const VF center = hn::Add(low, hn::Mul(hn::Sub(high, low), hn::Set(d, 0.5f)));
      const VF away = hn::Sub(center, hn::Set(d, middle_of(other.low[k], other.high[k])));
      square = hn::Add(square, hn::Mul(away, away));
      height = hn::Add(height, hn::Mul(away, other_normal));
      own_height = hn::Add(own_height, hn::Mul(away, normal));
      cosine = hn::Add(cosine, hn::Mul(normal, other_normal));
    }
    const VF radius = hn::LoadU(d, tree.radius() + i), thick = hn::LoadU(d, tree.thick() + i);
    const VF other_radius = hn::Set(d, other.radius), other_thick = hn::Set(d, other.thick);
    const VF discs = hn::Max(DiscSquare(height, square, other_radius, other_thick, cosine, radius, thick),
                             DiscSquare(own_height, square, radius, thick, cosine, other_radius, other_thick));
    // Discs that are infinite tell nothing: infinity less infinity is NaN.
    const VF told = hn::IfThenElse(hn::Gt(discs, boxes), discs, boxes);
    const VF bound = hn::Mul(told, hn::Set(d, 1 - kRoundings));
    const auto near = hn::And(hn::Lt(bound, hn::Set(d, limit)), hn::FirstN(d, end - i));
    hn::CompressStore(hn::Add(hn::Iota(du, 0), hn::Set(du, static_cast<std::uint32_t>(i))), hn::RebindMask(du, near),
                      du, out.node + found);
    found += hn::CompressStore(bound, near, d, out.square + found);
  }
  return found;
}

/// As many lanes as a leaf has triangles, or fewer.
using Eight = hn::CappedTag<float, TriangleTree::kMostInLeaf>;
using V8 = hn::Vec<Eight>;
using M8 = hn::Mask<Eight>;

HWY_INLINE std::uint64_t BitsOf(M8 mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(Eight(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}
/// What follows only leaves pairs out, with room for any order of rounding: results stay the same with fused products.
HWY_INLINE V8 FusedDot(const V8 (&a)[3], const V8 (&b)[3]) {
  return hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0])));
}

/// Some triangles relative to a place near them, their boxes, and how far they reach along their own normals.
struct Triangles8 {
  V8 at[3][3], low[3], high[3], normal[3], least, most;
};
HWY_INLINE Triangles8 LoadTriangles(const TriangleTree& tree, std::size_t first, Vec3 origin) {
  const Eight d;
  Triangles8 t;
  for (int k = 0; k < 3; ++k) {
    const V8 from = hn::Set(d, origin[k]);
    for (int c = 0; c < 3; ++c) t.at[c][k] = hn::Sub(hn::LoadU(d, tree.corner(c, k) + first), from);
    t.low[k] = hn::Min(hn::Min(t.at[0][k], t.at[1][k]), t.at[2][k]);
    t.high[k] = hn::Max(hn::Max(t.at[0][k], t.at[1][k]), t.at[2][k]);
    t.normal[k] = hn::LoadU(d, tree.face_normal(k) + first);
  }
  const V8 x = FusedDot(t.normal, t.at[0]), y = FusedDot(t.normal, t.at[1]), z = FusedDot(t.normal, t.at[2]);
  t.least = hn::Min(hn::Min(x, y), z);
  t.most = hn::Max(hn::Max(x, y), z);
  return t;
}

HWY_INLINE V8 SquareBetween(const V8 (&low_a)[3], const V8 (&high_a)[3], const Triangles8& b) {
  const V8 zero = hn::Zero(Eight());
  V8 square = zero;
  for (int k = 0; k < 3; ++k) {
    const V8 away = hn::Max(hn::Max(hn::Sub(b.low[k], high_a[k]), hn::Sub(low_a[k], b.high[k])), zero);
    square = hn::MulAdd(away, away, square);
  }
  return square;
}
/// How far corners are beyond what is between `least` and `most` along a direction.
HWY_INLINE V8 Beyond(const V8 (&normal)[3], const V8 (&at)[3][3], V8 least, V8 most) {
  const V8 x = FusedDot(normal, at[0]), y = FusedDot(normal, at[1]), z = FusedDot(normal, at[2]);
  return hn::Max(hn::Sub(hn::Min(hn::Min(x, y), z), most), hn::Sub(least, hn::Max(hn::Max(x, y), z)));
}

/// What is the same for all pairs of two leaves.
struct LeafPair {
  Vec3 origin;
  V8 limit;  ///< squares of boxes' distances must not be larger
  V8 reach;  ///< gaps along a unit vector must not be larger
  V8 room;   ///< gaps must be larger than this to be sure
};

/// Gaps along the line between the triangles' middles.
HWY_INLINE V8 GapAlongMiddles(const V8 (&a)[3][3], const Triangles8& b) {
  const Eight d;
  V8 away[3];
  for (int k = 0; k < 3; ++k)
    away[k] =
        hn::Sub(hn::Add(hn::Add(b.at[0][k], b.at[1][k]), b.at[2][k]), hn::Add(hn::Add(a[0][k], a[1][k]), a[2][k]));
  const V8 square = FusedDot(away, away);
  const V8 scale = hn::IfThenElseZero(hn::Gt(square, hn::Set(d, 0x1p-100f)), hn::Div(hn::Set(d, 1), hn::Sqrt(square)));
  for (V8& x : away) x = hn::Mul(x, scale);
  const V8 x = FusedDot(away, a[0]), y = FusedDot(away, a[1]), z = FusedDot(away, a[2]);
  return Beyond(away, b.at, hn::Min(hn::Min(x, y), z), hn::Max(hn::Max(x, y), z));
}

/// Which triangles of one leaf may be near the other leaf as a whole: its box and its disc.
HWY_INLINE std::uint64_t NearNode(const Triangles8& t, const NodeShape& node, const LeafPair& pair) {
  const Eight d;
  V8 low[3], high[3], normal[3];
  float height = 0;
  for (int k = 0; k < 3; ++k) {
    low[k] = hn::Set(d, node.low[k] - pair.origin[k]);
    high[k] = hn::Set(d, node.high[k] - pair.origin[k]);
    normal[k] = hn::Set(d, node.normal[k]);
    height += node.normal[k] * (middle_of(node.low[k], node.high[k]) - pair.origin[k]);
  }
  const auto by_box = hn::Le(SquareBetween(low, high, t), pair.limit);
  const V8 gap = Beyond(normal, t.at, hn::Set(d, height - node.thick), hn::Set(d, height + node.thick));
  return BitsOf(hn::And(by_box, hn::Not(hn::Gt(gap, pair.reach))));
}

// The columns of a prepared leaf, of all its triangles each.
constexpr std::size_t kCorners = 0, kLow = 9, kHigh = 12, kNormal = 15, kLeast = 18, kMost = 19;

HWY_INLINE void StoreTriangles(const Triangles8& t, float* to) {
  const Eight d;
  const auto store = [&](V8 v, std::size_t column) { hn::StoreU(v, d, to + column * kMostInLeaf); };
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t c = 0; c < 3; ++c) store(t.at[c][k], kCorners + 3 * c + k);
    store(t.low[k], kLow + k);
    store(t.high[k], kHigh + k);
    store(t.normal[k], kNormal + k);
  }
  store(t.least, kLeast);
  store(t.most, kMost);
}
HWY_INLINE Triangles8 LoadPrepared(const float* from) {
  const Eight d;
  const auto load = [&](std::size_t column) { return hn::LoadU(d, from + column * kMostInLeaf); };
  Triangles8 t;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t c = 0; c < 3; ++c) t.at[c][k] = load(kCorners + 3 * c + k);
    t.low[k] = load(kLow + k);
    t.high[k] = load(kHigh + k);
    t.normal[k] = load(kNormal + k);
  }
  t.least = load(kLeast);
  t.most = load(kMost);
  return t;
}

/// A triangle of the prepared leaf beside those of b. `a`: where its first column is.
HWY_INLINE void FindNear(const float* a, const Triangles8& b, const LeafPair& pair, std::uint64_t& near,
                         std::uint64_t& may_meet) {
  const Eight d;
  const auto of_a = [&](std::size_t column) { return hn::Set(d, a[column * kMostInLeaf]); };
  V8 low[3], high[3], normal[3], at[3][3];
  for (std::size_t k = 0; k < 3; ++k) {
    normal[k] = of_a(kNormal + k);
    for (std::size_t c = 0; c < 3; ++c) at[c][k] = of_a(kCorners + 3 * c + k);
  }
  near = may_meet = 0;
  V8 gap = hn::Max(Beyond(normal, b.at, of_a(kLeast), of_a(kMost)), Beyond(b.normal, at, b.least, b.most));
  if (hn::AllTrue(d, hn::Gt(gap, pair.reach))) return;
  for (std::size_t k = 0; k < 3; ++k) {
    low[k] = of_a(kLow + k);
    high[k] = of_a(kHigh + k);
  }
  const V8 boxes = SquareBetween(low, high, b);
  gap = hn::Max(gap, GapAlongMiddles(at, b));
  near = BitsOf(hn::And(hn::Le(boxes, pair.limit), hn::Not(hn::Gt(gap, pair.reach))));
  may_meet = BitsOf(hn::And(hn::Eq(boxes, hn::Zero(d)), hn::Not(hn::Gt(gap, pair.room))));
}

inline void PrepareLeaf(const TriangleTree& tree, PreparedLeaf& out) {
  const TreeNode& node = tree.nodes()[out.node];
  for (std::size_t first = 0; first < kMostInLeaf; first += hn::Lanes(Eight()))
    StoreTriangles(LoadTriangles(tree, node.begin + first, out.origin), out.columns + first);
}

inline void FindNearPairs(const PreparedLeaf& a, const TriangleTree& tree, std::uint32_t node, float limit,
                          NearPairs* out) {
  const Eight d;
  const std::size_t lanes = hn::Lanes(d);
  const TreeNode& b = tree.nodes()[node];
  const NodeShape shape = shape_of(tree, node);
  std::fill_n(out, a.count, NearPairs{});
  float size = 0;  // of the largest coordinate, seen from the origin
  for (int k = 0; k < 3; ++k)
    size = std::max({size, a.shape.high[k] - a.origin[k], a.origin[k] - a.shape.low[k],
                     std::abs(shape.low[k] - a.origin[k]), std::abs(shape.high[k] - a.origin[k])});
  // A product of a unit vector and a position is wrong by 4 roundings of 1.8 sizes, and a gap is of two of them.
  const float room = size * 0x1.8p-20f, reach = std::sqrt(limit) * (1 + 0x1p-20f) + room;
  const LeafPair pair{a.origin, hn::Set(d, reach * reach * (1 + 0x1p-20f)), hn::Set(d, reach), hn::Set(d, room)};
  const auto counting = [&](std::size_t count, std::size_t first) {
    return first < count ? (std::uint64_t{1} << std::min<std::size_t>(lanes, count - first)) - 1 : 0;
  };
  std::uint64_t some_a = 0;
  for (std::size_t first = 0; first < a.count; first += lanes)
    some_a |= (NearNode(LoadPrepared(a.columns + first), shape, pair) & counting(a.count, first)) << first;
  if (some_a == 0) return;
  for (std::size_t first = 0; first < b.count; first += lanes) {
    const Triangles8 of_b = LoadTriangles(tree, b.begin + first, a.origin);
    const std::uint64_t some_b = NearNode(of_b, a.shape, pair) & counting(b.count, first);
    if (some_b == 0) continue;
    for (std::uint64_t bits = some_a; bits != 0; bits &= bits - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(bits));
      std::uint64_t near = 0, may_meet = 0;
      FindNear(a.columns + i, of_b, pair, near, may_meet);
      out[i].near |= static_cast<std::uint8_t>((near & some_b) << first);
      out[i].may_meet |= static_cast<std::uint8_t>((may_meet & near & some_b) << first);
    }
  }
}

}  // namespace lamella::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::measure {

HWY_EXPORT(FindNearChildren);
HWY_EXPORT(PrepareLeaf);
HWY_EXPORT(FindNearPairs);

std::size_t find_near_children(const TriangleTree& tree, const TreeNode& node, const NodeShape& other, float limit,
                               NearChildren& out) {
  return HWY_DYNAMIC_DISPATCH(FindNearChildren)(tree, node, other, limit, out);
}
void prepare_leaf(const TriangleTree& tree, std::uint32_t node, PreparedLeaf& out) {
  out.node = node;
  out.count = tree.nodes()[node].count;
  out.shape = shape_of(tree, node);
  for (int k = 0; k < 3; ++k) out.origin[k] = middle_of(out.shape.low[k], out.shape.high[k]);
  HWY_DYNAMIC_DISPATCH(PrepareLeaf)(tree, out);
}
void find_near_pairs(const PreparedLeaf& leaf, const TriangleTree& tree, std::uint32_t node, float limit,
                     NearPairs* out) {
  HWY_DYNAMIC_DISPATCH(FindNearPairs)(leaf, tree, node, limit, out);
}

}  // namespace lamella::measure
#endif  // HWY_ONCE
