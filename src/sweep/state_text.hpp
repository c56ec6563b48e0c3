#pragma once

#include <string>
#include <string_view>

#include "lamella/answer_file.hpp"

namespace lamella::sweep_parts {

/// A state as text that ends in its own digest.
[[nodiscard]] std::string to_text(const SweepState& state);
/// Throws Error, without a path, for a text that is not to_text()'s.
[[nodiscard]] SweepState parse_state(std::string_view text);

}  // namespace lamella::sweep_parts
