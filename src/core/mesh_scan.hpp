#pragma once

// The kernels of core/positions.hpp on several threads.

#include <mutex>

#include "core/parallel.hpp"
#include "core/positions.hpp"

namespace lamella {

/// Combines the facts about chunks of positions, from several threads.
class FactsCollector {
 public:
  void add(const PositionFacts& chunk) {
    const std::scoped_lock lock(mutex_);
    facts_ = unite(facts_, chunk);
  }
  [[nodiscard]] const PositionFacts& facts() const { return facts_; }

 private:
  std::mutex mutex_;
  PositionFacts facts_;
};

[[nodiscard]] PositionFacts inspect_positions(std::span<const Vec3> positions, Workers& workers);

/// Throws Error when an index is out of range, or when the mesh has more than 2^32 - 1 triangles.
void check_indices(MeshView mesh, Workers& workers);

}  // namespace lamella
