#include <cmath>
#include <limits>

#include "geometry_image/collide_state.hpp"
#include "geometry_image/search.hpp"
#include "lamella/error.hpp"
#include "response/algebra.hpp"

namespace lamella {
namespace {

bool finite(const Transform& pose) {
  const auto [x, y, z, w] = pose.rotation;
  const Vec3d t = pose.translation;
  return std::isfinite(x + y + z + w) && std::isfinite(t.x + t.y + t.z);
}

}  // namespace

Transform relative_pose(const Transform& frame, const Transform& placed) {
  using response::operator*;
  const Quaternion back = response::conjugate(frame.rotation);
  return {response::rotate(back, placed.translation - frame.translation), back * placed.rotation};
}

ImageCollision& ImageCollider::State::begin(const Transform& pose_a, const Transform& pose_b,
                                            const ImageCollideOptions& options) {
  if (!finite(pose_a) || !finite(pose_b)) throw Error("a pose is not finite: check the simulation for NaN");
  using Clock = std::chrono::steady_clock;
  deadline = options.budget.count() > 0 ? Clock::now() + options.budget : Clock::time_point::max();
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
    if (!result.complete)
      result.verdict = Verdict::undecided;
    else
      result.within = std::numeric_limits<double>::infinity();
  }
  result.place = apply(pose_a, result.place);
  return result;
}

ImageCollider::ImageCollider() : state_(std::make_unique<State>()) {}
ImageCollider::~ImageCollider() = default;
ImageCollider::ImageCollider(ImageCollider&&) noexcept = default;
ImageCollider& ImageCollider::operator=(ImageCollider&&) noexcept = default;

const ImageCollision& ImageCollider::collide(const ImageBody& a, const Transform& pose_a, const ImageBody& b,
                                             const Transform& pose_b, const ImageCollideOptions& options) {
  ImageCollision& result = state_->begin(pose_a, pose_b, options);
  gi::Limits limits(options.max_tests, state_->deadline);
  const auto over = [&] { return !result.complete || (result.colliding() && !options.all); };
  for (std::uint32_t i = 0; i < a.images.size() && !over(); ++i)
    for (std::uint32_t j = 0; j < b.images.size() && !over(); ++j) {
      gi::Search search{.a = {a.images[i], a.pyramids[i], options.max_level},
                        .b = {b.images[j], b.pyramids[j], options.max_level},
                        .frame = gi::make_frame(state_->relative, a.pyramids[i].root(), b.pyramids[j].root()),
                        .image_a = i,
                        .image_b = j,
                        .all = options.all,
                        .triangles = options.max_level < 0,
                        .limits = limits,
                        .found = result};
      gi::run(search);
    }
  return state_->end(pose_a);
}

ImageCollision collide(const ImageBody& a, const Transform& pose_a, const ImageBody& b, const Transform& pose_b,
                       const ImageCollideOptions& options) {
  return ImageCollider().collide(a, pose_a, b, pose_b, options);
}

}  // namespace lamella
