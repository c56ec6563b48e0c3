#include "scene/pair_memory.hpp"

namespace lamella {

void PairMemory::update(std::span<ScenePairCandidate> candidates, std::span<const PlacedObject> objects,
                        bool axis_given) {
  constexpr double kClearlyBetter = 0.8;
  now_.swap(last_);
  now_.clear();
  auto old = last_.begin();
  const auto drop = [&](const Entry& e) {
    if (e.manifold != kNone) free_.push_back(e.manifold);
  };
  for (ScenePairCandidate& c : candidates) {
    while (old != last_.end() && old->key < c.key) drop(*old++);
    Entry e{c.key, c.axis};
    if (old != last_.end() && old->key == c.key) {
      e = *old++;
      const Aabb &a = objects[c.slot_a].box, &b = objects[c.slot_b].box;
      if (axis_given || depth_along(a, b, c.axis) < kClearlyBetter * depth_along(a, b, e.axis))
        e.axis = c.axis;
      else
        c.axis = e.axis;
    }
    now_.push_back(e);
  }
  while (old != last_.end()) drop(*old++);
}

void PairMemory::reserve(std::size_t candidates, bool with_contacts) {
  now_.reserve(candidates);
  last_.reserve(candidates);
  if (!with_contacts) return;
  manifolds_.reserve(candidates);
  free_.reserve(candidates);
}

void PairMemory::make_manifold(std::size_t i) {
  Entry& e = now_[i];
  if (e.manifold != kNone) return;
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(manifolds_.size()));
    manifolds_.emplace_back();
  }
  e.manifold = free_.back();
  free_.pop_back();
  manifolds_[e.manifold] = {};
}

void PairMemory::forget_contacts(std::size_t i) {
  if (now_[i].manifold != kNone) manifolds_[now_[i].manifold].count = 0;
}

}  // namespace lamella
