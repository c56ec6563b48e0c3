// The nearest triangle of each point: the tree's boxes are visited nearest first, and those farther away than what was
// found are left out. A node's boxes are tested together, in floats rounded so that no box seems farther away than it
// is, and a leaf's triangles together, in doubles. Points follow each other closely, so a search starts with the
// triangles where the last one ended.

#include "measure/closest_kernel.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/closest_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway requires this after foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lamella::measure::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using F64 = hn::ScalableTag<double>;
using Half = hn::Rebind<float, F64>;
using VD = hn::Vec<F64>;

struct Vector3 {
  VD x, y, z;
};
HWY_INLINE Vector3 Subtract(const Vector3& a, const Vector3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE VD Dot(const Vector3& a, const Vector3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE Vector3 Cross(const Vector3& a, const Vector3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// Squared distance from a point to an edge; `from`: the way from the edge's start to the point.
HWY_INLINE VD EdgeSquare(const Vector3& from, const Vector3& edge) {
  const F64 d;
  const VD length = Dot(edge, edge), zero = hn::Zero(d);
  const VD at = hn::IfThenElseZero(hn::Gt(length, zero), hn::Div(Dot(from, edge), length));
  const VD s = hn::Min(hn::Max(at, zero), hn::Set(d, 1));
  const Vector3 away = Subtract(from, {hn::Mul(edge.x, s), hn::Mul(edge.y, s), hn::Mul(edge.z, s)});
  return Dot(away, away);
}

/// Squared distances from a point to the triangles from `first` on, one in each lane.
HWY_INLINE VD TriangleSquares(const TriangleTree& tree, std::size_t first, const Vector3& p) {
  const F64 d;
  const Half half;
  const auto corner = [&](int c) {
    const auto along = [&](int k) { return hn::PromoteTo(d, hn::LoadU(half, tree.corner(c, k) + first)); };
    return Vector3{along(0), along(1), along(2)};
  };
  const Vector3 a = corner(0), b = corner(1), c = corner(2);
  const Vector3 ab = Subtract(b, a), ac = Subtract(c, a), bc = Subtract(c, b), ap = Subtract(p, a);
  VD best = hn::Min(hn::Min(EdgeSquare(ap, ab), EdgeSquare(ap, ac)), EdgeSquare(Subtract(p, b), bc));
  const Vector3 normal = Cross(ab, ac);
  const VD area = Dot(normal, normal), zero = hn::Zero(d);
  const VD weight_b = Dot(Cross(ap, ac), normal), weight_c = Dot(Cross(ab, ap), normal);
  const auto inside =
      hn::And(hn::And(hn::Gt(weight_b, zero), hn::Gt(weight_c, zero)), hn::Lt(hn::Add(weight_b, weight_c), area));
  const VD height = Dot(ap, normal);
  return hn::IfThenElse(inside, hn::Min(best, hn::Div(hn::Mul(height, height), area)), best);
}

/// A part of the tree that is yet to be visited.
struct Waiting {
  double square;
  std::uint32_t node;
};

class Search {
 public:
  explicit Search(const TriangleTree& tree) : tree_(tree), nodes_(tree.nodes().data()), ids_(tree.ids().data()) {
    double size = 0;
    for (int k = 0; k < 3; ++k) {
      low_[k] = tree.low(k);
      high_[k] = tree.high(k);
      size = std::max(size, static_cast<double>(high_[k][0]) - low_[k][0]);
    }
    far_ = kFar * size;
  }

  NearestTriangle Find(Vec3d p) {
    best_ = {};
    p_ = p;
    bool far = false;
    for (int k = 0; k < 3; ++k) {
      far = far || p[k] < low_[k][0] - far_ || p[k] > high_[k][0] + far_;
      const auto nearest = static_cast<float>(p[k]);
      below_[k] = nearest > p[k] ? std::nextafter(nearest, -HUGE_VALF) : nearest;
      above_[k] = nearest < p[k] ? std::nextafter(nearest, HUGE_VALF) : nearest;
    }
    rounding_ = 2 * ((above_[0] - below_[0]) + (above_[1] - below_[1]) + (above_[2] - below_[2]));
    if (last_leaf_ != kNone) VisitLeaf(last_leaf_);
    if (far)
      Walk<true>();
    else
      Walk<false>();
    return best_;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr double kFar = 64;  ///< sizes of the mesh; farther away floats tell its triangles apart badly
  static_assert(TriangleTree::kMostInLeaf + HWY_MAX_BYTES / sizeof(double) <= TriangleTree::kPad);

  /// Squares above it need not be looked at. Near the mesh it has room for the roundings of floats. Far away it leaves
  /// out what is not nearer by more than rounding: from there, all triangles may be equally near.
  template <bool kFromFar>
  [[nodiscard]] double Limit() const {
    return kFromFar ? best_.square * (1 - 0x1p-50) : best_.square * (1 + 0x1p-19) + 0x1p-120;
  }

  template <bool kFromFar>
  void Walk() {
    std::size_t waiting = 1;
    waiting_[0] = {0, 0};
    while (waiting != 0) {
      const Waiting next = waiting_[--waiting];
      if (next.square > Limit<kFromFar>()) continue;
      if (nodes_[next.node].leaf) {
        VisitLeaf(next.node);
        continue;
      }
      const std::size_t first = waiting;
      if constexpr (kFromFar)
        AddFar(nodes_[next.node], waiting);
      else
        AddNear(nodes_[next.node], waiting);
      SortFarthestFirst(waiting_ + first, waiting_ + waiting);
    }
  }

  static void SortFarthestFirst(Waiting* begin, Waiting* end) {
    for (Waiting* i = begin; i < end; ++i) {
      const Waiting w = *i;
      Waiting* k = i;
      for (; k != begin && k[-1].square < w.square; --k) *k = k[-1];
      *k = w;
    }
  }

  /// Children that may hold something nearer than the best.
  void AddNear(const TreeNode& node, std::size_t& waiting) {
    const F32 d;
    const std::size_t lanes = hn::Lanes(d);
    const double most = Limit<false>();
    const auto zero = hn::Zero(d);
    const auto limit = hn::Set(d, most < 0x1p127 ? static_cast<float>(most) : HUGE_VALF);
    for (std::size_t i = 0; i < node.count; i += lanes) {
      auto square = zero;
      for (int k = 0; k < 3; ++k) {
        const auto below = hn::Sub(hn::LoadU(d, low_[k] + node.begin + i), hn::Set(d, above_[k]));
        const auto beyond = hn::Sub(hn::Set(d, below_[k]), hn::LoadU(d, high_[k] + node.begin + i));
        const auto away = hn::Max(hn::Max(below, beyond), zero);
        square = hn::Add(square, hn::Mul(away, away));
      }
      const auto in_reach = hn::And(hn::Le(square, limit), hn::FirstN(d, node.count - i));
      if (hn::AllFalse(d, in_reach)) continue;
      square = hn::Max(square, DiscSquare(node.begin + i));
      std::uint64_t bits = 0;
      hn::StoreMaskBits(d, hn::And(in_reach, hn::Le(square, limit)), reinterpret_cast<std::uint8_t*>(&bits));
      if (bits == 0) continue;
      HWY_ALIGN float squares[HWY_MAX_BYTES / sizeof(float)];
      hn::Store(square, d, squares);
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero64(bits);
        waiting_[waiting++] = {squares[lane], static_cast<std::uint32_t>(node.begin + i + lane)};
      }
    }
  }

  /// No less than the squared distances from the point to the discs around some nodes, but for roundings below 2^-19 of
  /// them.
  HWY_INLINE hn::Vec<F32> DiscSquare(std::size_t first) const {
    const F32 d;
    auto height = hn::Zero(d), square = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const auto low = hn::LoadU(d, low_[k] + first), high = hn::LoadU(d, high_[k] + first);
      const auto center = hn::Add(low, hn::Mul(hn::Sub(high, low), hn::Set(d, 0.5f)));
      const auto away = hn::Sub(hn::Set(d, below_[k]), center);
      height = hn::Add(height, hn::Mul(away, hn::LoadU(d, tree_.normal(k) + first)));
      square = hn::Add(square, hn::Mul(away, away));
    }
    const auto zero = hn::Zero(d),
               room = hn::Add(hn::Mul(hn::Sqrt(square), hn::Set(d, 0x1p-20f)), hn::Set(d, rounding_));
    const auto above = hn::Sub(hn::Sub(hn::Abs(height), hn::LoadU(d, tree_.thick() + first)), room);
    const auto across = hn::Sub(hn::Mul(square, hn::Set(d, 1 - 0x1p-18f)), hn::Mul(height, height));
    const auto beside = hn::Sub(hn::Sub(hn::Sqrt(hn::Max(across, zero)), hn::LoadU(d, tree_.radius() + first)), room);
    const auto up = hn::Max(above, zero), out = hn::Max(beside, zero);
    return hn::Add(hn::Mul(up, up), hn::Mul(out, out));
  }

  void AddFar(const TreeNode& node, std::size_t& waiting) {
    const double limit = Limit<true>();
    for (std::uint32_t n = node.begin; n < node.begin + node.count; ++n) {
      double square = 0;
      for (int k = 0; k < 3; ++k) {
        const double away = std::max({low_[k][n] - p_[k], p_[k] - high_[k][n], 0.0});
        square += away * away;
      }
      if (square <= limit) waiting_[waiting++] = {square, n};
    }
  }

  void VisitLeaf(std::uint32_t number) {
    const TreeNode& leaf = nodes_[number];
    const F64 d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < leaf.count; i += lanes) {
      const std::size_t count = std::min(lanes, leaf.count - i);
      const VD found = TriangleSquares(tree_, leaf.begin + i, {hn::Set(d, p_.x), hn::Set(d, p_.y), hn::Set(d, p_.z)});
      if (hn::AllTrue(d, hn::Gt(found, hn::Set(d, best_.square)))) continue;
      HWY_ALIGN double squares[HWY_MAX_BYTES / sizeof(double)];
      hn::Store(found, d, squares);
      for (std::size_t lane = 0; lane < count; ++lane) {
        const auto place = static_cast<std::uint32_t>(leaf.begin + i + lane);
        if (squares[lane] > best_.square || (squares[lane] == best_.square && ids_[place] >= ids_[best_.place]))
          continue;
        best_ = {squares[lane], place};
        last_leaf_ = number;
      }
    }
  }

  const TriangleTree& tree_;
  const TreeNode* nodes_;
  const std::uint32_t* ids_;
  const float *low_[3], *high_[3];
  double far_;
  Vec3d p_;
  float below_[3], above_[3];  ///< floats around the point
  float rounding_;             ///< how far they are from it, at most
  NearestTriangle best_;
  std::uint32_t last_leaf_ = kNone;
  Waiting waiting_[TriangleTree::kMostLevels * TriangleTree::kMostChildren];
};

inline void FindNearest(const TriangleTree& tree, std::span<const Vec3d> points, NearestTriangle* out) {
  Search search(tree);
  for (std::size_t i = 0; i < points.size(); ++i) out[i] = search.Find(points[i]);
}

inline void FindAround(const TriangleTree& tree, Vec3 corner, std::vector<std::uint32_t>& out) {
  const F32 d;
  const std::size_t lanes = hn::Lanes(d);
  const TreeNode* nodes = tree.nodes().data();
  std::uint32_t waiting[TriangleTree::kMostLevels * TriangleTree::kMostChildren];
  std::size_t count = 1;
  waiting[0] = 0;
  out.clear();
  while (count != 0) {
    const TreeNode& node = nodes[waiting[--count]];
    if (node.leaf) {
      for (std::uint32_t i = node.begin; i < node.begin + node.count; ++i)
        if (tree.corner_of(i, 0) == corner || tree.corner_of(i, 1) == corner || tree.corner_of(i, 2) == corner)
          out.push_back(i);
      continue;
    }
    for (std::size_t i = 0; i < node.count; i += lanes) {
      auto holds = hn::Le(hn::Zero(d), hn::Zero(d));
      for (int k = 0; k < 3; ++k) {
        const auto x = hn::Set(d, corner[k]);
        holds = hn::And(holds, hn::And(hn::Le(hn::LoadU(d, tree.low(k) + node.begin + i), x),
                                       hn::Ge(hn::LoadU(d, tree.high(k) + node.begin + i), x)));
      }
      std::uint64_t bits = 0;
      hn::StoreMaskBits(d, holds, reinterpret_cast<std::uint8_t*>(&bits));
      if (node.count - i < lanes) bits &= (std::uint64_t{1} << (node.count - i)) - 1;
      for (; bits != 0; bits &= bits - 1)
        waiting[count++] = static_cast<std::uint32_t>(node.begin + i + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
    }
  }
}

}  // namespace lamella::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lamella::measure {

HWY_EXPORT(FindNearest);
HWY_EXPORT(FindAround);

void find_nearest(const TriangleTree& tree, std::span<const Vec3d> points, NearestTriangle* out) {
  HWY_DYNAMIC_DISPATCH(FindNearest)(tree, points, out);
}
void find_around(const TriangleTree& tree, Vec3 corner, std::vector<std::uint32_t>& out) {
  HWY_DYNAMIC_DISPATCH(FindAround)(tree, corner, out);
}

}  // namespace lamella::measure
#endif  // HWY_ONCE
