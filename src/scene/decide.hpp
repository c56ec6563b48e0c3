#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "engines/pair_finder.hpp"
#include "lamella/result.hpp"
#include "scene/grouping.hpp"

namespace lamella {

/// What is known of a candidate once it was sampled.
struct Decision {
  Verdict verdict = Verdict::clear;
  Doubt doubt;  ///< where it is undecided
};

/// What decisions are made from.
struct DecisionSources {
  std::span<const ScenePairCandidate> candidates;
  const Grouping& grouping;
  std::span<const GroupAnswer> answers;   ///< of the grouping's groups
  std::span<const std::uint32_t> broken;  ///< triangles that cannot be used, by place of an object
  std::span<const PlacedObject> placed;   ///< by place
};

/// The spans of a candidate in one view.
[[nodiscard]] std::span<const PairSpan> spans_of(std::span<const GroupAnswer> answers, const GroupPlace& place);

/// Decides which candidates collide: those with spans that no error of sampling explains. Of the others, those are
/// undecided that touch, or where something was left out that could be an overlap. Keeps its memory between calls.
class PairDecisions {
 public:
  void make(const DecisionSources& from, Workers& workers);
  void reserve(std::size_t candidates) { decisions_.reserve(candidates); }

  /// A proof was looked for: replaces the decision by what is proved. Where nothing is, a candidate that samples say is
  /// clear becomes undecided; one with an overlap that no error explains still collides. Undecided stays what depends
  /// on how holes are closed: a proof knows only of the mesh with its fans. Returns whether the decision is proved.
  bool prove(std::size_t candidate, const Decision& found, bool certain);

  [[nodiscard]] const Decision& operator[](std::size_t candidate) const { return decisions_[candidate]; }

 private:
  std::vector<Decision> decisions_;
  std::vector<std::vector<Span>> scratch_;  ///< of each worker
};

}  // namespace lamella
