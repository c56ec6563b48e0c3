#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lamella/clash.hpp"

namespace lamella::clash {

/// What a table of rules is made with.
struct RuleTableOptions {
  unsigned threads = 1;          ///< as Options::threads
  std::function<bool()> stop{};  ///< asked now and then, from the caller's thread
};

/// Which rule decides a pair. Parts that are in the same sets of all rules are of one kind; each kind has bits for the
/// sets that it is in, so that a pair costs a step for each 64 rules. Each different name, group and layer is matched
/// once.
class RuleTable {
 public:
  /// Throws Error when the rules tell more than 8,192 kinds apart.
  RuleTable(std::span<const ClashRule> rules, std::span<const AssemblyPart> parts,
            const RuleTableOptions& options = {});

  /// RuleTableOptions::stop said true: the table knows nothing.
  [[nodiscard]] bool stopped() const { return stopped_; }
  /// The index of the first rule that matches, or kNoRule.
  [[nodiscard]] std::uint32_t rule_of(std::uint32_t a, std::uint32_t b) const;

 private:
  bool stopped_ = false;
  std::size_t words_ = 0;                  ///< of a kind
  std::vector<std::uint32_t> kind_;        ///< by part; empty when there are no rules
  std::vector<std::uint64_t> signatures_;  ///< by kind: in which sets of the rules it is
};

}  // namespace lamella::clash
