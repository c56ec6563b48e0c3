#pragma once

#include <string>

#include "bench/peers/method.hpp"

namespace lamella::bench::peers {

struct DistanceArgs {
  std::string meshes;            ///< folder of extra meshes with a manifest.json; empty: procedural ones alone
  std::size_t points = 100'000;  ///< for closest()
  std::size_t rounds = 7;
  std::size_t faces = 0;  ///< of procedural meshes; 0: 50,000 and 520,000
};

/// distance() and closest() beside other libraries, on deforming meshes and one thread: times of all in one run, and
/// how far their answers are from ours. False where one of ours is wrong.
[[nodiscard]] bool run_distance(const DistanceArgs& args);

}  // namespace lamella::bench::peers
