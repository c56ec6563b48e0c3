#include "proof/box_pairs.hpp"

#include <algorithm>
#include <limits>

namespace lamella::proof {
namespace {

constexpr std::size_t kFew = 24;  ///< boxes of each kind that are compared one by one
constexpr int kMostLevels = 64;
/// Of boxes, in all. A visit counts as kVisit of them: together some tens of seconds at most.
constexpr std::uint64_t kMostTests = std::uint64_t{1} << 32, kVisit = 32;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Boxes = std::span<TriangleBox>;

/// A part of space, without its high faces. A pair belongs to the part that has the low corner of what the boxes share.
struct Part {
  Vec3 low{-kInfinity, -kInfinity, -kInfinity}, high{kInfinity, kInfinity, kInfinity};
};

bool belongs(const Part& part, const TriangleBox& a, const TriangleBox& b) {
  for (int k = 0; k < 3; ++k) {
    const float at = std::max(a.min[k], b.min[k]);
    if (at < part.low[k] || at >= part.high[k]) return false;
  }
  return true;
}

bool overlap(const TriangleBox& a, const TriangleBox& b) {
  return (a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y) &
         (a.min.z <= b.max.z) & (b.min.z <= a.max.z);
}

Aabb bounds_of(Boxes boxes) {
  Aabb box;
  for (const TriangleBox& b : boxes) box = unite(box, {b.min, b.max});
  return box;
}

class PairSearch {
 public:
  explicit PairSearch(const VisitPair& visit) : visit_(visit) {}

  Search search(Boxes a, Boxes b, const Part& part, int level) {
    if (a.empty() || b.empty()) return Search::finished;
    if (std::min(a.size(), b.size()) <= kFew / 4 || a.size() + b.size() <= 2 * kFew || level == kMostLevels)
      return compare_all(a, b, part);
    tests_ += a.size() + b.size();
    const Aabb box_a = bounds_of(a), box_b = bounds_of(b);
    const Aabb shared{
        {std::max(box_a.min.x, box_b.min.x), std::max(box_a.min.y, box_b.min.y), std::max(box_a.min.z, box_b.min.z)},
        {std::min(box_a.max.x, box_b.max.x), std::min(box_a.max.y, box_b.max.y), std::min(box_a.max.z, box_b.max.z)}};
    if (shared.empty()) return Search::finished;
    const auto trim = [&](Boxes boxes) {
      const TriangleBox whole{shared.min, shared.max};
      const auto end =
          std::partition(boxes.begin(), boxes.end(), [&](const TriangleBox& x) { return overlap(x, whole); });
      return boxes.first(static_cast<std::size_t>(end - boxes.begin()));
    };
    a = trim(a);
    b = trim(b);
    int axis = 0;
    float mid = 0;
    if (!choose_split(a, b, shared, part, axis, mid)) return compare_all(a, b, part);
    Part low = part, high = part;
    low.high[axis] = mid;
    high.low[axis] = mid;
    Search found = search(below(a, axis, mid), below(b, axis, mid), low, level + 1);
    if (found == Search::finished) found = search(above(a, axis, mid), above(b, axis, mid), high, level + 1);
    return found;
  }

  Search search(Boxes boxes, const Part& part, int level) {
    if (boxes.size() <= kFew || level == kMostLevels) return compare_all(boxes, part);
    tests_ += boxes.size();
    int axis = 0;
    float mid = 0;
    if (!choose_split(boxes, boxes, bounds_of(boxes), part, axis, mid)) return compare_all(boxes, part);
    Part low = part, high = part;
    low.high[axis] = mid;
    high.low[axis] = mid;
    Search found = search(below(boxes, axis, mid), low, level + 1);
    if (found == Search::finished) found = search(above(boxes, axis, mid), high, level + 1);
    return found;
  }

 private:
  Search compare_all(Boxes a, Boxes b, const Part& part) {
    if ((tests_ += a.size() * b.size()) > kMostTests) return Search::given_up;
    for (const TriangleBox& x : a)
      for (const TriangleBox& y : b)
        if (overlap(x, y) && belongs(part, x, y) && !visit(x, y)) return Search::ended;
    return Search::finished;
  }
  Search compare_all(Boxes boxes, const Part& part) {
    if ((tests_ += boxes.size() * boxes.size() / 2) > kMostTests) return Search::given_up;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t j = i + 1; j < boxes.size(); ++j)
        if (overlap(boxes[i], boxes[j]) && belongs(part, boxes[i], boxes[j]) && !visit(boxes[i], boxes[j]))
          return Search::ended;
    return Search::finished;
  }

  bool visit(const TriangleBox& a, const TriangleBox& b) {
    tests_ += kVisit;
    return visit_(a.triangle, b.triangle);
  }

  /// Those that reach below `mid`, in front of the others; then those that reach it or beyond.
  static Boxes below(Boxes boxes, int axis, float mid) {
    const auto end =
        std::partition(boxes.begin(), boxes.end(), [&](const TriangleBox& x) { return x.min[axis] < mid; });
    return boxes.first(static_cast<std::size_t>(end - boxes.begin()));
  }
  static Boxes above(Boxes boxes, int axis, float mid) {
    const auto end =
        std::partition(boxes.begin(), boxes.end(), [&](const TriangleBox& x) { return x.max[axis] >= mid; });
    return boxes.first(static_cast<std::size_t>(end - boxes.begin()));
  }

  /// The middle of the longest side that leaves enough boxes on one side only. False when there is none.
  static bool choose_split(Boxes a, Boxes b, const Aabb& shared, const Part& part, int& axis, float& mid) {
    int order[3] = {0, 1, 2};
    const Vec3 size = extent(shared);
    std::sort(order, order + 3, [&](int i, int j) { return size[i] != size[j] ? size[i] > size[j] : i < j; });
    for (const int k : order) {
      axis = k;
      mid = static_cast<float>((static_cast<double>(shared.min[k]) + shared.max[k]) / 2);
      if (!(mid > shared.min[k] && mid > part.low[k] && mid < part.high[k])) continue;
      std::size_t both = 0;
      for (const Boxes boxes : {a, b})
        for (const TriangleBox& x : boxes) both += x.min[k] < mid && x.max[k] >= mid ? 1 : 0;
      if (both <= (a.size() + b.size()) * 2 / 5) return true;
    }
    return false;
  }

  const VisitPair& visit_;
  std::uint64_t tests_ = 0;
};

}  // namespace

TriangleBox box_of(MeshView mesh, std::uint32_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  const Vec3 a = mesh.positions[t.a], b = mesh.positions[t.b], c = mesh.positions[t.c];
  return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
          {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})},
          triangle};
}

Search visit_box_pairs(std::vector<TriangleBox>& a, std::vector<TriangleBox>& b, const VisitPair& visit) {
  return PairSearch(visit).search(a, b, Part{}, 0);
}
Search visit_box_pairs(std::vector<TriangleBox>& boxes, const VisitPair& visit) {
  return PairSearch(visit).search(boxes, Part{}, 0);
}

}  // namespace lamella::proof
