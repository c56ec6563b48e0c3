#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "bench/peers/method.hpp"
#include "bench/peers/quartiles.hpp"

namespace lamella::bench::peers {

struct RaceOptions {
  std::size_t rounds = 21;
  double budget_ms = 6000;  ///< a method that has taken more leaves the race, but not before `least` rounds
  std::size_t least = 3;
  std::function<void(std::size_t round)> progress = [](std::size_t) {};
};

/// A method's times, of those rounds that it took part in.
struct Finished {
  Method method;
  std::vector<double> ms;     ///< processor time of this process
  std::vector<double> wall;   ///< by the clock
  std::vector<double> ratio;  ///< to the first method's time of the same round
  std::array<Answer, kPoses> answers;
};

/// Rounds in which every method does the work once, one after another, all in the same pose; rounds alternate between
/// the poses. Each run is preceded by one of the same method in the other pose, which is not timed: what it finds in
/// its caches and trees is what its own last frame left there, not what another library did. The list must not be
/// empty, and the first method stays to the end.
[[nodiscard]] std::vector<Finished> race(Methods methods, const RaceOptions& options);

}  // namespace lamella::bench::peers
