// A geometry image against plain triangles, which GI-COLLIDE leaves to future work. Nothing is built for the mesh:
// consecutive triangles of a mesh are mostly near each other, so blocks of them walk down the pyramid together until
// its spheres are as small as the block's own; from there every triangle goes on alone.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mesh_check.hpp"
#include "core/triangles_meet.hpp"
#include "core/world_only.hpp"
#include "geometry_image/collide_state.hpp"
#include "geometry_image/search.hpp"
#include "geometry_image/spheres.hpp"

namespace lamella {
namespace gi {
namespace {

constexpr std::size_t kBlock = 32;

/// Whether squares of distances cannot overflow.
bool in_range(Vec3 p) {
  const auto fine = [](float x) { return std::abs(x) <= kMaxImageCoordinate; };
  return fine(p.x) && fine(p.y) && fine(p.z);
}

/// Around the box's centre; the slack covers its rounding.
Sphere sphere_about(const Aabb& box, std::span<const Vec3> points) {
  const Vec3 c = center(box);
  float radius = 0;
  for (const Vec3 p : points) radius = std::max(radius, length(p - c));
  return {c.x, c.y, c.z, radius};
}

class MeshWalk {
 public:
  MeshWalk(MeshView placed, const ImageCollideOptions& options, Limits& limits, ImageCollision& found)
      : mesh_(placed), options_(options), limits_(limits), found_(found) {}

  void run(const Side& side, std::uint32_t image) {
    a_ = &side;
    image_ = image;
    for (std::size_t begin = 0; begin < mesh_.triangles.size(); begin += kBlock) {
      take_block(begin, std::min(mesh_.triangles.size(), begin + kBlock));
      if (block_.empty()) continue;
      shared_.clear();
      if (!down({}, sphere_about(block_box_, block_points_), true)) return;
      for (const std::uint32_t triangle : block_)
        if (!visit_triangle(triangle)) return;
    }
  }

 private:
  void take_block(std::size_t begin, std::size_t end) {
    block_.clear();
    block_points_.clear();
    block_box_ = {};
    double largest = reach(a_->at({}));
    for (std::size_t i = begin; i < end; ++i) {
      const Triangle t = mesh_.triangles[i];
      const std::span<const Vec3> p = mesh_.positions;
      if (!in_range(p[t.a]) || !in_range(p[t.b]) || !in_range(p[t.c])) continue;
      block_.push_back(static_cast<std::uint32_t>(i));
      for (int k = 0; k < 3; ++k) {
        block_points_.push_back(mesh_.positions[t[k]]);
        block_box_ = extend(block_box_, block_points_.back());
      }
    }
    // Of this block only: one vertex far away must not make the tests of all others coarse.
    if (!block_.empty())
      for (int k = 0; k < 3; ++k) largest += std::max(std::abs(block_box_.min[k]), std::abs(block_box_.max[k]));
    slack_ = slack_for(2 * largest);
  }

  /// False: the search is over.
  bool visit_triangle(std::uint32_t number) {
    const Triangle t = mesh_.triangles[number];
    const Vec3 p[3] = {mesh_.positions[t.a], mesh_.positions[t.b], mesh_.positions[t.c]};
    const Sphere sphere = sphere_about(extend(extend(extend(Aabb{}, p[0]), p[1]), p[2]), p);
    std::copy(p, p + 3, corners_);
    number_ = number;
    for (const Node node : shared_)
      if (!down(node, sphere, false)) return false;
    return true;
  }

  /// Searches below `node` for spheres that overlap `sphere`. For a block's sphere this ends where spheres are as small
  /// as it, and those go to shared_; for a triangle's it ends at the last level. False: the search is over.
  bool down(Node node, const Sphere& sphere, bool block) {
    if (stop()) return false;
    if (!overlaps(node, sphere)) return true;
    stack_.assign(1, node);
    while (!stack_.empty()) {
      if (stop()) return false;
      const Node here = stack_.back();
      stack_.pop_back();
      found_.level = std::max(found_.level, here.level());
      note_closest(found_, a_->at(here), sphere, slack_);
      if (block && (here.level() == a_->bottom || a_->at(here).radius <= sphere.radius)) {
        shared_.push_back(here);
      } else if (here.level() == a_->bottom) {
        if (visit_quad(here, sphere)) return false;
      } else {
        found_.sphere_test_count += 4;
        for (unsigned mask = not_negative(depths(children(*a_, here), sphere, slack_)); mask != 0; mask &= mask - 1)
          stack_.push_back(here.child(static_cast<unsigned>(std::countr_zero(mask))));
      }
    }
    return true;
  }

  bool stop() {
    if (!limits_.reached(found_.sphere_test_count + found_.triangle_test_count)) return false;
    found_.complete = false;
    return true;
  }

  bool overlaps(Node node, const Sphere& sphere) {
    const Sphere s = a_->at(node);
    ++found_.sphere_test_count;
    return (not_negative(depths({all(s.x), all(s.y), all(s.z), all(s.radius)}, sphere, slack_)) & 1u) != 0;
  }

  /// True: the search is over.
  bool visit_quad(Node node, const Sphere& sphere) {
    if (options_.max_level >= 0) {
      note_spheres(found_, a_->at(node), sphere, slack_);
      return !options_.all;
    }
    limits_.long_visit();
    const Corners quad = corners(*a_, node);
    found_.triangle_test_count += 2;
    const unsigned mask = triangle_meets_quad(corners_, quad.p);
    for (unsigned i = 0; i < 2; ++i) {
      if ((mask >> i & 1u) == 0) continue;
      const Vec3 triangle[3] = {quad.p[0], quad.p[1 + i], quad.p[2 + i]};
      found_.pairs.push_back({image_, 2 * quad_number(*a_, node) + i, 0, number_});
      note_collision(found_, meeting_point(triangle, corners_));
      if (!options_.all) return true;
    }
    return false;
  }

  const Side* a_ = nullptr;
  std::uint32_t image_ = 0;
  MeshView mesh_;    ///< in a's frame
  float slack_ = 0;  ///< of the current block
  const ImageCollideOptions& options_;
  Limits& limits_;
  ImageCollision& found_;
  std::vector<std::uint32_t> block_;  ///< triangles
  std::vector<Vec3> block_points_;
  Aabb block_box_;
  std::vector<Node> shared_, stack_;
  Vec3 corners_[3];
  std::uint32_t number_ = 0;
};

/// Calls work(begin, count) for parts of [0, n), and reads the clock in between. A part is as large as all before it,
/// up to some microseconds of work: so not much more time is used than there is, however short. False: time is up.
template <class Work>
bool in_parts(std::size_t n, Limits& limits, const Work& work) {
  constexpr std::size_t kFirst = 128, kMost = 2048;
  for (std::size_t begin = 0; begin < n;) {
    limits.look_next();
    if (limits.reached(0)) return false;
    const std::size_t count = std::min(std::clamp(begin, kFirst, kMost), n - begin);
    work(begin, count);
    begin += count;
  }
  limits.look_next();
  return !limits.reached(0);
}

/// Checks and places a mesh, which may have millions of vertices. False: time is up.
bool place(MeshView mesh, const Placement& placement, Limits& limits, std::vector<Vec3>& out) {
  const auto check = [&](std::size_t begin, std::size_t count) {
    if (max_index(mesh.triangles.subspan(begin, count)) >= mesh.positions.size()) fail_index(mesh);
  };
  if (!in_parts(mesh.triangles.size(), limits, check)) return false;
  out.reserve(mesh.positions.size());  // without touching the memory
  return in_parts(mesh.positions.size(), limits, [&](std::size_t begin, std::size_t count) {
    if (out.size() < begin + count) out.resize(begin + count);
    (void)place_positions(mesh.positions.subspan(begin, count), placement, out.data() + begin);
  });
}

}  // namespace
}  // namespace gi

const ImageCollision& ImageCollider::collide(BodyRef a, const Transform& pose_a, MeshView b, const Transform& pose_b,
                                             const ImageCollideOptions& options) {
  check_world_only(b, "collide");
  ImageCollision& result = state_->begin(pose_a, pose_b, options);
  gi::check_sizes(a);
  result.enclosing = gi::encloses(a);
  gi::Limits limits(options.max_tests, state_->deadline);
  result.complete = gi::place(b, placement_of(state_->relative), limits, state_->placed);
  gi::MeshWalk walk({state_->placed, b.triangles}, options, limits, result);
  for (std::uint32_t i = 0; i < gi::size_of(a); ++i) {
    if (!result.complete || (result.colliding() && !options.all)) break;
    const gi::Side side = gi::side_of(a, i, options.max_level);
    walk.run(side, i);
  }
  return state_->end(pose_a);
}

}  // namespace lamella
