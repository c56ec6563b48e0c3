#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/check_pose.hpp"
#include "geometry_image/collide_state.hpp"
#include "geometry_image/search.hpp"
#include "lamella/error.hpp"

namespace lamella {

void gi::check_pose(const Transform& pose) {
  // Spheres keep their size under a pose, so it must not scale by more than their slack allows.
  lamella::check_pose(pose, 1e-6);
}

namespace {

struct Ball {
  Vec3d center;
  double radius = -1;  ///< below 0: not computed
};

Ball ball_of(const Sphere& s) { return {{s.x, s.y, s.z}, s.radius}; }

/// Around all images of a body, at least one, centred on the box of their root spheres.
Ball ball_about(BodyRef body) {
  const std::size_t images = gi::size_of(body);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Vec3d low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
  for (std::size_t i = 0; i < images; ++i) {
    const Ball root = ball_of(gi::root_of(body, i));
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], root.center[k] - root.radius);
      high[k] = std::max(high[k], root.center[k] + root.radius);
    }
  }
  Ball ball{(low + high) * 0.5, 0};
  for (std::size_t i = 0; i < images; ++i) {
    const Ball root = ball_of(gi::root_of(body, i));
    const Vec3d d = root.center - ball.center;
    ball.radius = std::max(ball.radius, std::sqrt(dot(d, d)) + root.radius);
  }
  return ball;
}

/// Whether b, given in a's frame, cannot touch a, with a margin far larger than any rounding of their vertices.
bool apart(const Ball& a, const Ball& b) {
  const Vec3d d = b.center - a.center;
  const double largest = std::sqrt(dot(a.center, a.center)) + std::sqrt(dot(b.center, b.center)) + a.radius + b.radius;
  return std::sqrt(dot(d, d)) > a.radius + b.radius + largest * 0x1p-18;
}

/// In the world.
Sphere placed(const Transform& pose, Sphere sphere) {
  const Vec3 p = to_float(apply(pose, {sphere.x, sphere.y, sphere.z}));
  return {p.x, p.y, p.z, sphere.radius};
}

void report_visit(const gi::Search& search, const Transform& pose_a, const gi::Task& task,
                  const std::function<void(const VisitedSphere& a, const VisitedSphere& b)>& visited) {
  const auto of = [&](std::uint32_t image, gi::Node node, const Sphere& sphere) {
    return VisitedSphere{image, node.level(), node.x(), node.y(), placed(pose_a, sphere)};
  };
  visited(of(search.image_a, task.a, search.a.at(task.a)),
          of(search.image_b, task.b, {task.x, task.y, task.z, task.b_radius}));
}

}  // namespace

Transform relative_pose(const Transform& frame, const Transform& placed) {
  const Quaternion back = conjugate(frame.rotation);
  return {rotate(back, placed.translation - frame.translation), back * placed.rotation};
}

ImageCollision& ImageCollider::State::begin(const Transform& pose_a, const Transform& pose_b,
                                            const ImageCollideOptions& options) {
  deadline = gi::deadline_after(options.budget);
  gi::check_pose(pose_a);
  gi::check_pose(pose_b);
  relative = relative_pose(pose_a, pose_b);
  std::vector<TrianglePair> pairs = std::move(result.pairs);
  pairs.clear();
  result = {};
  result.pairs = std::move(pairs);
  result.within = std::numeric_limits<double>::infinity();
  return result;
}

const ImageCollision& ImageCollider::State::end(const Transform& pose_a) {
  if (result.verdict != Verdict::colliding) {
    if (!result.complete || !result.enclosing) result.verdict = Verdict::undecided;
    if (result.complete) result.within = std::numeric_limits<double>::infinity();
  }
  result.position = apply(pose_a, result.position);
  return result;
}

ImageCollider::ImageCollider() : state_(std::make_unique<State>()) {}
ImageCollider::~ImageCollider() = default;
ImageCollider::ImageCollider(ImageCollider&&) noexcept = default;
ImageCollider& ImageCollider::operator=(ImageCollider&&) noexcept = default;

const ImageCollision& ImageCollider::collide(BodyRef a, const Transform& pose_a, BodyRef b, const Transform& pose_b,
                                             const ImageCollideOptions& options) {
  ImageCollision& result = state_->begin(pose_a, pose_b, options);
  gi::check_sizes(a);
  gi::check_sizes(b);
  result.enclosing = gi::encloses(a) && gi::encloses(b);
  const std::size_t count_a = gi::size_of(a), count_b = gi::size_of(b);
  gi::Limits limits(options.max_tests, state_->deadline);
  const auto stop = [&] {
    if (limits.reached(result.sphere_test_count + result.triangle_test_count)) result.complete = false;
    return !result.complete || (result.colliding() && !options.all);
  };
  // Bodies of many images: most pairs of images need no search.
  Ball all_of_b;
  if (count_a * count_b > 1 && !stop()) {
    all_of_b = ball_about(b);
    all_of_b.center = apply(state_->relative, all_of_b.center);
    ++result.sphere_test_count;
    if (apart(ball_about(a), all_of_b)) return state_->end(pose_a);
  }
  for (std::uint32_t i = 0; i < count_a && !stop(); ++i) {
    if (all_of_b.radius >= 0) {
      ++result.sphere_test_count;
      if (apart(ball_of(gi::root_of(a, i)), all_of_b)) continue;
    }
    for (std::uint32_t j = 0; j < count_b && !stop(); ++j) {
      gi::Search search{.a = gi::side_of(a, i, options.max_level),
                        .b = gi::side_of(b, j, options.max_level),
                        .frame = gi::make_frame(state_->relative, gi::root_of(a, i), gi::root_of(b, j)),
                        .image_a = i,
                        .image_b = j,
                        .all = options.all,
                        .triangles = options.max_level < 0,
                        .zigzag = options.walk == ImageWalk::zigzag,
                        .limits = limits,
                        .found = result};
      std::function<void(const gi::Task&)> report;  // made only when it is asked for: it allocates
      if (options.visited) {
        report = [&](const gi::Task& task) { report_visit(search, pose_a, task, options.visited); };
        search.visited = &report;
      }
      gi::run(search);
    }
  }
  return state_->end(pose_a);
}

ImageCollision ImageCollider::take() { return std::move(state_->result); }

ImageCollision collide(BodyRef a, const Transform& pose_a, BodyRef b, const Transform& pose_b,
                       const ImageCollideOptions& options) {
  ImageCollider collider;
  (void)collider.collide(a, pose_a, b, pose_b, options);
  return collider.take();
}

ImageCollision collide(BodyRef a, const Transform& pose_a, MeshView b, const Transform& pose_b,
                       const ImageCollideOptions& options) {
  ImageCollider collider;
  (void)collider.collide(a, pose_a, b, pose_b, options);
  return collider.take();
}

}  // namespace lamella
