#include "cli/clash/words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/common.hpp"
#include "cli/usage.hpp"
#include "lamella/error.hpp"

namespace lamella::cli {

std::string_view to_string(ClashChange change) {
  switch (change) {
    case ClashChange::added:
      return "new";
    case ClashChange::changed:
      return "changed";
    case ClashChange::same:
      return "same";
    default:
      return "";
  }
}

std::string rule_name(const std::vector<ClashRule>& rules, std::uint32_t rule) {
  return rules[rule].name.empty() ? fmt::format("rule {}", rule + 1) : rules[rule].name;
}

std::string incomplete_text(const ClashReport& report) {
  return fmt::format("stopped after {} of {}", grouped(report.tested_count),
                     counted(report.candidate_count, "candidate"));
}

std::uint64_t count_of(const ClashAnswer& answer, ClashChange change) {
  return static_cast<std::uint64_t>(std::count(answer.changes.begin(), answer.changes.end(), change));
}

std::string in_json(const std::string& text) {
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
  return ascii ? text : nlohmann::ordered_json::parse(to_line(text)).get<std::string>();
}

LengthUnit parse_unit(const std::string& text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"um", 1e-6}, {"mm", 1e-3},   {"cm", 1e-2},
                                                            {"m", 1},     {"in", 0.0254}, {"ft", 0.3048}};
  std::vector<std::string> known;
  for (const auto& [name, metres] : kUnits) {
    if (text == name) return {std::string(name), metres};
    known.emplace_back(name);
  }
  throw Error(fmt::format("--units: there is no unit '{}'{}", text, suggestion(text, known)));
}

}  // namespace lamella::cli
