#pragma once

#include <string>
#include <vector>

#include "bench/peers/race.hpp"
#include "bench/row.hpp"

namespace lamella::bench::peers {

/// What a comparison with the exact method came to.
struct Verdict {
  std::string agreement;              ///< lines for people: how well we agree
  std::vector<std::string> problems;  ///< answers of ours that are wrong; lines
};

/// What every answer is allowed, and what it is measured in.
struct Tolerance {
  const PointsWork* points = nullptr;  ///< of a work with points
  double cell = 0;                     ///< edge of a sample cell: a point this near to the surface may be either
  double volume_error = 0.01;          ///< relative
};

/// Holds our answers, but for those of methods that are only a detail, against those of the exact methods, in all
/// poses. Yes or no and pairs of bodies must be the same; bodies wholly inside another, which an exact test of surfaces
/// does not find, must be among ours. Says so where nothing is exact.
[[nodiscard]] Verdict judge(const std::vector<Finished>& entries, const Tolerance& tolerance);

/// An answer for people, beside the exact one, which may be null: "40,638 inside, 48 differ".
[[nodiscard]] std::string to_text(const Answer& answer, const Answer* exact);
/// The same as values: "inside", "differ", "volume", "volume_error", "triangle_pairs" and so on.
[[nodiscard]] Row to_row(const Answer& answer, const Answer* exact);

/// The method whose answers are exact; null when there is none that gives what `answer` has.
[[nodiscard]] const Finished* exact_for(const std::vector<Finished>& entries, const Answer& answer);

}  // namespace lamella::bench::peers
