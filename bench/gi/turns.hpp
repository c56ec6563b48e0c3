#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/gi/methods.hpp"

// Bodies that fly through a cube and bounce off one another, as `lamella simulate bunnies` has them. The motion is made
// once, with the library's answers; every method then decides the very pairs that sweep and prune found. They take
// turns of about a thousand pairs, each beginning one turn in so many, so that what else the machine does hits all
// alike.

namespace lamella::bench {

/// A method with its figures.
struct PairRunner {
  std::string name;
  std::unique_ptr<PairMethod> method;
  bool slow = false;  ///< of another library: takes only some turns where there are many
  std::uint64_t warm_up_tests = 0;

  // Of the turns that it took:
  double ms = 0, images_ms = 0;  ///< its own, and the library's search on the same
  std::uint64_t turns = 0, pairs = 0, collisions = 0, differ = 0;
};

/// What was asked.
struct PairLoad {
  std::uint32_t objects = 0, frames = 0;
  double sweep_ms = 0;
  std::uint64_t turns = 0, slow_every = 1;
};

/// "images" first, then "index tree" and "pointer tree", then the others.
[[nodiscard]] std::vector<PairRunner> make_pair_runners(const ImageBody& body, const std::vector<OtherMethod>& others);

[[nodiscard]] PairLoad run_pairs(std::uint32_t objects, std::uint32_t frames,
                                 const std::shared_ptr<const ImageBody>& body, std::vector<PairRunner>& runners);

}  // namespace lamella::bench
