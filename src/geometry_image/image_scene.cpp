#include "lamella/image_scene.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/broad_phase.hpp"
#include "core/parallel.hpp"
#include "core/placement.hpp"
#include "core/stopwatch.hpp"
#include "geometry_image/search.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

using Clock = std::chrono::steady_clock;

/// An object's share of its body, which may be of either kind.
using SharedBody = std::variant<std::shared_ptr<const ImageBody>, std::shared_ptr<const CompactBody>>;

BodyRef refer(const SharedBody& body) {
  return std::visit([](const auto& pointer) { return BodyRef(*pointer); }, body);
}

Aabb local_bounds(BodyRef body) {
  Aabb box;
  if (body.floats() != nullptr) {
    for (const GeometryImage& image : body.floats()->images) box = unite(box, bounds({image.positions, {}}));
  } else {
    for (const CompactImage& image : body.codes()->images) box = unite(box, image.box);
  }
  return box;
}

}  // namespace

struct ImageScene::State {
  struct Object {
    ObjectId id;
    SharedBody body;
    Transform pose;
    Aabb local;  ///< the body's box in its own frame
  };
  struct Decision {
    ImageScenePair pair;
    std::vector<TrianglePair> triangle_pairs;
    std::uint64_t sphere_test_count = 0, triangle_test_count = 0;
  };

  explicit State(const ImageSceneOptions& given) : options(given), workers(given.threads), colliders(workers.count()) {}

  /// Throws Error when there is none.
  [[nodiscard]] std::uint32_t slot(ObjectId id) const;
  ObjectId add(SharedBody body, const Transform& pose);
  void find_candidates();
  void decide(std::size_t i, unsigned worker, std::chrono::nanoseconds share);
  void gather();

  ImageSceneOptions options;
  Workers workers;
  std::vector<ImageCollider> colliders;  ///< one per worker
  BroadPhase broad;
  std::vector<Object> objects;                             ///< by slot, which is the broad phase's number
  std::unordered_map<std::uint32_t, std::uint32_t> slots;  ///< by the number of an id
  std::uint32_t next_id = 0;
  std::vector<BoxPair> candidates;  ///< slots, ascending by their objects' ids
  std::vector<Decision> decisions;  ///< of each candidate
  ImageSceneResult result;
};

std::uint32_t ImageScene::State::slot(ObjectId id) const {
  const auto found = slots.find(id.number);
  if (found == slots.end())
    throw Error(fmt::format("this scene has no object {}: it was removed, or added to another", id.number));
  return found->second;
}

/// Slots are reused, ids are not: after a removal the broad phase's order is not that of the ids.
void ImageScene::State::find_candidates() {
  const std::span<const BoxPair> pairs = broad.update();
  const auto id = [&](std::uint32_t slot) { return objects[slot].id; };
  const auto before = [&](BoxPair x, BoxPair y) {
    return std::tuple(id(x.first), id(x.second)) < std::tuple(id(y.first), id(y.second));
  };
  candidates.assign(pairs.begin(), pairs.end());
  for (BoxPair& pair : candidates)
    if (id(pair.second) < id(pair.first)) std::swap(pair.first, pair.second);
  if (!std::is_sorted(candidates.begin(), candidates.end(), before))
    std::sort(candidates.begin(), candidates.end(), before);
}

/// `share` of the scene's time: 0 without a budget, negative when it is spent.
void ImageScene::State::decide(std::size_t i, unsigned worker, std::chrono::nanoseconds share) {
  Decision& out = decisions[i];
  const Object &a = objects[candidates[i].first], &b = objects[candidates[i].second];
  if (share.count() < 0) {
    out.pair = {.a = a.id, .b = b.id, .verdict = Verdict::undecided, .complete = false};
    out.triangle_pairs.clear();
    out.sphere_test_count = out.triangle_test_count = 0;
    return;
  }
  ImageCollideOptions asked = options.collide;
  if (share.count() > 0 && (asked.budget.count() == 0 || share < asked.budget)) asked.budget = share;
  const ImageCollision& found = colliders[worker].collide(refer(a.body), a.pose, refer(b.body), b.pose, asked);
  out.pair = {.a = a.id,
              .b = b.id,
              .verdict = found.verdict,
              .complete = found.complete,
              .level = found.level,
              .position = found.position,
              .within = found.within,
              .enclosing = found.enclosing};
  out.triangle_pairs.assign(found.pairs.begin(), found.pairs.end());
  out.sphere_test_count = found.sphere_test_count;
  out.triangle_test_count = found.triangle_test_count;
}

void ImageScene::State::gather() {
  result.candidates.clear();
  result.triangle_pairs.clear();
  result.colliding_count = 0;
  result.sphere_test_count = result.triangle_test_count = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Decision& decision = decisions[i];
    ImageScenePair& pair = result.candidates.emplace_back(decision.pair);
    pair.first_triangle_pair = static_cast<std::uint32_t>(result.triangle_pairs.size());
    pair.triangle_pair_count = static_cast<std::uint32_t>(decision.triangle_pairs.size());
    result.triangle_pairs.insert(result.triangle_pairs.end(), decision.triangle_pairs.begin(),
                                 decision.triangle_pairs.end());
    result.colliding_count += pair.verdict == Verdict::colliding ? 1 : 0;
    result.sphere_test_count += decision.sphere_test_count;
    result.triangle_test_count += decision.triangle_test_count;
  }
}

ImageScene::ImageScene(const ImageSceneOptions& options) : state_(std::make_unique<State>(options)) {}
ImageScene::~ImageScene() = default;
ImageScene::ImageScene(ImageScene&&) noexcept = default;
ImageScene& ImageScene::operator=(ImageScene&&) noexcept = default;

ObjectId ImageScene::State::add(SharedBody body, const Transform& pose) {
  gi::check_sizes(refer(body));
  gi::check_pose(pose);
  const Aabb local = local_bounds(refer(body));
  State& s = *this;
  const std::uint32_t slot = s.broad.add(placed_box(local, pose));
  if (slot == s.objects.size()) s.objects.emplace_back();
  const ObjectId id{s.next_id++};
  s.objects[slot] = {id, std::move(body), pose, local};
  s.slots.emplace(id.number, slot);
  return id;
}

ObjectId ImageScene::add(std::shared_ptr<const ImageBody> body, const Transform& pose) {
  if (body == nullptr) throw Error("an object without a body cannot be added");
  return state_->add(std::move(body), pose);
}

ObjectId ImageScene::add(std::shared_ptr<const CompactBody> body, const Transform& pose) {
  if (body == nullptr) throw Error("an object without a body cannot be added");
  return state_->add(std::move(body), pose);
}

void ImageScene::remove(ObjectId id) {
  const std::uint32_t slot = state_->slot(id);
  state_->objects[slot] = {};
  state_->broad.remove(slot);
  state_->slots.erase(id.number);
}

void ImageScene::move(ObjectId id, const Transform& pose) {
  const std::uint32_t slot = state_->slot(id);
  gi::check_pose(pose);
  State::Object& object = state_->objects[slot];
  object.pose = pose;
  state_->broad.move(slot, placed_box(object.local, pose));
}

void ImageScene::deformed(ObjectId id) {
  const std::uint32_t slot = state_->slot(id);
  State::Object& object = state_->objects[slot];
  object.local = local_bounds(refer(object.body));
  state_->broad.move(slot, placed_box(object.local, object.pose));
}

std::size_t ImageScene::size() const { return state_->slots.size(); }
const Transform& ImageScene::pose(ObjectId id) const { return state_->objects[state_->slot(id)].pose; }

const ImageSceneResult& ImageScene::collide() {
  State& state = *state_;
  Stopwatch watch;
  const Clock::time_point deadline = gi::deadline_after(state.options.budget);
  state.find_candidates();
  const std::size_t count = state.candidates.size();
  if (state.decisions.size() < count) state.decisions.resize(count);
  watch.lap(state.result.ms.broad);
  // An even share of what is left for each pair; what one does not use goes to those after it.
  std::atomic<std::size_t> left = count;
  const auto share = [&] {
    if (deadline == Clock::time_point::max()) return std::chrono::nanoseconds(0);
    const std::chrono::nanoseconds rest = deadline - Clock::now();
    if (rest.count() <= 0) return std::chrono::nanoseconds(-1);
    const auto pairs = static_cast<std::int64_t>(left.load());  // once: others take theirs meanwhile
    const std::int64_t at_once = std::min<std::int64_t>(state.workers.count(), pairs);
    return std::max(std::chrono::nanoseconds(1), rest * at_once / pairs);
  };
  constexpr std::size_t kPairsAtATime = 4;  // some tens of microseconds
  state.workers.for_chunks(count, kPairsAtATime, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t i = begin; i < end; ++i, --left) state.decide(i, worker, share());
  });
  state.gather();
  watch.lap(state.result.ms.query);
  return state.result;
}

}  // namespace lamella
