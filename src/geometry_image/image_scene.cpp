#include "lamella/image_scene.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/placement.hpp"
#include "engines/whole_query.hpp"
#include "scene/broad_phase.hpp"

namespace lamella {
namespace {

using Clock = std::chrono::steady_clock;

/// The box of a body that has no image.
constexpr Aabb kNothing{};

Aabb local_bounds(const ImageBody& body) {
  Aabb box;
  for (const GeometryImage& image : body.images) box = unite(box, bounds({image.positions, {}}));
  return box;
}

/// A box about `local` placed by `pose`, rounded outwards.
Aabb placed_bounds(const Aabb& local, const Transform& pose) {
  if (local.empty()) return kNothing;
  const software::Placement place = placement_of(pose);
  const Vec3d low = to_double(local.min), high = to_double(local.max);
  const Vec3d middle = (low + high) * 0.5, half = (high - low) * 0.5;
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const Vec3d r = place.rows[k];
    const double at = dot(r, middle) + place.translation[k];
    const double reach = std::abs(r.x) * half.x + std::abs(r.y) * half.y + std::abs(r.z) * half.z;
    // Wider than any rounding of placed vertices; where boxes only touch their surfaces may, too.
    const double margin = (std::abs(at) + reach) * 0x1p-21 + std::numeric_limits<float>::min();
    box.min[k] = static_cast<float>(at - reach - margin);
    box.max[k] = static_cast<float>(at + reach + margin);
  }
  return box;
}

}  // namespace

struct ImageScene::State {
  struct Object {
    std::shared_ptr<const ImageBody> body;  ///< empty: the id is free
    Transform pose;
    Aabb local;
  };
  struct Decision {
    ImageScenePair pair;
    std::vector<TrianglePair> triangles;
    std::uint64_t sphere_tests = 0, triangle_tests = 0;
  };

  explicit State(const ImageSceneOptions& given) : options(given), workers(given.threads), colliders(workers.count()) {}

  void decide(std::size_t i, BoxPair boxes, unsigned worker, Clock::time_point deadline, std::size_t left);
  void gather(std::size_t active);

  ImageSceneOptions options;
  Workers workers;
  std::vector<ImageCollider> colliders;  ///< one per worker
  BroadPhase broad;
  std::vector<Object> objects;  ///< by id, which is the broad phase's number
  std::vector<Decision> decisions;
  ImageSceneResult result;
};

void ImageScene::State::decide(std::size_t i, BoxPair boxes, unsigned worker, Clock::time_point deadline,
                               std::size_t left) {
  ImageCollideOptions asked = options.collide;
  if (deadline != Clock::time_point::max()) {
    // An even share of what is left; what one pair does not use goes to those after it.
    const auto share = (deadline - Clock::now()) * workers.running() / static_cast<Clock::rep>(left);
    const std::chrono::nanoseconds mine = std::max(std::chrono::nanoseconds(1), std::chrono::nanoseconds(share));
    if (asked.budget.count() == 0 || mine < asked.budget) asked.budget = mine;
  }
  const Object &a = objects[boxes.first], &b = objects[boxes.second];
  const ImageCollision& found = colliders[worker].collide(*a.body, a.pose, *b.body, b.pose, asked);
  Decision& out = decisions[i];
  out.pair = {.first = boxes.first,
              .second = boxes.second,
              .verdict = found.verdict,
              .level = found.level,
              .place = found.place,
              .within = found.within};
  out.triangles.assign(found.pairs.begin(), found.pairs.end());
  out.sphere_tests = found.sphere_tests;
  out.triangle_tests = found.triangle_tests;
}

void ImageScene::State::gather(std::size_t active) {
  result.active.clear();
  result.pairs.clear();
  result.colliding = 0;
  result.sphere_tests = result.triangle_tests = 0;
  for (std::size_t i = 0; i < active; ++i) {
    Decision& decision = decisions[i];
    decision.pair.pairs_begin = static_cast<std::uint32_t>(result.pairs.size());
    result.pairs.insert(result.pairs.end(), decision.triangles.begin(), decision.triangles.end());
    decision.pair.pairs_end = static_cast<std::uint32_t>(result.pairs.size());
    result.colliding += decision.pair.verdict == Verdict::colliding ? 1 : 0;
    result.sphere_tests += decision.sphere_tests;
    result.triangle_tests += decision.triangle_tests;
    result.active.push_back(decision.pair);
  }
}

ImageScene::ImageScene(const ImageSceneOptions& options) : state_(std::make_unique<State>(options)) {}
ImageScene::~ImageScene() = default;
ImageScene::ImageScene(ImageScene&&) noexcept = default;
ImageScene& ImageScene::operator=(ImageScene&&) noexcept = default;

std::uint32_t ImageScene::add(std::shared_ptr<const ImageBody> body, const Transform& pose) {
  const Aabb local = local_bounds(*body);
  const std::uint32_t id = state_->broad.add(placed_bounds(local, pose));
  if (id >= state_->objects.size()) state_->objects.resize(id + 1);
  state_->objects[id] = {std::move(body), pose, local};
  return id;
}

void ImageScene::remove(std::uint32_t id) {
  state_->broad.remove(id);
  state_->objects[id] = {};
}

void ImageScene::set_pose(std::uint32_t id, const Transform& pose) {
  State::Object& object = state_->objects[id];
  object.pose = pose;
  state_->broad.move(id, placed_bounds(object.local, pose));
}

void ImageScene::moved(std::uint32_t id) {
  State::Object& object = state_->objects[id];
  object.local = local_bounds(*object.body);
  set_pose(id, object.pose);
}

const Transform& ImageScene::pose(std::uint32_t id) const { return state_->objects[id].pose; }

const ImageSceneResult& ImageScene::update() {
  State& state = *state_;
  Stopwatch watch;
  const Clock::time_point deadline =
      state.options.budget.count() > 0 ? Clock::now() + state.options.budget : Clock::time_point::max();
  const std::span<const BoxPair> active = state.broad.update();
  if (state.decisions.size() < active.size()) state.decisions.resize(active.size());
  watch.lap(state.result.broad_ms);
  constexpr std::size_t kPairsAtATime = 4;  // some tens of microseconds
  state.workers.for_chunks(active.size(), kPairsAtATime, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t i = begin; i < end; ++i) state.decide(i, active[i], worker, deadline, active.size() - i);
  });
  state.gather(active.size());
  watch.lap(state.result.narrow_ms);
  return state.result;
}

}  // namespace lamella
