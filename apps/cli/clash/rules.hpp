#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamella/clash.hpp"

namespace lamella::cli {

/// What a rules file says: docs/clash.md and docs/clash-rules.schema.json describe it.
struct ClashRuleFile {
  std::vector<ClashRule> rules;
  std::optional<double> clearance, touch;  ///< of pairs that no rule is about
};

/// The file is untrusted. Throws Error "FILE:LINE:COLUMN: what is wrong; what to write".
[[nodiscard]] ClashRuleFile read_clash_rules(const std::filesystem::path& path);

/// "A,B": pairs of these sets are not tested. Throws Error that names --ignore.
[[nodiscard]] ClashRule parse_ignored(const std::string& text);

/// A sentence for each of the first rules that cannot have an effect, since one of its sets has no part, and one that
/// says how many more there are. Asks for the parts in order, until every set has one. Nothing when `stop` says true.
[[nodiscard]] std::vector<std::string> idle_rules(const std::vector<ClashRule>& rules, std::uint64_t part_count,
                                                  const std::function<AssemblyPart(std::uint64_t)>& part_of,
                                                  const std::function<bool()>& stop = {});
[[nodiscard]] std::vector<std::string> idle_rules(const std::vector<ClashRule>& rules, const Assembly& assembly);

}  // namespace lamella::cli
