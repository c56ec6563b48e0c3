#include "measure/pair_kernel.hpp"

#include <algorithm>
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

inline void WriteBounds(const TriangleTree& tree, std::uint32_t begin, std::uint32_t count, const NodeShape& other,
                        float* out) {
  const F32 d;
  const VF zero = hn::Zero(d);
  for (std::size_t i = begin; i < std::size_t{begin} + count; i += hn::Lanes(d)) {
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
    HWY_ALIGN float bounds[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(bound, d, bounds);
    std::copy_n(bounds, std::min(hn::Lanes(d), std::size_t{begin} + count - i), out + (i - begin));
  }
}

/// As many lanes as a leaf has triangles, or fewer.
using Eight = hn::CappedTag<float, TriangleTree::kMostInLeaf>;
using V8 = hn::Vec<Eight>;

/// Some triangles and their boxes.
struct Triangles8 {
  V8 at[3][3], low[3], high[3];
};
HWY_INLINE Triangles8 LoadTriangles(const TriangleTree& tree, std::size_t first) {
  const Eight d;
  Triangles8 t;
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 3; ++c) t.at[c][k] = hn::LoadU(d, tree.corner(c, k) + first);
    t.low[k] = hn::Min(hn::Min(t.at[0][k], t.at[1][k]), t.at[2][k]);
    t.high[k] = hn::Max(hn::Max(t.at[0][k], t.at[1][k]), t.at[2][k]);
  }
  return t;
}

HWY_INLINE std::uint64_t BitsOf(hn::Mask<Eight> mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(Eight(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

/// How the triangle a reaches towards some of b.
HWY_INLINE void FindNear(const Vec3 (&a)[3], const Triangles8& b, V8 limit, std::uint64_t& near,
                         std::uint64_t& may_meet) {
  const Eight d;
  const float third = 1.0f / 3;
  const V8 zero = hn::Zero(d);
  V8 away[3], corners[3][3];
  V8 size = zero, boxes = zero;
  Vec3 middle;
  for (int k = 0; k < 3; ++k) {
    const float low = std::min(std::min(a[0][k], a[1][k]), a[2][k]),
                high = std::max(std::max(a[0][k], a[1][k]), a[2][k]);
    const V8 between = hn::Max(hn::Max(hn::Sub(b.low[k], hn::Set(d, high)), hn::Sub(hn::Set(d, low), b.high[k])), zero);
    boxes = hn::Add(boxes, hn::Mul(between, between));
    middle[k] = (a[0][k] + a[1][k] + a[2][k]) * third;
    for (int c = 0; c < 3; ++c) corners[c][k] = hn::Sub(b.at[c][k], hn::Set(d, middle[k]));
    away[k] = hn::Mul(hn::Add(hn::Add(corners[0][k], corners[1][k]), corners[2][k]), hn::Set(d, third));
    size = hn::Max(size, hn::Max(hn::Max(hn::Abs(hn::Sub(b.low[k], hn::Set(d, middle[k]))),
                                         hn::Abs(hn::Sub(b.high[k], hn::Set(d, middle[k])))),
                                 hn::Set(d, high - low)));
  }
  V8 least{}, most{};
  for (int c = 0; c < 3; ++c) {
    const V8 from[3] = {hn::Set(d, a[c].x - middle.x), hn::Set(d, a[c].y - middle.y), hn::Set(d, a[c].z - middle.z)};
    const V8 of_a = Dot(d, away, from), of_b = Dot(d, away, corners[c]);
    least = c == 0 ? of_b : hn::Min(least, of_b);
    most = c == 0 ? of_a : hn::Max(most, of_a);
  }
  const V8 square = Dot(d, away, away);
  const V8 room = hn::Mul(hn::Mul(hn::Sqrt(square), size), hn::Set(d, kRoundings));
  const V8 gap = hn::Max(hn::Sub(hn::Sub(least, most), room), zero);
  // Divided by the length of `away`, the gap is a bound.
  const auto apart = hn::Gt(hn::Mul(gap, gap), hn::Mul(square, limit));
  near = BitsOf(hn::AndNot(apart, hn::Le(boxes, limit)));
  may_meet = BitsOf(hn::And(hn::Eq(boxes, zero), hn::Eq(gap, zero)));
}

inline void FindNearPairs(const TriangleTree& tree_a, const TreeNode& a, const TriangleTree& tree_b, const TreeNode& b,
                          float limit, NearPairs* out) {
  const Eight d;
  const std::size_t lanes = hn::Lanes(d);
  std::fill_n(out, a.count, NearPairs{});
  const V8 limits = hn::Set(d, limit * (1 + kRoundings));
  for (std::size_t first = 0; first < b.count; first += lanes) {
    const Triangles8 triangles = LoadTriangles(tree_b, b.begin + first);
    const std::uint64_t counts = (std::uint64_t{1} << std::min<std::size_t>(lanes, b.count - first)) - 1;
    for (std::uint32_t i = 0; i < a.count; ++i) {
      const Vec3 corners[3] = {tree_a.corner_of(a.begin + i, 0), tree_a.corner_of(a.begin + i, 1),
                               tree_a.corner_of(a.begin + i, 2)};
      std::uint64_t near = 0, may_meet = 0;
      FindNear(corners, triangles, limits, near, may_meet);
      out[i].near |= static_cast<std::uint8_t>((near & counts) << first);
      out[i].may_meet |= static_cast<std::uint8_t>((may_meet & near & counts) << first);
    }
  }
}

}  // namespace lamella::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::measure {

HWY_EXPORT(WriteBounds);
HWY_EXPORT(FindNearPairs);

NodeShape shape_of(const TriangleTree& tree, std::uint32_t node) {
  NodeShape shape;
  for (int k = 0; k < 3; ++k) {
    shape.low[k] = tree.low(k)[node];
    shape.high[k] = tree.high(k)[node];
    shape.normal[k] = tree.normal(k)[node];
  }
  shape.radius = tree.radius()[node];
  shape.thick = tree.thick()[node];
  return shape;
}

void write_bounds(const TriangleTree& tree, std::uint32_t begin, std::uint32_t count, const NodeShape& other,
                  float* out) {
  HWY_DYNAMIC_DISPATCH(WriteBounds)(tree, begin, count, other, out);
}
void find_near_pairs(const TriangleTree& tree_a, const TreeNode& a, const TriangleTree& tree_b, const TreeNode& b,
                     float limit, NearPairs* out) {
  HWY_DYNAMIC_DISPATCH(FindNearPairs)(tree_a, a, tree_b, b, limit, out);
}

}  // namespace lamella::measure
#endif  // HWY_ONCE
