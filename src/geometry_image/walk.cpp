// Benes, Gomez Villanueva: "GI-COLLIDE", section 4: walks down both pyramids at once, in a zigzag: a sphere of a
// against the four below one of b, then each that overlaps against the four below the one of a.
//
// Departures:
// - Both strokes of the zigzag are made in one visit, so that a's four spheres are loaded once.
// - Where one sphere is more than twice as large as the other, only that one is opened. Otherwise an image of few
//   levels would reach its last level long before a terrain does.
// - Of the pairs found in a visit, the one that overlaps most is visited first: a first collision is found sooner.
// - The four tests of a stroke are one vector operation.
//
// With Search::zigzag only the last one remains. The strokes then alternate strictly, a first: whose turn it is follows
// from the levels. The paper does not say what happens below the last level of the smaller image: the other one is
// walked on alone.

#include <algorithm>
#include <bit>
#include <limits>

#include "geometry_image/search.hpp"
#include "geometry_image/spheres.hpp"

namespace lamella::gi {
namespace {

/// Every visit takes one task and adds up to 16, and goes down at least one level in one of the pyramids.
constexpr unsigned kDeepest = 15 * 2 * (kMaxImageLevels + 1) + 16;

inline Spheres placed(const Frame& frame, const Spheres& s) {
  const auto row = [&](int k) {
    const float* r = frame.rows[k];
    return (r[0] * s.x + r[1] * s.y) + (r[2] * s.z + frame.translation[k]);
  };
  return {row(0), row(1), row(2), s.r};
}

/// kReported: every visit is reported to search.visited.
template <bool kReported>
class Walk {
 public:
  explicit Walk(Search& search) : search_(search) {}

  void run() {
    visit_roots();
    while (top_ != 0) {
      if (search_.limits.reached(search_.found.sphere_test_count + spheres_ + search_.found.triangle_test_count)) {
        search_.found.complete = false;
        break;
      }
      const Task task = stack_[--top_];
      note(task);
      if (visit(task)) break;
    }
    search_.found.sphere_test_count += spheres_;
    search_.found.level = std::max(search_.found.level, level_);
    if (level_ >= 0)
      note_closest(search_.found, search_.a.at(closest_task_.a),
                   {closest_task_.x, closest_task_.y, closest_task_.z, closest_task_.b_radius}, search_.frame.slack);
  }

 private:
  /// True: the search is over.
  bool visit(const Task& task) {
    const bool a_bottom = task.a.level() == search_.a.bottom, b_bottom = task.b.level() == search_.b.bottom;
    if (a_bottom && b_bottom) return visit_bottom(search_, task);
    const unsigned before = top_;
    if (search_.zigzag) {
      if (b_bottom || (!a_bottom && task.a.level() <= task.b.level()))
        open_a(task.a, children(search_.a, task.a), task.b, {task.x, task.y, task.z, task.b_radius});
      else
        open_b(task, false);
      std::reverse(stack_ + before, stack_ + top_);  // so that the first child comes first
      return false;
    }
    if (b_bottom || (!a_bottom && task.a_radius > 2 * task.b_radius))
      open_a(task.a, children(search_.a, task.a), task.b, {task.x, task.y, task.z, task.b_radius});
    else
      open_b(task, !a_bottom && task.b_radius <= 2 * task.a_radius);
    if (!search_.all) most_overlapping_last(before);
    return false;
  }

  void open_a(Node parent, const Spheres& four, Node b, const Sphere& one) {
    const Four depth = depths(four, one, search_.frame.slack);
    spheres_ += 4;
    for (unsigned mask = not_negative(depth); mask != 0; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      stack_[top_++] = {parent.child(i), b, one.x, one.y, one.z, four.r[i], one.radius, depth[i]};
    }
  }

  void open_b(const Task& task, bool both) {
    const Spheres four = placed(search_.frame, children(search_.b, task.b));
    const Four depth = depths(four, search_.a.at(task.a), search_.frame.slack);
    spheres_ += 4;
    unsigned mask = not_negative(depth);
    if (!both) {
      for (; mask != 0; mask &= mask - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(mask));
        stack_[top_++] = {task.a, task.b.child(i), four.x[i], four.y[i], four.z[i], task.a_radius, four.r[i], depth[i]};
      }
      return;
    }
    if (mask == 0) return;
    const Spheres below = children(search_.a, task.a);
    for (; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      open_a(task.a, below, task.b.child(i), {four.x[i], four.y[i], four.z[i], four.r[i]});
    }
  }

  void visit_roots() {
    const Sphere root = search_.b.at({}), one = search_.a.at({});
    const Spheres there = placed(search_.frame, {all(root.x), all(root.y), all(root.z), all(root.radius)});
    const Four depth = depths(there, one, search_.frame.slack);
    spheres_ += 1;
    if (not_negative(depth) == 0) return;
    stack_[top_++] = {{}, {}, there.x[0], there.y[0], there.z[0], one.radius, root.radius, depth[0]};
  }

  /// An insertion sort: mostly there are one or two.
  void most_overlapping_last(unsigned begin) {
    for (unsigned i = begin + 1; i < top_; ++i) {
      const Task task = stack_[i];
      unsigned j = i;
      for (; j > begin && stack_[j - 1].depth > task.depth; --j) stack_[j] = stack_[j - 1];
      stack_[j] = task;
    }
  }

  void note(const Task& task) {
    if constexpr (kReported) (*search_.visited)(task);
    level_ = std::max(level_, std::min(task.a.level(), task.b.level()));
    if (task.a_radius + task.b_radius < closest_) {
      closest_ = task.a_radius + task.b_radius;
      closest_task_ = task;
    }
  }

  Search& search_;
  std::uint64_t spheres_ = 0;
  unsigned top_ = 0;
  int level_ = -1;
  float closest_ = std::numeric_limits<float>::max();
  Task closest_task_{};
  Task stack_[kDeepest];
};

}  // namespace

void run(Search& search) {
  if (search.visited == nullptr)
    Walk<false>(search).run();
  else
    Walk<true>(search).run();
}

}  // namespace lamella::gi
