// The sphere tree that GI-COLLIDE compares itself with in section 5.2: "exactly the same information and the same
// hierarchy", but every node allocated by itself and found by pointers. The search is the library's (see
// src/geometry_image/walk.cpp) with pointers in place of indices, so that a difference in time comes from nothing else;
// that both make the same number of tests is checked.

#include <algorithm>
#include <bit>
#include <limits>

#include "bench/gi/methods.hpp"
#include "geometry_image/search.hpp"
#include "geometry_image/spheres.hpp"

namespace lamella::cli {
namespace {

using gi::Spheres;

struct TreeNode {
  Sphere sphere;
  std::unique_ptr<TreeNode> below[4];  ///< all or none
  gi::Node place;                      ///< tells a leaf's quad

  [[nodiscard]] bool leaf() const { return below[0] == nullptr; }
};

std::unique_ptr<TreeNode> make_tree(const gi::Side& side, gi::Node place) {
  auto node = std::make_unique<TreeNode>();
  node->sphere = side.at(place);
  node->place = place;
  if (place.level() < side.n)
    for (unsigned i = 0; i < 4; ++i) node->below[i] = make_tree(side, place.child(i));
  return node;
}

Spheres children(const TreeNode& node) {
  Spheres s{load(&node.below[0]->sphere.x), load(&node.below[1]->sphere.x), load(&node.below[2]->sphere.x),
            load(&node.below[3]->sphere.x)};
  transpose(s.x, s.y, s.z, s.r);
  return s;
}

Spheres placed(const gi::Frame& frame, const Spheres& s) {
  const auto row = [&](int k) {
    const float* r = frame.rows[k];
    return (r[0] * s.x + r[1] * s.y) + (r[2] * s.z + frame.translation[k]);
  };
  return {row(0), row(1), row(2), s.r};
}

struct TreeTask {
  const TreeNode *a, *b;
  float x, y, z;
  float a_radius, b_radius;
  float depth;

  [[nodiscard]] gi::Task by_place() const { return {a->place, b->place, x, y, z, a_radius, b_radius, depth}; }
};

class TreeWalk {
 public:
  TreeWalk(gi::Search& search, const TreeNode& a, const TreeNode& b) : search_(search), a_(a), b_(b) {}

  void run() {
    visit_roots();
    while (top_ != 0) {
      if (search_.limits.reached(search_.found.sphere_tests + spheres_ + search_.found.triangle_tests)) {
        search_.found.complete = false;
        break;
      }
      const TreeTask task = stack_[--top_];
      note(task);
      if (visit(task)) break;
    }
    search_.found.sphere_tests += spheres_;
    search_.found.level = std::max(search_.found.level, level_);
    if (level_ >= 0)
      gi::note_closest(search_.found, closest_task_.a->sphere,
                       {closest_task_.x, closest_task_.y, closest_task_.z, closest_task_.b_radius},
                       search_.frame.slack);
  }

 private:
  bool visit(const TreeTask& task) {
    const bool a_bottom = task.a->leaf(), b_bottom = task.b->leaf();
    if (a_bottom && b_bottom) return gi::visit_bottom(search_, task.by_place());
    const unsigned before = top_;
    if (b_bottom || (!a_bottom && task.a_radius > 2 * task.b_radius))
      open_a(*task.a, children(*task.a), task.b, {task.x, task.y, task.z, task.b_radius});
    else
      open_b(task, !a_bottom && task.b_radius <= 2 * task.a_radius);
    most_overlapping_last(before);
    return false;
  }

  void open_a(const TreeNode& parent, const Spheres& four, const TreeNode* b, const Sphere& one) {
    const Four depth = gi::depths(four, one, search_.frame.slack);
    spheres_ += 4;
    for (unsigned mask = not_negative(depth); mask != 0; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      stack_[top_++] = {parent.below[i].get(), b, one.x, one.y, one.z, four.r[i], one.radius, depth[i]};
    }
  }

  void open_b(const TreeTask& task, bool both) {
    const Spheres four = placed(search_.frame, children(*task.b));
    const Four depth = gi::depths(four, task.a->sphere, search_.frame.slack);
    spheres_ += 4;
    unsigned mask = not_negative(depth);
    if (!both) {
      for (; mask != 0; mask &= mask - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(mask));
        stack_[top_++] = {task.a,    task.b->below[i].get(), four.x[i], four.y[i],
                          four.z[i], task.a_radius,          four.r[i], depth[i]};
      }
      return;
    }
    if (mask == 0) return;
    const Spheres below = children(*task.a);
    for (; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      open_a(*task.a, below, task.b->below[i].get(), {four.x[i], four.y[i], four.z[i], four.r[i]});
    }
  }

  void visit_roots() {
    const Sphere &root = b_.sphere, &one = a_.sphere;
    const Spheres there = placed(search_.frame, {all(root.x), all(root.y), all(root.z), all(root.radius)});
    const Four depth = gi::depths(there, one, search_.frame.slack);
    spheres_ += 1;
    if (not_negative(depth) == 0) return;
    stack_[top_++] = {&a_, &b_, there.x[0], there.y[0], there.z[0], one.radius, root.radius, depth[0]};
  }

  void most_overlapping_last(unsigned begin) {
    for (unsigned i = begin + 1; i < top_; ++i) {
      const TreeTask task = stack_[i];
      unsigned j = i;
      for (; j > begin && stack_[j - 1].depth > task.depth; --j) stack_[j] = stack_[j - 1];
      stack_[j] = task;
    }
  }

  void note(const TreeTask& task) {
    level_ = std::max(level_, std::min(task.a->place.level(), task.b->place.level()));
    if (task.a_radius + task.b_radius < closest_) {
      closest_ = task.a_radius + task.b_radius;
      closest_task_ = task;
    }
  }

  static constexpr unsigned kDeepest = 15 * 2 * (kMaxImageLevels + 1) + 16;

  gi::Search& search_;
  const TreeNode &a_, &b_;
  std::uint64_t spheres_ = 0;
  unsigned top_ = 0;
  int level_ = -1;
  float closest_ = std::numeric_limits<float>::max();
  TreeTask closest_task_{};
  TreeTask stack_[kDeepest];
};

class TreeMethod final : public PairMethod {
 public:
  explicit TreeMethod(const ImageBody& body) : body_(body) {
    for (std::size_t i = 0; i < body.images.size(); ++i)
      trees_.push_back(make_tree({body.images[i], body.pyramids[i], -1}, {}));
  }

  void take(std::span<const PosePair> pairs) override { pairs_ = pairs; }
  void decide(std::span<std::uint8_t> colliding) override {
    for (std::size_t i = 0; i < pairs_.size(); ++i) colliding[i] = decide(pairs_[i]) ? 1 : 0;
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t nodes = 0;
    for (const GeometryImage& image : body_.images) nodes += ((std::size_t{4} << (2 * image.n)) - 1) / 3;
    return nodes * sizeof(TreeNode);
  }
  [[nodiscard]] std::uint64_t volume_tests() const override { return tests_; }

 private:
  /// All else that the library does for a query is done here, too.
  bool decide(const PosePair& pair) {
    gi::check_pose(pair.a);
    gi::check_pose(pair.b);
    gi::check_sizes(body_);
    gi::check_sizes(body_);
    const Transform relative = relative_pose(pair.a, pair.b);
    found_.verdict = Verdict::separate;
    found_.complete = true;
    found_.pairs.clear();
    found_.level = -1;
    found_.within = std::numeric_limits<double>::infinity();
    found_.sphere_tests = found_.triangle_tests = 0;
    gi::Limits limits(0, gi::Limits::Clock::time_point::max());
    for (std::uint32_t i = 0; i < trees_.size() && !found_.colliding(); ++i)
      for (std::uint32_t j = 0; j < trees_.size() && !found_.colliding(); ++j) {
        gi::Search search{.a = {body_.images[i], body_.pyramids[i], -1},
                          .b = {body_.images[j], body_.pyramids[j], -1},
                          .frame = gi::make_frame(relative, trees_[i]->sphere, trees_[j]->sphere),
                          .image_a = i,
                          .image_b = j,
                          .limits = limits,
                          .found = found_};
        TreeWalk(search, *trees_[i], *trees_[j]).run();
      }
    found_.place = apply(pair.a, found_.place);
    tests_ += found_.sphere_tests;
    return found_.colliding();
  }

  const ImageBody& body_;
  std::vector<std::unique_ptr<TreeNode>> trees_;  ///< of each image
  std::span<const PosePair> pairs_;
  ImageCollision found_;
  std::uint64_t tests_ = 0;
};

class ImageMethod final : public PairMethod {
 public:
  explicit ImageMethod(const ImageBody& body) : body_(body) {}

  void take(std::span<const PosePair> pairs) override { pairs_ = pairs; }
  void decide(std::span<std::uint8_t> colliding) override {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ImageCollision& found = collider_.collide(body_, pairs_[i].a, body_, pairs_[i].b);
      colliding[i] = found.colliding() ? 1 : 0;
      tests_ += found.sphere_tests;
    }
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t bytes = 0;
    for (const SpherePyramid& pyramid : body_.pyramids) bytes += pyramid.pixels().size_bytes();
    return bytes;
  }
  [[nodiscard]] std::uint64_t volume_tests() const override { return tests_; }

 private:
  const ImageBody& body_;
  ImageCollider collider_;
  std::span<const PosePair> pairs_;
  std::uint64_t tests_ = 0;
};

}  // namespace

std::unique_ptr<PairMethod> make_image_method(const ImageBody& body) { return std::make_unique<ImageMethod>(body); }
std::unique_ptr<PairMethod> make_tree_method(const ImageBody& body) { return std::make_unique<TreeMethod>(body); }

}  // namespace lamella::cli
