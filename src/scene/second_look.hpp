#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lamella/engine.hpp"
#include "lamella/scene.hpp"
#include "scene/grouping.hpp"

namespace lamella {

/// What intersect() says of a candidate.
struct PairLook {
  Verdict verdict = Verdict::clear;
  Doubt doubt;  ///< the first, where it is undecided
  Certificate certificate;
  double volume = 0, volume_error = 0;
  bool tolerance_met = true;
  Vec3d centroid;
};

/// Gives a pair the volume of a look.
void take_look(const PairLook& look, bool gives_volumes, ScenePair& pair);

/// Asks intersect() of the software engine about candidates: for a proof, or for a better volume than the grids of the
/// scene give. Candidates are distributed over the threads, each with an engine of its own. Keeps its memory between
/// calls.
class SecondLooks {
 public:
  /// What is asked.
  struct Questions {
    std::span<const ScenePairCandidate> candidates;
    std::span<const std::uint32_t> which;  ///< of these candidates
    std::span<const PlacedObject> placed;
    QueryOptions options;
    std::uint64_t max_crossings = 0;
  };
  /// A look for each of `which`, in the same order; valid until the next call.
  std::span<const PairLook> make(const Questions& questions, Workers& workers);

 private:
  struct Worker {
    std::unique_ptr<Engine> engine;
    Overlap overlap;
  };
  static PairLook look(const Questions& questions, std::size_t i, Worker& worker);

  std::vector<Worker> workers_;
  std::vector<PairLook> looks_;
};

}  // namespace lamella
