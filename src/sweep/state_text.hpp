#pragma once

#include <string>
#include <string_view>

#include "lamella/answer_file.hpp"

namespace lamella::sweep_parts {

/// What to do where a sweep cannot be continued.
inline constexpr std::string_view kStartOver =
    "start over with --restart (in code: restart = true), or name another file";

/// A state as text that ends in its own digest.
[[nodiscard]] std::string to_text(const SweepState& state);
/// Throws Error, without a path, for a text that is not to_text()'s.
[[nodiscard]] SweepState parse_state(std::string_view text);

}  // namespace lamella::sweep_parts
