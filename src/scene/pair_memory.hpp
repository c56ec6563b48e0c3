#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/contacts.hpp"
#include "scene/grouping.hpp"

namespace lamella {

/// What a scene remembers of its candidate pairs from frame to frame: the axis, and the contacts of the last frame.
class PairMemory {
 public:
  /// Carries what is known of each pair over to this frame, and forgets pairs that came apart. A candidate keeps its
  /// last axis unless its new one is clearly better or `axis_given`. Candidates ascend by key.
  void update(std::span<ScenePairCandidate> candidates, std::span<const PlacedObject> objects, bool axis_given);
  /// Another axis for candidate `i`.
  void set_axis(std::size_t i, Axis axis) { now_[i].axis = axis; }

  /// Makes room for so many candidates, and for contacts of as many.
  void reserve(std::size_t candidates, bool with_contacts);

  /// Most candidates never collide: only those that do take the memory of a manifold. May move all manifolds.
  void make_manifold(std::size_t i);
  /// Of a candidate that make_manifold() was called for, in this frame or an earlier one.
  [[nodiscard]] Manifold& manifold(std::size_t i) { return manifolds_[now_[i].manifold]; }
  /// The candidate has no contacts in this frame.
  void forget_contacts(std::size_t i);

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Entry {
    std::uint64_t key = 0;
    Axis axis = Axis::z;
    std::uint32_t manifold = kNone;  ///< index into the pool, from the pair's first contacts on
  };

  std::vector<Entry> now_, last_;  ///< the former in step with the candidates
  std::vector<Manifold> manifolds_;
  std::vector<std::uint32_t> free_;  ///< manifolds
};

}  // namespace lamella
