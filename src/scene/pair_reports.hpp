#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "scene/contacts.hpp"
#include "scene/decide.hpp"
#include "scene/grouping.hpp"
#include "scene/objects.hpp"
#include "scene/pair_error.hpp"
#include "scene/pair_memory.hpp"
#include "scene/patches.hpp"
#include "scene/second_look.hpp"

namespace lamella {

/// Where pairs are reported from: what a frame has found so far.
struct PairSources {
  std::span<const ScenePairCandidate> candidates;
  const Grouping& grouping;
  std::span<const GroupAnswer> answers;  ///< of the grouping's groups
  const PairDecisions& decisions;
  const SceneObjects& objects;
  const SceneOptions& options;
  bool gives_volumes = true;
  std::span<const PairLook> proofs;  ///< of the candidates; empty without SceneOptions::certify
};

/// Turns the spans and points of a frame into pairs, collision points, contacts and patches of a SceneResult. Pairs are
/// made on all threads; each result has its place before, and ids are given afterwards, so that any number of threads
/// gives the same bits. Keeps its memory between calls.
class PairReports {
 public:
  /// Makes the result's pairs, which must be empty, and replaces its points, contacts and patches.
  void make(const PairSources& from, PairMemory& memory, Workers& workers, SceneResult& result);
  /// The candidate that a pair of the last result is.
  [[nodiscard]] std::uint32_t candidate_of(std::size_t pair) const { return reports_[pair].candidate; }
  /// Makes room for so many pairs.
  void reserve(std::size_t pairs, std::uint32_t max_contacts);

 private:
  /// A candidate that collides.
  struct Report {
    std::uint32_t candidate = 0;
    std::uint32_t place_count = 0;  ///< where it has spans: its own view first
    GroupPlace places[3];
  };
  /// Scratch of one worker.
  struct Worker {
    PairErrors errors;
    ContactMaker contacts;
    PatchMaker patches;
    std::vector<Contact> made;
    std::vector<PairSpan> point_spans;
  };

  std::size_t collect(const PairSources& from, PairMemory& memory, SceneResult& result);
  void make_one(const PairSources& from, std::size_t pair, PairMemory& memory, Worker& worker, SceneResult& result);
  void make_contacts(const PairSources& from, std::size_t index, Manifold& manifold, Worker& worker, ScenePair& pair);
  void number_contacts(PairMemory& memory, SceneResult& result);
  void gather_patches(SceneResult& result);

  std::vector<Report> reports_;                     ///< in step with the result's pairs
  std::vector<Contact> contacts_;                   ///< places for max_contacts of each pair
  std::vector<std::vector<ContactPatch>> patches_;  ///< of each pair
  std::vector<Worker> workers_;
  std::uint32_t last_id_ = 0;  ///< of a contact, over all pairs
};

}  // namespace lamella
