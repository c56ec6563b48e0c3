#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lamella/query.hpp"

namespace lamella::cli {

/// A scene of the demo, timed.
struct Act {
  std::string scene;
  std::string paper;  ///< the table and row of WSCG 2004 or TR 395 that it stands for
  std::size_t faces = 0, points = 0;
  std::uint32_t resolution = 0;
  double paper_ms = 0, paper_max_ms = 0;  ///< by the paper's software; a maximum where it gives a range, otherwise 0

  std::string engine{};  ///< that answered
  double answer = 0;     ///< volume, or points inside; of a sequence the largest
  Timings ms{};          ///< medians of each part
  double total_ms = 0;   ///< median of the wall clock around a query
};

/// How many there are.
[[nodiscard]] std::size_t act_count();
/// Makes the scenes and times them with these options; `done` is called after each.
[[nodiscard]] std::vector<Act> perform(const Options& options, const std::function<void()>& done);

}  // namespace lamella::cli
