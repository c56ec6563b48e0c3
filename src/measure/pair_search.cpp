// Branch and bound over pairs of boxes, nearest first: of a pair, the larger box is replaced by its children, and pairs
// that are not nearer than what was found are left out. Boxes are compared in doubles, since two meshes may be much
// farther from each other than they are large.
//
// For several threads, pairs near the roots become tasks. These are run in rounds, and learn what others found only
// between rounds, so that the answer does not depend on who was faster.

#include "measure/pair_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "lamella/triangles_meet.hpp"
#include "measure/pair_kernel.hpp"
#include "measure/triangle_distance.hpp"

namespace lamella::measure {
namespace {

constexpr std::size_t kTasks = 256, kMostInRound = 64;
constexpr double kFar = 1024;  ///< squares of the larger mesh's size
static_assert(TriangleTree::kMostInLeaf <= 8, "a byte has a bit for each");

struct Box {
  Vec3d low, high;
};
Box box_of(const TriangleTree& tree, std::uint32_t node, Vec3d offset) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = tree.low(k)[node] + offset[k];
    box.high[k] = tree.high(k)[node] + offset[k];
  }
  return box;
}
Box box_of_triangle(const TriangleTree& tree, std::uint32_t place, Vec3d offset) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    const float a = tree.corner(0, k)[place], b = tree.corner(1, k)[place], c = tree.corner(2, k)[place];
    box.low[k] = std::min({a, b, c}) + offset[k];
    box.high[k] = std::max({a, b, c}) + offset[k];
  }
  return box;
}
double square_between(const Box& a, const Box& b) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double away = std::max({b.low[k] - a.high[k], a.low[k] - b.high[k], 0.0});
    square += away * away;
  }
  return square;
}
double size_of(const Box& box) {
  const Vec3d size = box.high - box.low;
  return dot(size, size);
}

float size_in_floats(const TriangleTree& tree, std::uint32_t node) {
  float size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, tree.high(k)[node] - tree.low(k)[node]);
  return size;
}

void exact_corners(const PairSide& side, std::uint32_t triangle, Vec3d origin, Vec3d out[3]) {
  const Triangle& t = side.given.triangles[triangle];
  const Vec3d offset = side.given.origin - origin;
  for (int i = 0; i < 3; ++i)
    out[i] = (side.given.wide.empty() ? to_double(side.given.positions[t[i]]) : side.given.wide[t[i]]) + offset;
}

class PairSearch {
 public:
  PairSearch(const PairQuery& query, const FoundPair& best)
      : q_(query),
        offset_(query.b.tree_origin - query.a.tree_origin),
        near_(in_floats()),
        plain_(query.slack == 0 && offset_ == Vec3d{}) {
    take(best);
  }

  void search(std::uint32_t a, std::uint32_t b) {
    const TreeNode &node_a = q_.a.tree->nodes()[a], &node_b = q_.b.tree->nodes()[b];
    if (node_a.leaf && node_b.leaf) return near_ ? compare_near(a, b) : compare(node_a, node_b);
    if (!(best_.square < std::numeric_limits<double>::infinity())) measure_waiting();
    std::array<PairTask, TriangleTree::kMostChildren> near;
    const std::size_t count = open(a, b, near.data());
    if (count == 0) return;
    if (near_ && node_a.leaf) prepare(false, a);
    if (near_ && node_b.leaf) prepare(true, b);
    // The nearest pair often holds a pair of triangles after which few others are left; their order matters little.
    std::size_t first = 0;
    for (std::size_t i = 1; i < count; ++i)
      if (near[i].square < near[first].square) first = i;
    search(near[first].a, near[first].b);
    for (std::size_t i = 0; i < count; ++i)
      if (i != first && near[i].square < limit_) search(near[i].a, near[i].b);
  }

  /// Replaces one of two nodes by its children. Returns how many pairs may be nearer than the best.
  std::size_t open(std::uint32_t a, std::uint32_t b, PairTask* out) const {
    const TreeNode &node_a = q_.a.tree->nodes()[a], &node_b = q_.b.tree->nodes()[b];
    if (near_) return open_near(a, b, out);
    const Box box_a = box_of(*q_.a.tree, a, {}), box_b = box_of(*q_.b.tree, b, offset_);
    const bool open_a = !node_a.leaf && (node_b.leaf || size_of(box_a) >= size_of(box_b));
    const TreeNode& opened = open_a ? node_a : node_b;
    std::size_t count = 0;
    for (std::uint32_t i = opened.begin; i < opened.begin + opened.count; ++i) {
      const double square = open_a ? square_between(box_of(*q_.a.tree, i, {}), box_b)
                                   : square_between(box_a, box_of(*q_.b.tree, i, offset_));
      if (square < limit_) out[count++] = {square, open_a ? i : a, open_a ? b : i};
    }
    return count;
  }

  std::size_t open_near(std::uint32_t a, std::uint32_t b, PairTask* out) const {
    const TreeNode &node_a = q_.a.tree->nodes()[a], &node_b = q_.b.tree->nodes()[b];
    const bool open_a = !node_a.leaf && (node_b.leaf || size_in_floats(*q_.a.tree, a) >= size_in_floats(*q_.b.tree, b));
    NearChildren near;
    const std::size_t count =
        open_a ? find_near_children(*q_.a.tree, node_a, shape_of(*q_.b.tree, b), limit_in_floats_, near)
               : find_near_children(*q_.b.tree, node_b, shape_of(*q_.a.tree, a), limit_in_floats_, near);
    for (std::size_t i = 0; i < count; ++i)
      out[i] = {near.square[i], open_a ? near.node[i] : a, open_a ? b : near.node[i]};
    return count;
  }

  /// Points of a pair that was found here are not known yet, unless its triangles meet.
  [[nodiscard]] const FoundPair& best() {
    measure_waiting();
    return best_;
  }

 private:
  void take(const FoundPair& found) {
    best_ = found;
    const double reach = std::sqrt(found.square) + q_.slack;
    limit_ = q_.slack > 0 ? reach * reach : found.square;
    if (found.square == 0) limit_ = 0;
    // Rounded up, also where it is too small for a float.
    limit_in_floats_ = limit_ > 0 ? static_cast<float>(std::min(limit_, 0x1p100)) * (1 + 0x1p-20f) + 0x1p-120f : 0;
  }

  /// Whether floats can tell which pairs are near: the meshes are not much farther apart than they are large.
  [[nodiscard]] bool in_floats() const {
    if (offset_ != Vec3d{}) return false;
    const Box a = box_of(*q_.a.tree, 0, {}), b = box_of(*q_.b.tree, 0, {});
    double largest = 0;
    for (int k = 0; k < 3; ++k)
      largest = std::max({largest, std::abs(a.low[k]), std::abs(a.high[k]), std::abs(b.low[k]), std::abs(b.high[k])});
    return square_between(a, b) <= kFar * std::max(size_of(a), size_of(b)) && largest < 0x1p30;
  }

  void compare(const TreeNode& a, const TreeNode& b) {
    std::array<Box, TriangleTree::kMostInLeaf> boxes;
    for (std::uint32_t k = 0; k < b.count; ++k) boxes[k] = box_of_triangle(*q_.b.tree, b.begin + k, offset_);
    for (std::uint32_t i = a.begin; i < a.begin + a.count; ++i) {
      const Box box = box_of_triangle(*q_.a.tree, i, {});
      for (std::uint32_t k = 0; k < b.count; ++k)
        if (const double square = square_between(box, boxes[k]); square < limit_)
          if (!(square == 0 && take_if_met(i, b.begin + k))) add(i, b.begin + k);
    }
  }

  /// Makes a leaf ready to be compared with others.
  void prepare(bool of_b, std::uint32_t node) {
    if (leaf_.node == node && leaf_of_b_ == of_b) return;
    prepare_leaf(of_b ? *q_.b.tree : *q_.a.tree, node, leaf_);
    leaf_of_b_ = of_b;
  }

  void compare_near(std::uint32_t node_a, std::uint32_t node_b) {
    if (leaf_.node != (leaf_of_b_ ? node_b : node_a)) prepare(false, node_a);
    NearPairs pairs[TriangleTree::kMostInLeaf];
    find_near_pairs(leaf_, leaf_of_b_ ? *q_.a.tree : *q_.b.tree, leaf_of_b_ ? node_a : node_b, limit_in_floats_, pairs);
    const std::uint32_t begin_a = q_.a.tree->nodes()[node_a].begin, begin_b = q_.b.tree->nodes()[node_b].begin;
    for (std::uint32_t i = 0; i < leaf_.count; ++i)
      for (unsigned bits = pairs[i].near; bits != 0; bits &= bits - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint32_t place_a = begin_a + (leaf_of_b_ ? k : i), place_b = begin_b + (leaf_of_b_ ? i : k);
        if ((pairs[i].may_meet >> k & 1) != 0 && take_if_met(place_a, place_b)) return;
        add(place_a, place_b);
      }
  }

  /// Whether two triangles meet: nothing is nearer.
  bool take_if_met(std::uint32_t place_a, std::uint32_t place_b) {
    if (!q_.may_meet || !meet(place_a, place_b)) return false;
    const std::uint32_t a = q_.a.tree->ids()[place_a], b = q_.b.tree->ids()[place_b];
    Vec3d corners_a[3], corners_b[3];
    exact_corners(q_.a, a, q_.a.tree_origin, corners_a);
    exact_corners(q_.b, b, q_.a.tree_origin, corners_b);
    const Vec3d at = shared_point(corners_a, corners_b);
    waiting_ = 0;
    take({0, at, at, a, b});
    return true;
  }

  /// Puts a pair among those to be measured.
  void add(std::uint32_t place_a, std::uint32_t place_b) {
    const auto write = [&](const PairSide& side, std::uint32_t place, double(&to)[9][TrianglePairs::kMost]) {
      if (plain_) {
        for (int c = 0; c < 3; ++c)
          for (int k = 0; k < 3; ++k) to[3 * c + k][waiting_] = side.tree->corner(c, k)[place];
        return;
      }
      Vec3d corners[3];
      exact_corners(side, side.tree->ids()[place], q_.a.tree_origin, corners);
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) to[3 * c + k][waiting_] = corners[c][k];
    };
    write(q_.a, place_a, pairs_.a);
    write(q_.b, place_b, pairs_.b);
    ids_[waiting_] = {q_.a.tree->ids()[place_a], q_.b.tree->ids()[place_b]};
    if (++waiting_ == TrianglePairs::kMost) measure_waiting();
  }

  void measure_waiting() {
    double squares[TrianglePairs::kMost];
    if (waiting_ == 0) return;
    squares_between(pairs_, squares);
    for (std::size_t i = 0; i < waiting_; ++i)
      if (squares[i] < best_.square) take({squares[i], {}, {}, ids_[i][0], ids_[i][1]});
    waiting_ = 0;
  }

  [[nodiscard]] bool meet(std::uint32_t a, std::uint32_t b) const {
    const TriangleTree &tree_a = *q_.a.tree, &tree_b = *q_.b.tree;
    const Vec3 corners_a[3] = {tree_a.corner_of(a, 0), tree_a.corner_of(a, 1), tree_a.corner_of(a, 2)};
    const Vec3 corners_b[3] = {tree_b.corner_of(b, 0), tree_b.corner_of(b, 1), tree_b.corner_of(b, 2)};
    return triangles_meet(corners_a, corners_b);
  }

  const PairQuery& q_;
  Vec3d offset_;  ///< from a's frame to b's
  bool near_;     ///< floats can tell which pairs are near
  bool plain_;    ///< the trees have the positions as they were given, in one frame
  FoundPair best_;
  double limit_ = 0;  ///< pairs of boxes must be nearer than this
  float limit_in_floats_ = 0;
  TrianglePairs pairs_;  ///< that wait to be measured
  std::array<std::array<std::uint32_t, 2>, TrianglePairs::kMost> ids_{};
  std::size_t waiting_ = 0;
  PreparedLeaf leaf_;       ///< that was compared last
  bool leaf_of_b_ = false;  ///< of which tree that is
};

bool nearer(const PairTask& x, const PairTask& y) {
  return x.square != y.square ? x.square < y.square : x.a != y.a ? x.a < y.a : x.b < y.b;
}

/// Opens pairs of nodes, from the roots on, until there are enough.
void make_tasks(const PairQuery& query, const FoundPair& best, PairScratch& s) {
  const PairSearch search(query, best);
  s.tasks.assign(1, {0, 0, 0});
  for (bool opened = true; opened && s.tasks.size() < kTasks;) {
    opened = false;
    s.next.clear();
    for (const PairTask& task : s.tasks) {
      if (query.a.tree->nodes()[task.a].leaf && query.b.tree->nodes()[task.b].leaf) {
        s.next.push_back(task);
        continue;
      }
      PairTask children[TriangleTree::kMostChildren];
      const std::size_t count = search.open(task.a, task.b, children);
      s.next.insert(s.next.end(), children, children + count);
      opened = true;
    }
    s.tasks.swap(s.next);
  }
  std::sort(s.tasks.begin(), s.tasks.end(), nearer);
}

}  // namespace

FoundPair pair_of(const PairQuery& query, std::uint32_t a, std::uint32_t b) {
  Vec3d corners_a[3], corners_b[3];
  exact_corners(query.a, a, query.a.tree_origin, corners_a);
  exact_corners(query.b, b, query.a.tree_origin, corners_b);
  const NearestPair pair = nearest_of_triangles(corners_a, corners_b);
  return {pair.square, pair.on_a, pair.on_b, a, b};
}

FoundPair find_nearest_pair(const PairQuery& query, const FoundPair& best, Workers& workers, PairScratch& s) {
  FoundPair found = best;
  make_tasks(query, found, s);
  for (std::size_t begin = 0, size = 1; begin < s.tasks.size();) {
    const std::size_t count = std::min(size, s.tasks.size() - begin);
    s.found.assign(count, found);
    workers.for_chunks(
        count, 1,
        [&](std::size_t i, std::size_t, unsigned) {
          PairSearch search(query, found);
          search.search(s.tasks[begin + i].a, s.tasks[begin + i].b);
          s.found[i] = search.best();
        },
        1);
    for (const FoundPair& pair : s.found)
      if (pair.square < found.square) found = pair;
    begin += count;
    size = std::min(2 * size, kMostInRound);
  }
  if (found.square > 0 && found.square < best.square) found = pair_of(query, found.triangle_a, found.triangle_b);
  return found;
}

}  // namespace lamella::measure
