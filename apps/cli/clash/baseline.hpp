#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/clash/answer.hpp"

namespace lamella::cli {

/// What an earlier report says about a pair.
struct EarlierClash {
  ClashClass kind = ClashClass::clear;
  Verdict verdict = Verdict::clear;
  bool allowed = false;
  double volume = 0, volume_error = 0, depth = 0, distance = 0;
};

/// What a comparison depends on, as words: {"clearance", "0.2"}.
using OptionWords = std::vector<std::pair<std::string, std::string>>;

/// An earlier report of `lamella clash --json`.
struct Baseline {
  std::string file;                                                   ///< its name
  bool complete = true;                                               ///< it was not stopped early
  std::string unit;                                                   ///< empty: it names none
  std::map<std::pair<std::string, std::string>, EarlierClash> pairs;  ///< by names of parts, the lower one first
  OptionWords options{};                                              ///< those that it names
};

/// The file is untrusted. Throws Error "FILE:LINE:COLUMN: what is wrong; what to write".
[[nodiscard]] Baseline read_clash_baseline(const std::filesystem::path& path);

/// Fills ClashAnswer::changes and, when this report is complete, ClashAnswer::gone. A pair changed when its class, its
/// verdict or whether it is allowed did, or when its volume, depth or distance did by more than 1 % and more than both
/// error bars. Returns for each pair whether that is for the worse: a more severe class, a larger volume or depth, a
/// smaller distance, no longer allowed, no longer clear, or colliding and no longer undecided; each by itself.
[[nodiscard]] std::vector<bool> compare(const Baseline& baseline, ClashAnswer& answer);

/// What the comparison cannot tell, and options that differ: a sentence each.
[[nodiscard]] std::vector<std::string> doubts_of(const Baseline& baseline, const ClashAnswer& answer);

}  // namespace lamella::cli
