#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/clash/answer.hpp"
#include "cli/clash/result.hpp"

namespace lamella::cli {

/// A line for each pair, and one for each pair that is gone; RFC 4180, UTF-8, lines end in CR LF. Piece by piece to
/// `sink`.
///
/// A text that begins with = + - @ would be a formula to a spreadsheet program: it gets an apostrophe in front. Control
/// characters are spelt as in JSON. Numbers are written as they are, also negative ones.
void write_clash_csv(const ClashAnswer& answer, const std::vector<ClashResult>& results,
                     const std::function<void(std::string_view)>& sink);

/// A text as one field.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace lamella::cli
