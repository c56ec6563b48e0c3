#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/broad_phase.hpp"
#include "core/parallel.hpp"
#include "scene/grouping.hpp"
#include "scene/objects.hpp"

namespace lamella {

/// From pairs whose loose boxes overlap to those whose exact boxes share a volume. Places their objects. Keeps its
/// memory between calls.
class CandidateFinder {
 public:
  struct Settings {
    bool each_pair = true;    ///< every pair has an origin of its own, else all that are connected share one
    bool each_alone = false;  ///< objects are sampled alone too
    bool gaps = true;         ///< measure how far apart the objects of a pair are
    float cell = 0;           ///< above 0: shared origins are multiples of it
    std::optional<Axis> axis = std::nullopt;
  };

  /// Replaces `candidates`, ascending by key.
  void find(std::span<const BoxPair> near, SceneObjects& objects, const Settings& settings, Workers& workers,
            std::vector<ScenePairCandidate>& candidates);
  /// With `each_alone`: where the objects are placed for that.
  [[nodiscard]] std::span<const std::uint32_t> singles() const { return singles_; }
  void reserve(std::size_t objects, std::size_t pairs);

 private:
  /// Where the objects of a close pair are placed.
  struct Places {
    std::uint32_t a = 0, b = 0;
  };

  void place_pairs(SceneObjects& objects);
  void place_clusters(SceneObjects& objects, float cell);

  std::vector<BoxPair> close_;  ///< by all that is known without their vertices
  std::vector<Places> places_;  ///< in step with them
  std::vector<std::uint32_t> singles_;
  std::vector<std::uint32_t> parent_;  ///< by slot: clusters of close pairs
  std::vector<WideBox> cluster_box_;   ///< by slot of a cluster's root
};

}  // namespace lamella
