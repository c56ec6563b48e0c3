#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "clash/rules.hpp"
#include "core/origin.hpp"

namespace lamella::clash {

/// Two parts that may clash, a < b.
struct Candidate {
  std::uint32_t a = 0, b = 0;
  std::uint32_t rule = kNoRule;
  bool boxes_meet = true;  ///< false: they can only be near
};

struct Candidates {
  std::vector<Candidate> pairs;  ///< ascending by (a, b)
  std::uint64_t ignored = 0;     ///< that a rule ignores
};

/// What holds for a pair, whether a rule matches or not.
[[nodiscard]] double clearance_of(const ClashOptions& options, std::uint32_t rule);

/// The farthest that two parts can be apart and still be of interest.
[[nodiscard]] double reach_of(const ClashOptions& options);

/// Whether a pair is to be found here, by the low corner of what the boxes share once they are wider by half of
/// reach_of(). Empty: all are.
using Owns = std::function<bool(Vec3d)>;

/// Parts whose boxes are not farther apart than their clearance. Throws Error when there are more than
/// ClashOptions::max_candidates.
[[nodiscard]] Candidates find_candidates(std::span<const WideBox> boxes, const RuleTable& rules,
                                         const ClashOptions& options, const Owns& owns = {});

}  // namespace lamella::clash
