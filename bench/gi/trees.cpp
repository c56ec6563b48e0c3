// The sphere tree that GI-COLLIDE compares itself with in section 5.2: "exactly the same information and the same
// hierarchy", but every node allocated by itself and found by pointers. One search is compiled for nodes of either
// kind, so that a difference in time comes from nothing else. It makes the library's tests of spheres in the library's
// order; at the bottom it tests triangles one by one, where the library tests four pairs at once.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "bench/gi/methods.hpp"

namespace lamella::bench {
namespace {

// Four floats in one register, by the vector types that GCC and Clang share.
using Four = float __attribute__((vector_size(16)));

Four same(float value) { return Four{value, value, value, value}; }

/// Bit i: lane i is 0 or more.
unsigned not_negative(Four v) {
  const auto yes = v >= same(0);
  return static_cast<unsigned>((yes[0] & 1) | (yes[1] & 2) | (yes[2] & 4) | (yes[3] & 8));
}

struct Spheres {
  Four x, y, z, r;
};

Spheres gather(const Sphere& first, const Sphere& second, const Sphere& third, const Sphere& fourth) {
  Four a, b, c, d;
  std::memcpy(&a, &first, sizeof a);
  std::memcpy(&b, &second, sizeof b);
  std::memcpy(&c, &third, sizeof c);
  std::memcpy(&d, &fourth, sizeof d);
  const Four ac_low = __builtin_shufflevector(a, c, 0, 4, 1, 5), ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const Four bd_low = __builtin_shufflevector(b, d, 0, 4, 1, 5), bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  return {__builtin_shufflevector(ac_low, bd_low, 0, 4, 1, 5), __builtin_shufflevector(ac_low, bd_low, 2, 6, 3, 7),
          __builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5), __builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7)};
}

/// Where a sphere is in its pyramid: level, row and column in one word, as the library has it.
struct Place {
  std::uint32_t word = 0;

  [[nodiscard]] int level() const { return static_cast<int>(word >> 28); }
  [[nodiscard]] std::uint32_t x() const { return word & 0x3fffu; }
  [[nodiscard]] std::uint32_t y() const { return word >> 14 & 0x3fffu; }
  [[nodiscard]] Place child(unsigned i) const {
    const std::uint32_t below = (word & 0xf0000000u) + (1u << 28);
    return {(below | (word & 0x0fffffffu) << 1) + (i & 1u) + ((i >> 1) << 14)};
  }
};

/// Spheres by their places in the library's pyramid.
class IndexTree {
 public:
  using Node = Place;

  explicit IndexTree(const SpherePyramid& pyramid)
      : pixels_(pyramid.pixels().data()),
        origins_(pyramid.offsets().data()),
        width_(pyramid.width()),
        levels_(pyramid.levels()),
        bytes_(pyramid.pixels().size_bytes()) {}

  [[nodiscard]] Node root() const { return {}; }
  [[nodiscard]] const Sphere& sphere(Node node) const {
    return pixels_[origins_[node.level()] + node.y() * width_ + node.x()];
  }
  [[nodiscard]] bool leaf(Node node) const { return node.level() == levels_; }
  [[nodiscard]] Node child(Node node, unsigned i) const { return node.child(i); }
  [[nodiscard]] Spheres children(Node node) const {
    const Sphere* low = &sphere(node.child(0));
    return gather(low[0], low[1], low[width_], low[width_ + 1]);
  }
  [[nodiscard]] Place place(Node node) const { return node; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  const Sphere* pixels_;
  const std::size_t* origins_;
  std::size_t width_;
  int levels_;
  std::size_t bytes_;
};

/// Every sphere in memory of its own.
class PointerTree {
  struct Data {
    Sphere sphere;
    std::unique_ptr<Data> below[4];  ///< all or none
    Place place;                     ///< tells a leaf's quad
  };

 public:
  using Node = const Data*;

  explicit PointerTree(const SpherePyramid& pyramid)
      : top_(copy(pyramid, {})), bytes_(((std::size_t{4} << (2 * pyramid.levels())) - 1) / 3 * sizeof(Data)) {}

  [[nodiscard]] Node root() const { return top_.get(); }
  [[nodiscard]] const Sphere& sphere(Node node) const { return node->sphere; }
  [[nodiscard]] bool leaf(Node node) const { return node->below[0] == nullptr; }
  [[nodiscard]] Node child(Node node, unsigned i) const { return node->below[i].get(); }
  [[nodiscard]] Spheres children(Node node) const {
    const auto& four = node->below;
    return gather(four[0]->sphere, four[1]->sphere, four[2]->sphere, four[3]->sphere);
  }
  [[nodiscard]] Place place(Node node) const { return node->place; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static std::unique_ptr<Data> copy(const SpherePyramid& from, Place place) {
    auto data = std::make_unique<Data>();
    data->sphere = from.at(place.level(), place.x(), place.y());
    data->place = place;
    if (place.level() < from.levels())
      for (unsigned i = 0; i < 4; ++i) data->below[i] = copy(from, place.child(i));
    return data;
  }

  std::unique_ptr<Data> top_;
  std::size_t bytes_;
};

/// b as a sees it.
struct Frame {
  double rows[3][3], translation[3];             ///< for vertices
  float float_rows[3][3], float_translation[3];  ///< the same for spheres
  float slack;  ///< added to the sum of two radii: covers all rounding on the way to a test
};

double reach(const Sphere& s) {
  return std::sqrt(double{s.x} * s.x + double{s.y} * s.y + double{s.z} * s.z) + s.radius;
}

Frame make_frame(const Transform& relative, const Sphere& a, const Sphere& b) {
  const auto [x, y, z, w] = relative.rotation;
  const Vec3d t = relative.translation;
  Frame frame{{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
              {t.x, t.y, t.z},
              {},
              {},
              0};
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) frame.float_rows[k][j] = static_cast<float>(frame.rows[k][j]);
    frame.float_translation[k] = static_cast<float>(frame.translation[k]);
  }
  const double largest = std::sqrt(dot(t, t)) + 2 * reach(a) + 2 * reach(b);
  frame.slack = static_cast<float>(std::ldexp(largest, -24) * 16 + std::numeric_limits<float>::min());
  return frame;
}

Spheres placed(const Frame& frame, const Spheres& s) {
  const auto along = [&](int k) {
    const float* r = frame.float_rows[k];
    return (r[0] * s.x + r[1] * s.y) + (r[2] * s.z + frame.float_translation[k]);
  };
  return {along(0), along(1), along(2), s.r};
}

Vec3 placed(const Frame& frame, Vec3 p) {
  const Vec3d v = to_double(p);
  const auto along = [&](int k) {
    const double* r = frame.rows[k];
    return static_cast<float>(r[0] * v.x + r[1] * v.y + r[2] * v.z + frame.translation[k]);
  };
  return {along(0), along(1), along(2)};
}

/// By how much each of four spheres overlaps a single one, from 1 (concentric) to 0 (touching); below, not at all.
Four depths(const Spheres& four, const Sphere& one, float slack) {
  const Four x = four.x - one.x, y = four.y - one.y, z = four.z - one.z;
  const Four sum = four.r + (one.radius + slack);
  return 1 - (x * x + y * y + z * z) / (sum * sum + std::numeric_limits<float>::min());
}

struct Quad {
  Vec3 corners[4];
  Aabb box;
};

Quad quad_at(const GeometryImage& image, Place place) {
  const std::size_t row = image.side();
  const Vec3* low = image.positions.data() + place.y() * row + place.x();
  return {{low[0], low[1], low[row + 1], low[row]}, {}};
}

bool quads_meet(Quad a, Quad b) {
  for (Quad* quad : {&a, &b})
    for (const Vec3 p : quad->corners) quad->box = extend(quad->box, p);
  for (int k = 0; k < 3; ++k)
    if (a.box.max[k] < b.box.min[k] || b.box.max[k] < a.box.min[k]) return false;
  for (const unsigned i : {0u, 1u}) {
    const Vec3 first[3] = {a.corners[0], a.corners[1 + i], a.corners[2 + i]};
    for (const unsigned j : {0u, 1u}) {
      const Vec3 second[3] = {b.corners[0], b.corners[1 + j], b.corners[2 + j]};
      if (triangles_meet(first, second)) return true;
    }
  }
  return false;
}

/// One image with its spheres.
template <class Tree>
struct Side {
  const GeometryImage* image = nullptr;
  const Tree* tree = nullptr;
};

/// The search for the first collision of two images. Kept from pair to pair, for its stack is large.
template <class Tree>
class Walk {
 public:
  /// Whether they collide; adds the tests of spheres to `tests`.
  bool run(Side<Tree> a, Side<Tree> b, const Transform& relative, std::uint64_t& tests) {
    a_ = a;
    b_ = b;
    top_ = 0;
    const Sphere &one = a.tree->sphere(a.tree->root()), &root = b.tree->sphere(b.tree->root());
    frame_ = make_frame(relative, one, root);
    const Spheres there = placed(frame_, {same(root.x), same(root.y), same(root.z), same(root.radius)});
    const Four depth = depths(there, one, frame_.slack);
    tests_ = 1;
    if (depth[0] >= 0)
      stack_[top_++] = {
          a.tree->root(), b.tree->root(), {there.x[0], there.y[0], there.z[0], root.radius}, one.radius, depth[0]};
    bool found = false;
    while (top_ != 0 && !found) found = visit(stack_[--top_]);
    tests += tests_;
    return found;
  }

 private:
  using Node = typename Tree::Node;

  /// Two spheres that overlap and have yet to be looked into.
  struct Task {
    Node a, b;
    Sphere there;  ///< b's, in a's frame
    float a_radius, depth;
  };

  bool visit(const Task task) {
    const bool a_leaf = a_.tree->leaf(task.a), b_leaf = b_.tree->leaf(task.b);
    if (a_leaf && b_leaf) return visit_leaves(task);
    const unsigned before = top_;
    if (b_leaf || (!a_leaf && task.a_radius > 2 * task.there.radius))
      open_a(task.a, a_.tree->children(task.a), task.b, task.there);
    else
      open_b(task, !a_leaf && task.there.radius <= 2 * task.a_radius);
    most_overlapping_last(before);
    return false;
  }

  bool visit_leaves(const Task& task) const {
    Quad b = quad_at(*b_.image, b_.tree->place(task.b));
    for (Vec3& p : b.corners) p = placed(frame_, p);
    return quads_meet(quad_at(*a_.image, a_.tree->place(task.a)), b);
  }

  void open_a(Node parent, const Spheres& four, Node b, const Sphere& one) {
    const Four depth = depths(four, one, frame_.slack);
    tests_ += 4;
    for (unsigned mask = not_negative(depth); mask != 0; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      stack_[top_++] = {a_.tree->child(parent, i), b, one, four.r[i], depth[i]};
    }
  }

  void open_b(const Task& task, bool both) {
    const Spheres four = placed(frame_, b_.tree->children(task.b));
    const Four depth = depths(four, a_.tree->sphere(task.a), frame_.slack);
    tests_ += 4;
    unsigned mask = not_negative(depth);
    if (mask == 0) return;
    const Spheres below = both ? a_.tree->children(task.a) : Spheres{};
    for (; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      const Sphere there{four.x[i], four.y[i], four.z[i], four.r[i]};
      if (both)
        open_a(task.a, below, b_.tree->child(task.b, i), there);
      else
        stack_[top_++] = {task.a, b_.tree->child(task.b, i), there, task.a_radius, depth[i]};
    }
  }

  void most_overlapping_last(unsigned begin) {
    for (unsigned i = begin + 1; i < top_; ++i) {
      const Task task = stack_[i];
      unsigned j = i;
      for (; j > begin && stack_[j - 1].depth > task.depth; --j) stack_[j] = stack_[j - 1];
      stack_[j] = task;
    }
  }

  /// Every visit takes one task and leaves up to 16, and goes a level down in one tree at least.
  static constexpr unsigned kDeepest = 15 * 2 * (kMaxImageLevels + 1) + 16;

  Side<Tree> a_, b_;
  Frame frame_{};
  std::uint64_t tests_ = 0;
  unsigned top_ = 0;
  Task stack_[kDeepest];
};

template <class Tree>
class TreeMethod final : public PairMethod {
 public:
  explicit TreeMethod(const ImageBody& body) : body_(body) {
    for (const SpherePyramid& pyramid : body.pyramids) trees_.emplace_back(pyramid);
  }

  void take(std::span<const PosePair> pairs) override { pairs_ = pairs; }
  void decide(std::span<std::uint8_t> colliding) override {
    for (std::size_t i = 0; i < pairs_.size(); ++i) colliding[i] = decide(pairs_[i]) ? 1 : 0;
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t bytes = 0;
    for (const Tree& tree : trees_) bytes += tree.bytes();
    return bytes;
  }
  [[nodiscard]] std::uint64_t volume_tests() const override { return tests_; }

 private:
  bool decide(const PosePair& pair) {
    const Transform relative = relative_pose(pair.a, pair.b);
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      for (std::size_t j = 0; j < trees_.size(); ++j) {
        if (walk_.run({&body_.images[i], &trees_[i]}, {&body_.images[j], &trees_[j]}, relative, tests_)) return true;
      }
    }
    return false;
  }

  const ImageBody& body_;
  std::vector<Tree> trees_;  ///< of each image
  Walk<Tree> walk_;
  std::span<const PosePair> pairs_;
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
std::unique_ptr<PairMethod> make_index_method(const ImageBody& body) {
  return std::make_unique<TreeMethod<IndexTree>>(body);
}
std::unique_ptr<PairMethod> make_pointer_method(const ImageBody& body) {
  return std::make_unique<TreeMethod<PointerTree>>(body);
}

}  // namespace lamella::bench
