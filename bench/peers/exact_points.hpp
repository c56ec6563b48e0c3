#pragma once

#include <string>

#include "bench/peers/method.hpp"

namespace lamella::bench::peers {

struct ExactPointsArgs {
  std::string meshes;            ///< folder of extra meshes with a manifest.json; empty: procedural ones alone
  std::size_t points = 200'000;  ///< in each mesh whose flags are compared
  std::size_t rounds = 5;        ///< of the times
};

/// contains() with Options::exact beside other libraries: how many flags differ from those of an exact one, and times
/// of all in one run. False when a flag of ours differs.
[[nodiscard]] bool run_exact_points(const ExactPointsArgs& args, const Libraries& others);

}  // namespace lamella::bench::peers
