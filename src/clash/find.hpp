#pragma once

#include <memory>
#include <span>
#include <vector>

#include "clash/candidates.hpp"
#include "core/origin.hpp"
#include "lamella/clash.hpp"

namespace lamella::clash {

/// Throws Error for options out of range.
void check_options(const ClashOptions& options);

/// Answers candidates of an assembly, which must stay as it is as long as this lives, block by block. A pair's answer
/// does not depend on the others of its block, nor on which other parts there are.
class PairFinder {
 public:
  PairFinder(std::span<const MeshView> meshes, std::span<const AssemblyPart> parts, const ClashOptions& options);
  ~PairFinder();
  PairFinder(const PairFinder&) = delete;
  PairFinder& operator=(const PairFinder&) = delete;

  /// Of all parts, in the world.
  [[nodiscard]] std::vector<WideBox> boxes();
  /// For each part, whether its mesh has triangles that cannot be used.
  [[nodiscard]] std::vector<bool> damaged() const;
  /// Appends an answer for each, in the same order; clear ones too.
  void test(std::span<const Candidate> block, std::vector<ClashPair>& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lamella::clash
