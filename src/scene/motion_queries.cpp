#include "scene/motion_queries.hpp"

#include <cmath>

#include "core/origin.hpp"
#include "lamella/error.hpp"

namespace lamella {
namespace {

WideBox swept(WideBox box, Vec3d motion) {
  for (int i = 0; i < 3; ++i) (motion[i] < 0 ? box.min : box.max)[i] += motion[i];
  return box;
}

void check_motion(Vec3d motion) {
  if (!std::isfinite(motion.x) || !std::isfinite(motion.y) || !std::isfinite(motion.z))
    throw Error("the motion of a sweep is not finite: use finite numbers");
}

}  // namespace

std::optional<SweepHit> MotionQueries::sweep_slots(SceneObjects& objects, std::uint32_t a, std::uint32_t b,
                                                   Vec3d motion) {
  const WideBox& box_a = objects.world_box(a);
  const WideBox& box_b = objects.world_box(b);
  if (box_a.empty() || box_b.empty() || shared_box(swept(box_a, motion), box_b).empty()) return std::nullopt;
  if (!sweeper_) sweeper_.emplace(threads_);
  const Vec3d origin = objects.pair_origin(a, b);
  return sweeper_->sweep(objects.placed_at(a, origin, room_a_), objects.placed_at(b, origin, room_b_), motion);
}

std::optional<SweepHit> MotionQueries::sweep(SceneObjects& objects, ObjectId a, ObjectId b, Vec3d motion) {
  check_motion(motion);
  const std::uint32_t slot_a = objects.slot(a), slot_b = objects.slot(b);
  if (slot_a == slot_b || !objects.tested(slot_a, slot_b)) return std::nullopt;
  return sweep_slots(objects, slot_a, slot_b, motion);
}

std::optional<SceneHit> MotionQueries::sweep(SceneObjects& objects, ObjectId object, Vec3d motion) {
  check_motion(motion);
  const std::uint32_t mine = objects.slot(object);
  std::optional<SceneHit> first;
  for (std::uint32_t other = 0; other < objects.slot_count(); ++other) {
    if (other == mine || !objects.used(other) || !objects.tested(mine, other)) continue;
    // No further than to the first touch so far.
    const double part = first ? first->hit.time : 1;
    auto hit = sweep_slots(objects, mine, other, motion * part);
    if (!hit) continue;
    hit->time *= part;
    const ObjectId id{objects.placed()[other].id};
    if (!first || hit->time < first->hit.time || (hit->time == first->hit.time && id < first->object))
      first = SceneHit{id, *hit};
  }
  return first;
}

Separation MotionQueries::separation(SceneObjects& objects, ObjectId a, ObjectId b, std::uint32_t directions) {
  const std::uint32_t slot_a = objects.slot(a), slot_b = objects.slot(b);
  if (slot_a == slot_b) throw Error("separation of an object from itself: give two objects");
  (void)objects.world_box(slot_a);
  (void)objects.world_box(slot_b);
  if (!separator_ || directions != directions_)
    separator_.emplace(SeparationOptions{.directions = directions, .threads = threads_});
  directions_ = directions;
  const Vec3d origin = objects.pair_origin(slot_a, slot_b);
  return separator_->separation(objects.placed_at(slot_a, origin, room_a_), objects.placed_at(slot_b, origin, room_b_));
}

}  // namespace lamella
