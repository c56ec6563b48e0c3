#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/clash/answer.hpp"

namespace lamella::cli {

/// What makes a run fail: --fail-on.
struct FailOn {
  std::uint32_t classes = 0;  ///< a bit for each ClashClass
  bool only_new = false;      ///< only pairs that an earlier report does not have, or that got worse

  [[nodiscard]] bool has(ClashClass kind) const { return (classes >> static_cast<unsigned>(kind) & 1) != 0; }
};
/// All classes but `touching`.
[[nodiscard]] FailOn usual_fail_on();
/// "overlapping,piercing", "new", "near,new". Throws Error that names --fail-on.
[[nodiscard]] FailOn parse_fail_on(const std::string& text);
/// "near, overlapping, …".
[[nodiscard]] std::vector<std::string_view> class_words(const FailOn& fail_on);

/// What a pair means for the run.
enum class ClashResult : std::uint8_t {
  passes,
  allowed,    ///< by its rule
  undecided,  ///< nothing fails for sure; the exit status says so when nothing else fails
  fails,
};
[[nodiscard]] std::string_view to_string(ClashResult result);

/// For each pair of the report. `worse`: see Baseline; empty without an earlier report.
[[nodiscard]] std::vector<ClashResult> results_of(const ClashAnswer& answer, const FailOn& fail_on,
                                                  const std::vector<bool>& worse);

/// How many pairs have this result.
[[nodiscard]] std::uint64_t count_of(const std::vector<ClashResult>& results, ClashResult result);

}  // namespace lamella::cli
