#include "response/ways_out.hpp"

#include <algorithm>
#include <cmath>

namespace lamella::response {
namespace {

/// A pair is deep when the regions that it shares are deeper than this part of the thinner body's thickness.
constexpr double kDeep = 0.125;
/// Also one whose volume has not fallen by a tenth in so many substeps, deeper than so many slops.
constexpr unsigned kPatience = 10;
constexpr double kStuckSlops = 8;
constexpr double kFell = 0.9;
/// Substeps in which a way is gone.
constexpr double kSteps = 4;
/// A way out of two bodies may lead one into a third; after so many searches contacts must do.
constexpr unsigned kMostAsked = 4;
/// Looked along: as good as many thousands within a few percent.
constexpr std::uint32_t kDirections = 200;

/// Fewer tell nothing of a depth.
constexpr std::uint32_t kFewRays = 16;

/// Of all patches, by volume: a speck that only few rays meet counts for little.
/// 0 where so few rays meet the bodies that little is known.
double depth_of(std::span<const ContactPatch> patches) {
  double volume = 0, sum = 0;
  std::uint32_t rays = 0;
  for (const ContactPatch& p : patches) {
    volume += p.volume;
    sum += p.volume * p.depth;
    rays += p.span_count;
  }
  return rays >= kFewRays ? sum / volume : 0;
}

/// How far the bodies' surfaces may have come closer from the start of the substep to the predicted poses: as deep as
/// that they need not be at the start.
double approach(const SolverBody& a, const SolverBody& b, const RigidBody& shape_a, const RigidBody& shape_b,
                double seconds) {
  const Vec3d way_a = apply(a.predicted, shape_a.center) - a.center;
  const Vec3d way_b = apply(b.predicted, shape_b.center) - b.center;
  const double spin =
      length(shape_a.angular_velocity) * shape_a.reach + length(shape_b.angular_velocity) * shape_b.reach;
  return length(way_a - way_b) + spin * seconds;
}

struct Box {
  Vec3d min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
};

Box box_of(const Scene& scene, ObjectId object) {
  Box box;
  for (const Vec3 p : scene.mesh(object).positions) {
    const Vec3d placed = apply(scene.pose(object), to_double(p));
    for (int i = 0; i < 3; ++i) {
      box.min[i] = std::min(box.min[i], placed[i]);
      box.max[i] = std::max(box.max[i], placed[i]);
    }
  }
  return box;
}

/// The shortest way of a along an axis that takes the boxes apart: no way out needs to be longer.
Vec3d way_of_boxes(const Box& a, const Box& b) {
  Vec3d best{HUGE_VAL, 0, 0};
  for (int i = 0; i < 3; ++i)
    for (const double way : {b.max[i] - a.min[i], b.min[i] - a.max[i]}) {
      if (!(std::abs(way) < length(best))) continue;
      best = {};
      best[i] = way;
    }
  return best;
}

}  // namespace

void WaysOut::ask(Scene& scene, Pair& pair, double room) {
  Vec3d way = scene.separation(pair.a, pair.b, kDirections).translation;
  // Rays of the search may miss a tip.
  const Vec3d other = way_of_boxes(box_of(scene, pair.a), box_of(scene, pair.b));
  if (way == Vec3d{} || length(other) < length(way)) way = other;
  const double size = length(way);
  ++pair.asked;
  pair.patience = 0;
  // Poses of both are rounded, each in its own way.
  pair.left = size > 0 && std::isfinite(size) ? size + room : 0;
  pair.direction = pair.left > 0 ? way * (1 / size) : Vec3d{};
  pair.step = pair.left / kSteps;
}

std::uint32_t WaysOut::push(const SceneResult& found, Scene& scene, const BodySlots& slots,
                            std::span<const RigidBody> shapes, std::span<SolverBody> bodies, double seconds,
                            bool resting, ContactSet& contacts) {
  std::uint32_t count = 0;
  next_.clear();
  auto known = pairs_.begin();
  auto touching = contacts.pairs.begin();
  for (const ScenePair& p : found.pairs) {
    const auto slot_a = slots.find(p.a), slot_b = slots.find(p.b);
    if (!slot_a || !slot_b) continue;
    SolverBody &a = bodies[*slot_a], &b = bodies[*slot_b];
    const double weight = a.inverse_mass + b.inverse_mass;
    if (weight == 0) continue;
    while (known != pairs_.end() && (known->a != p.a ? known->a < p.a : known->b < p.b)) ++known;
    const bool is_known = known != pairs_.end() && known->a == p.a && known->b == p.b;
    Pair pair = is_known ? *known : Pair{.a = p.a, .b = p.b, .direction = {}, .volume = HUGE_VAL};

    const double thickness = std::min(shapes[*slot_a].thickness, shapes[*slot_b].thickness);
    // Bodies that come fast are not deep before they collide.
    const double came = approach(a, b, shapes[*slot_a], shapes[*slot_b], seconds);
    const double depth = came < kDeep * thickness ? depth_of(found.patches_of(p)) - came : 0;
    const double volume = p.volume.value_or(0);
    const bool fell = volume < kFell * pair.volume;
    pair.patience = fell || depth < kStuckSlops * kSlop * thickness ? 0 : pair.patience + 1;
    if (fell) pair.volume = volume;
    // Once on its way a pair goes on until nothing is shared, or until it rests.
    const bool unfinished = pair.asked > 0 && depth > (resting ? kSlop * thickness : 0);
    const bool wanted = unfinished || depth > kDeep * thickness || pair.patience > kPatience;
    if (wanted && pair.left <= 0 && pair.asked < kMostAsked) ask(scene, pair, kSlop / 2 * thickness);
    if (pair.left > 0) {
      const double step = std::min(pair.step, pair.left);
      const Vec3d shift = pair.direction * (step / weight);
      a.shift += shift * a.inverse_mass;
      b.shift -= shift * b.inverse_mass;
      pair.left -= step;
      ++count;
      while (touching != contacts.pairs.end() &&
             (touching->object_a != p.a ? touching->object_a < p.a : touching->object_b < p.b))
        ++touching;
      if (touching != contacts.pairs.end() && touching->object_a == p.a && touching->object_b == p.b)
        for (SolverContact& c : contacts.of(*touching)) c.leaving = true;
    }
    next_.push_back(pair);
  }
  std::swap(pairs_, next_);
  return count;
}

}  // namespace lamella::response
