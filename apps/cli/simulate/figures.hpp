#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulate/simulation.hpp"

namespace lamella::cli {

/// Frames in a second of a simulation.
inline constexpr double kFrameRate = 60;

/// One frame's figures.
struct FrameFigures {
  std::uint32_t frame = 0;  ///< from 1 on: after so many steps
  simulate::Figures figures;
  std::uint64_t state = 0;  ///< hash of every position there is to see
};

/// FNV-1a over the bits of all positions: equal states have equal hashes, whatever ran them.
[[nodiscard]] std::uint64_t hash_of(const simulate::Drawing& drawing);

/// Columns that are the same in every run come first, then milliseconds.
[[nodiscard]] std::string to_csv(const std::vector<FrameFigures>& frames);

/// A line of the CSV as an object, with the total of the milliseconds alone.
[[nodiscard]] nlohmann::ordered_json frame_json(const FrameFigures& frame);

/// Median and maximum by stage and count, for people on stdout or as JSON.
void print_summary(const std::string& name, const std::vector<FrameFigures>& frames);
[[nodiscard]] nlohmann::ordered_json summary_json(const std::string& name, const std::vector<FrameFigures>& frames);

}  // namespace lamella::cli
