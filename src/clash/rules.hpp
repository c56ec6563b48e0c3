#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lamella/clash.hpp"

namespace lamella::clash {

/// Whether `text` is what the pattern stands for: "*" any characters, "?" one character, which may be several
/// bytes of UTF-8. Linear in most cases, never more than the product of both lengths.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

/// Whether a part is in a set of ClashRule: by its name, or by its group or layer.
[[nodiscard]] bool in_set(std::string_view set, const AssemblyPart& part);

/// Which rule decides a pair. Parts that are in the same sets of all rules are of one kind; each kind has bits for the
/// sets that it is in, so that a pair costs a step for each 64 rules.
class RuleTable {
 public:
  /// Throws Error when the rules tell more than 8,192 kinds apart.
  RuleTable(std::span<const ClashRule> rules, std::span<const AssemblyPart> parts);

  /// The index of the first rule that matches, or kNoRule.
  [[nodiscard]] std::uint32_t rule_of(std::uint32_t a, std::uint32_t b) const;

 private:
  std::size_t words_ = 0;                  ///< of a kind
  std::vector<std::uint32_t> kind_;        ///< by part; empty when there are no rules
  std::vector<std::uint64_t> signatures_;  ///< by kind: in which sets of the rules it is
};

}  // namespace lamella::clash
