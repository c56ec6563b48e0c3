#pragma once

// From counts to a verdict.

#include "lamella/result.hpp"

namespace lamella {

/// What was found and what was left out, of two objects or of one.
struct Findings {
  std::uint64_t certain_spans = 0;    ///< longer than their own error
  std::uint64_t uncertain_spans = 0;  ///< not longer
  bool may_be_hidden = false;         ///< the health leaves room for an overlap that was not found
};

/// Colliding by any certain span; otherwise clear only if nothing that was left out could be an overlap.
[[nodiscard]] constexpr Verdict decide(const Findings& f) {
  if (f.certain_spans != 0) return Verdict::colliding;
  return f.uncertain_spans != 0 || f.may_be_hidden ? Verdict::undecided : Verdict::clear;
}

/// Whether columns, triangles or crossings that were left out could hide an overlap. Holes that were closed are judged
/// apart, by where they are.
[[nodiscard]] inline bool may_hide_overlap(const Health& health) {
  return health.open_columns != 0 || health.inside_out_columns != 0 || health.skipped_triangles != 0 ||
         health.dropped_crossings != 0;
}

/// The verdict of an overlap whose spans are all certain.
[[nodiscard]] inline Verdict verdict_of(std::uint64_t span_count, const Health& health) {
  return decide({span_count, health.uncertain_spans, may_hide_overlap(health)});
}

}  // namespace lamella
