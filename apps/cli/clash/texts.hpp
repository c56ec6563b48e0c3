#pragma once

#include <string>
#include <vector>

#include "cli/clash/answer.hpp"

namespace lamella::cli {

// Findings and pairs in words, for outputs that people read. Names are as they are in the assembly: whoever writes them
// escapes them for his format.

/// The class as people read it: "overlapping"; "undecided" for what seems clear and may not be.
[[nodiscard]] std::string class_text(ClashClass kind, bool undecided);

/// "12.3 mm", "12.3 ± 0.1 mm³": six digits, with the report's unit where it is known.
[[nodiscard]] std::string length_text(double value, const LengthUnit& unit);
[[nodiscard]] std::string volume_with_unit(double volume, double error, const LengthUnit& unit);

/// "a × b".
[[nodiscard]] std::string pair_name(const ClashAnswer& answer, const ClashPair& pair);
/// One line on a pair: its class and its measures.
[[nodiscard]] std::string pair_text(const ClashAnswer& answer, const ClashPair& pair);

/// "bolt × plate: overlapping", "… in 40 places".
[[nodiscard]] std::string finding_title(const ClashAnswer& answer, const ClashFinding& finding);
/// What is known of a finding: a line each.
[[nodiscard]] std::vector<std::string> finding_facts(const ClashAnswer& answer, const ClashFinding& finding);
/// The same, and then its places: of many, the worst.
[[nodiscard]] std::vector<std::string> finding_lines(const ClashAnswer& answer, const ClashFinding& finding);

/// The worst change of its pairs since an earlier report.
[[nodiscard]] ClashChange change_of(const ClashAnswer& answer, const ClashFinding& finding);

/// Parts of which all, or something, was tested against nothing: the first few by name, and how many more. Empty where
/// there are none.
[[nodiscard]] std::vector<std::string> unusable_warnings(const ClashAnswer& answer);

}  // namespace lamella::cli
