#include "lamella/image_scene.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "core/broad_phase.hpp"
#include "core/parallel.hpp"
#include "core/placement.hpp"
#include "core/stopwatch.hpp"
#include "geometry_image/search.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using Clock = std::chrono::steady_clock;

Aabb local_bounds(const ImageBody& body) {
  Aabb box;
  for (const GeometryImage& image : body.images) box = unite(box, bounds({image.positions, {}}));
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

  /// Throws Error when there is none.
  Object& object(std::uint32_t id);
  void decide(std::size_t i, BoxPair boxes, unsigned worker, std::chrono::nanoseconds share);
  void gather(std::size_t active);

  ImageSceneOptions options;
  Workers workers;
  std::vector<ImageCollider> colliders;  ///< one per worker
  BroadPhase broad;
  std::vector<Object> objects;  ///< by id, which is the broad phase's number
  std::vector<Decision> decisions;
  ImageSceneResult result;
};

ImageScene::State::Object& ImageScene::State::object(std::uint32_t id) {
  if (id >= objects.size() || objects[id].body == nullptr)
    throw Error("this scene has no object " + std::to_string(id) + ": it was removed, or added to another");
  return objects[id];
}

/// `share` of the scene's time: 0 without a budget, negative when it is spent.
void ImageScene::State::decide(std::size_t i, BoxPair boxes, unsigned worker, std::chrono::nanoseconds share) {
  Decision& out = decisions[i];
  if (share.count() < 0) {
    out.pair = {.first = boxes.first, .second = boxes.second, .verdict = Verdict::undecided, .complete = false};
    out.triangles.clear();
    out.sphere_tests = out.triangle_tests = 0;
    return;
  }
  ImageCollideOptions asked = options.collide;
  if (share.count() > 0 && (asked.budget.count() == 0 || share < asked.budget)) asked.budget = share;
  const Object &a = objects[boxes.first], &b = objects[boxes.second];
  const ImageCollision& found = colliders[worker].collide(*a.body, a.pose, *b.body, b.pose, asked);
  out.pair = {.first = boxes.first,
              .second = boxes.second,
              .verdict = found.verdict,
              .complete = found.complete,
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
  if (body == nullptr) throw Error("an object without a body cannot be added");
  gi::check_sizes(*body);
  gi::check_pose(pose);
  const Aabb local = local_bounds(*body);
  const std::uint32_t id = state_->broad.add(placed_box(local, pose));
  if (id >= state_->objects.size()) state_->objects.resize(id + 1);
  state_->objects[id] = {std::move(body), pose, local};
  return id;
}

void ImageScene::remove(std::uint32_t id) {
  state_->object(id) = {};
  state_->broad.remove(id);
}

void ImageScene::set_pose(std::uint32_t id, const Transform& pose) {
  State::Object& object = state_->object(id);
  gi::check_pose(pose);
  object.pose = pose;
  state_->broad.move(id, placed_box(object.local, pose));
}

void ImageScene::moved(std::uint32_t id) {
  State::Object& object = state_->object(id);
  object.local = local_bounds(*object.body);
  state_->broad.move(id, placed_box(object.local, object.pose));
}

const Transform& ImageScene::pose(std::uint32_t id) const { return state_->object(id).pose; }

const ImageSceneResult& ImageScene::update() {
  State& state = *state_;
  Stopwatch watch;
  const Clock::time_point deadline = gi::deadline_after(state.options.budget);
  const std::span<const BoxPair> active = state.broad.update();
  if (state.decisions.size() < active.size()) state.decisions.resize(active.size());
  watch.lap(state.result.broad_ms);
  // An even share of what is left for each pair; what one does not use goes to those after it.
  std::atomic<std::size_t> left = active.size();
  const auto share = [&] {
    if (deadline == Clock::time_point::max()) return std::chrono::nanoseconds(0);
    const std::chrono::nanoseconds rest = deadline - Clock::now();
    if (rest.count() <= 0) return std::chrono::nanoseconds(-1);
    const auto pairs = static_cast<std::int64_t>(left.load());  // once: others take theirs meanwhile
    const std::int64_t at_once = std::min<std::int64_t>(state.workers.running(), pairs);
    return std::max(std::chrono::nanoseconds(1), rest * at_once / pairs);
  };
  constexpr std::size_t kPairsAtATime = 4;  // some tens of microseconds
  state.workers.for_chunks(active.size(), kPairsAtATime, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t i = begin; i < end; ++i, --left) state.decide(i, active[i], worker, share());
  });
  state.gather(active.size());
  watch.lap(state.result.narrow_ms);
  return state.result;
}

}  // namespace lamella
