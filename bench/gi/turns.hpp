#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/gi/methods.hpp"

// Bodies that fly through a cube and bounce off one another, as `lamella simulate bunnies` has them. The motion is made
// once, with the library's answers; every method then decides the very pairs that sweep and prune found, or all. They
// take turns of about a thousand pairs, each beginning one turn in so many, so that what else the machine does hits all
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

/// Which pairs the methods decide in every frame.
enum class Pairs {
  active,  ///< those whose boxes overlap, found by sweep and prune
  all,     ///< every object against every other, as sections 5.2 and 5.3 of the paper do
};

/// What was asked.
struct PairLoad {
  std::uint32_t objects = 0, frames = 0;
  Pairs pairs = Pairs::active;
  double sweep_ms = 0;
  std::uint64_t turns = 0, slow_every = 1;
};

/// Which methods take part; "images" is always the first.
struct Methods {
  bool published = false;             ///< "published" and "published, enclosing"
  bool trees = false;                 ///< "index tree" and "pointer tree"
  bool hulls = false, boxes = false;  ///< those of other libraries, by what they test
};
[[nodiscard]] std::vector<PairRunner> make_pair_runners(const ImageBody& body, const Methods& methods,
                                                        const std::vector<OtherMethod>& others);

[[nodiscard]] PairLoad run_pairs(std::uint32_t objects, std::uint32_t frames,
                                 const std::shared_ptr<const ImageBody>& body, Pairs pairs,
                                 std::vector<PairRunner>& runners);

}  // namespace lamella::bench
