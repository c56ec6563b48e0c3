// The sphere tree that GI-COLLIDE compares itself with in section 5.2: "exactly the same information and the same
// hierarchy", but every node allocated by itself and found by pointers. One plain search is compiled for nodes of
// either kind, so that a difference in time comes from nothing else.

#include <vector>

#include "bench/boxes.hpp"
#include "bench/gi/methods.hpp"

namespace lamella::bench {
namespace {

/// Where a sphere is in its pyramid.
struct Place {
  std::uint32_t level = 0, x = 0, y = 0;
  [[nodiscard]] Place child(unsigned i) const { return {level + 1, 2 * x + (i & 1u), 2 * y + (i >> 1)}; }
};

/// Spheres by their places in the library's pyramid.
class IndexTree {
 public:
  using Node = Place;
  explicit IndexTree(const SpherePyramid& pyramid) : pyramid_(&pyramid) {}

  [[nodiscard]] Node root() const { return {}; }
  [[nodiscard]] const Sphere& sphere(Node n) const { return pyramid_->at(static_cast<int>(n.level), n.x, n.y); }
  [[nodiscard]] bool leaf(Node n) const { return static_cast<int>(n.level) == pyramid_->n(); }
  [[nodiscard]] Node child(Node n, unsigned i) const { return n.child(i); }
  [[nodiscard]] Place place(Node n) const { return n; }
  [[nodiscard]] std::size_t bytes() const { return pyramid_->pixels().size_bytes(); }

 private:
  const SpherePyramid* pyramid_;
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
  explicit PointerTree(const SpherePyramid& pyramid) : top_(copy(pyramid, {})) {}

  [[nodiscard]] Node root() const { return top_.get(); }
  [[nodiscard]] const Sphere& sphere(Node n) const { return n->sphere; }
  [[nodiscard]] bool leaf(Node n) const { return n->below[0] == nullptr; }
  [[nodiscard]] Node child(Node n, unsigned i) const { return n->below[i].get(); }
  [[nodiscard]] Place place(Node n) const { return n->place; }
  [[nodiscard]] std::size_t bytes() const { return nodes_ * sizeof(Data); }

 private:
  std::unique_ptr<Data> copy(const SpherePyramid& from, Place place) {
    auto data = std::make_unique<Data>();
    data->sphere = from.at(static_cast<int>(place.level), place.x, place.y);
    data->place = place;
    ++nodes_;
    if (static_cast<int>(place.level) < from.n())
      for (unsigned i = 0; i < 4; ++i) data->below[i] = copy(from, place.child(i));
    return data;
  }

  std::size_t nodes_ = 0;
  std::unique_ptr<Data> top_;
};

/// A pose as a matrix, which places vertices as transformed() does, to the bit.
class Placing {
 public:
  explicit Placing(const Transform& pose) : translation_(pose.translation) {
    const auto [x, y, z, w] = pose.rotation;
    rows_[0] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)};
    rows_[1] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
    rows_[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  }

  [[nodiscard]] Vec3d operator()(Vec3d p) const {
    const auto along = [&](int k) { return rows_[k].x * p.x + rows_[k].y * p.y + rows_[k].z * p.z + translation_[k]; };
    return {along(0), along(1), along(2)};
  }

 private:
  Vec3d rows_[3], translation_;
};

/// How far from the origin a sphere reaches.
double reach(const Sphere& s) { return length(Vec3d{s.x, s.y, s.z}) + s.radius; }

struct Quad {
  Vec3 corners[4];
};

Quad quad_at(const GeometryImage& image, Place place) {
  const std::size_t row = image.side();
  const Vec3* low = image.positions.data() + place.y * row + place.x;
  return {{low[0], low[1], low[row + 1], low[row]}};
}

bool quads_meet(const Quad& a, const Quad& b) {
  Aabb box_a, box_b;
  for (const Vec3 p : a.corners) box_a = extend(box_a, p);
  for (const Vec3 p : b.corners) box_b = extend(box_b, p);
  if (!boxes_meet(box_a, box_b)) return false;
  for (const unsigned i : {0u, 1u}) {
    const Vec3 first[3] = {a.corners[0], a.corners[1 + i], a.corners[2 + i]};
    for (const unsigned j : {0u, 1u}) {
      const Vec3 second[3] = {b.corners[0], b.corners[1 + j], b.corners[2 + j]};
      if (triangles_meet(first, second)) return true;
    }
  }
  return false;
}

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
  using Node = typename Tree::Node;

  bool decide(const PosePair& pair) {
    const Placing placing(relative_pose(pair.a, pair.b));
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      for (std::size_t j = 0; j < trees_.size(); ++j) {
        if (search(i, j, placing)) return true;
      }
    }
    return false;
  }

  /// Both trees are walked down at once; of two spheres that overlap the larger is opened.
  bool search(std::size_t i, std::size_t j, const Placing& placing) {
    const Tree &a = trees_[i], &b = trees_[j];
    stack_.assign(1, {a.root(), b.root()});
    // More than any rounding of a vertex.
    const Vec3d far = placing({});
    const double slack = 1e-6 * (length(far) + reach(a.sphere(a.root())) + reach(b.sphere(b.root())));
    while (!stack_.empty()) {
      const auto [node_a, node_b] = stack_.back();
      stack_.pop_back();
      const Sphere &one = a.sphere(node_a), &other = b.sphere(node_b);
      ++tests_;
      const Vec3d apart = placing({other.x, other.y, other.z}) - Vec3d{one.x, one.y, one.z};
      const double radii = double{one.radius} + other.radius + slack;
      if (dot(apart, apart) > radii * radii) continue;
      const bool leaf_a = a.leaf(node_a), leaf_b = b.leaf(node_b);
      if (leaf_a && leaf_b) {
        Quad there = quad_at(body_.images[j], b.place(node_b));
        for (Vec3& p : there.corners) p = to_float(placing(to_double(p)));
        if (quads_meet(quad_at(body_.images[i], a.place(node_a)), there)) return true;
      } else if (leaf_b || (!leaf_a && one.radius > other.radius)) {
        for (unsigned k = 0; k < 4; ++k) stack_.push_back({a.child(node_a, k), node_b});
      } else {
        for (unsigned k = 0; k < 4; ++k) stack_.push_back({node_a, b.child(node_b, k)});
      }
    }
    return false;
  }

  const ImageBody& body_;
  std::vector<Tree> trees_;  ///< of each image
  std::span<const PosePair> pairs_;
  std::vector<std::pair<Node, Node>> stack_;
  std::uint64_t tests_ = 0;
};

}  // namespace

std::unique_ptr<PairMethod> make_index_method(const ImageBody& body) {
  return std::make_unique<TreeMethod<IndexTree>>(body);
}
std::unique_ptr<PairMethod> make_pointer_method(const ImageBody& body) {
  return std::make_unique<TreeMethod<PointerTree>>(body);
}

}  // namespace lamella::bench
