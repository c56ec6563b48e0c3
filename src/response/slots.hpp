#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lamella/scene.hpp"

namespace lamella::response {

/// Where the bodies of a world are in its arrays. A new body gets the lowest free slot: without removals slots are in
/// the order of adding, and there are never more slots than there were bodies at once. Only add() allocates.
class BodySlots {
 public:
  /// `object` must not have a slot yet.
  std::uint32_t add(ObjectId object) {
    if (free_.empty()) {
      const auto slot = static_cast<std::uint32_t>(objects_.size());
      objects_.emplace_back();
      if (free_.capacity() < objects_.capacity()) free_.reserve(objects_.capacity());
      free_.push_back(slot);
    }
    slots_.emplace(object.number, free_.front());
    std::pop_heap(free_.begin(), free_.end(), std::greater<>());
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    objects_[slot] = object;
    return slot;
  }

  /// `object` must have a slot.
  void remove(ObjectId object) {
    const auto entry = slots_.find(object.number);
    objects_[entry->second].reset();
    free_.push_back(entry->second);
    std::push_heap(free_.begin(), free_.end(), std::greater<>());
    slots_.erase(entry);
  }

  [[nodiscard]] std::optional<std::uint32_t> find(ObjectId object) const {
    const auto entry = slots_.find(object.number);
    return entry == slots_.end() ? std::nullopt : std::optional(entry->second);
  }

  /// Free ones included.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(objects_.size()); }
  /// None: the slot is free.
  [[nodiscard]] std::optional<ObjectId> object(std::uint32_t slot) const { return objects_[slot]; }

 private:
  std::vector<std::optional<ObjectId>> objects_;  ///< by slot
  std::unordered_map<std::uint32_t, std::uint32_t> slots_;
  std::vector<std::uint32_t> free_;  ///< a heap, the lowest first
};

}  // namespace lamella::response
