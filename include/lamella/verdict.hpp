#pragma once

#include <cstdint>

namespace lamella {

/// What an answer says, once everything that was left out is considered.
enum class Verdict : std::uint8_t {
  clear,      ///< no overlap was found, and nothing that was left out could be one
  colliding,  ///< an overlap was found that no error of the method explains
  /// What was left out could change the answer. Sampled answers: columns that do not close, parts that are inside out,
  /// skipped triangles, dropped crossings, spans no longer than their own error; Doubt says which. Geometry images: the
  /// search ended early, or spheres do not enclose their surface.
  undecided,
};

/// "clear", "colliding" or "undecided".
[[nodiscard]] constexpr const char* to_string(Verdict v) {
  return v == Verdict::clear ? "clear" : v == Verdict::colliding ? "colliding" : "undecided";
}

}  // namespace lamella
