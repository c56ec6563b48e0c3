#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/clash/answer.hpp"

namespace lamella::cli {

// Words that tables, CSV and JSON share.

/// "new", "changed", "same"; empty without an earlier report.
[[nodiscard]] std::string_view to_string(ClashChange change);

/// "stopped after 1,024 of 5,000 candidates".
[[nodiscard]] std::string incomplete_text(const ClashReport& report);

/// How many pairs of the report have this change.
[[nodiscard]] std::uint64_t count_of(const ClashAnswer& answer, ClashChange change);

/// A text as JSON can have it: what is no UTF-8 is replaced there.
[[nodiscard]] std::string in_json(const std::string& text);

/// What reports call a rule: its name, or its number from 1.
[[nodiscard]] std::string rule_name(const std::vector<ClashRule>& rules, std::uint32_t rule);

/// mm, cm, m, um, in, ft. Throws Error that names --units.
[[nodiscard]] LengthUnit parse_unit(const std::string& text);
inline constexpr std::string_view kUnitWords = "um|mm|cm|m|in|ft";

}  // namespace lamella::cli
