#include "cli/clash/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/clash/pair_solid.hpp"
#include "cli/common.hpp"
#include "lamella/file.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kMostPlaces = 20;  ///< that a finding's text lists

std::string mesh_name(const ClashAnswer& answer, std::uint32_t mesh) {
  const std::vector<std::string>& names = answer.assembly.mesh_names;
  return mesh < names.size() ? names[mesh] : "";
}

const ClashPair& worst_pair(const ClashAnswer& answer, const ClashFinding& finding) {
  return answer.report.pairs[finding.pairs.front()];
}

std::vector<std::string> doubt_lines(const ClashAnswer& answer, const ClashPair& pair) {
  const std::array<std::string, 2> names{answer.assembly.parts[pair.a].name, answer.assembly.parts[pair.b].name};
  std::vector<std::string> lines;
  for (const Doubt& doubt : pair.doubts) lines.push_back(describe(doubt, names));
  return lines;
}

/// Whether the distance says something.
bool seems_apart(ClashClass kind, bool undecided) {
  return kind == ClashClass::near || (kind == ClashClass::clear && undecided);
}

std::vector<std::string> place_lines(const ClashAnswer& answer, const ClashFinding& finding) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(finding.pairs.size(), kMostPlaces); ++i) {
    const ClashPair& pair = answer.report.pairs[finding.pairs[i]];
    lines.push_back(
        fmt::format("{}: {}, at {}", pair_name(answer, pair), pair_text(answer, pair), to_text(pair.centroid)));
  }
  if (finding.pairs.size() > kMostPlaces)
    lines.push_back(fmt::format("and {} more places", grouped(finding.pairs.size() - kMostPlaces)));
  return lines;
}

/// A sentence for each of the first few parts, and how many more there are.
void warn_of_parts(const ClashAnswer& answer, const std::vector<std::uint32_t>& parts, std::string_view what,
                   std::vector<std::string>& warnings) {
  constexpr std::size_t kMost = 4;
  for (std::size_t i = 0; i < std::min(kMost, parts.size()); ++i)
    warnings.push_back(fmt::format("{}: {}", printable(answer.assembly.parts[parts[i]].name), what));
  if (parts.size() > kMost) warnings.push_back(fmt::format("likewise {} more parts", parts.size() - kMost));
}

}  // namespace

std::string class_text(ClashClass kind, bool undecided) {
  return kind == ClashClass::clear && undecided ? "undecided" : std::string(to_string(kind));
}

std::string length_text(double value, const LengthUnit& unit) {
  return unit.name.empty() ? to_text(value) : to_text(value) + " " + unit.name;
}

std::string volume_with_unit(double volume, double error, const LengthUnit& unit) {
  const std::string text = volume_text(volume, error, Bound::unsaid);
  return unit.name.empty() ? text : text + " " + unit.name + "³";
}

std::string pair_name(const ClashAnswer& answer, const ClashPair& pair) {
  return answer.assembly.parts[pair.a].name + " × " + answer.assembly.parts[pair.b].name;
}

std::string pair_text(const ClashAnswer& answer, const ClashPair& pair) {
  const bool undecided = pair.verdict == Verdict::undecided;
  std::string text = class_text(pair.kind, undecided);
  if (pair.volume > 0) text += ", " + volume_with_unit(pair.volume, pair.volume_error, answer.unit) + " shared";
  if (pair.depth > 0) text += ", " + length_text(pair.depth, answer.unit) + " deep";
  if (seems_apart(pair.kind, undecided) && std::isfinite(pair.distance))
    text += ", " + length_text(pair.distance, answer.unit) + " apart";
  if (undecided) text += pair.kind == ClashClass::clear ? ", seems clear" : ", undecided";
  return text;
}

std::string finding_title(const ClashAnswer& answer, const ClashFinding& finding) {
  const std::string kind = class_text(finding.kind, finding.undecided);
  if (finding.pairs.empty()) return kind;
  const ClashPair& worst = worst_pair(answer, finding);
  if (finding.pairs.size() == 1) return fmt::format("{}: {}", pair_name(answer, worst), kind);
  const std::string a = mesh_name(answer, finding.mesh_a), b = mesh_name(answer, finding.mesh_b);
  const std::string names = a.empty() || b.empty() ? pair_name(answer, worst) : a + " × " + b;
  return fmt::format("{}: {} in {}", names, kind, counted(finding.pairs.size(), "place"));
}

std::vector<std::string> finding_facts(const ClashAnswer& answer, const ClashFinding& finding) {
  const bool clear = finding.kind == ClashClass::clear;
  std::vector<std::string> lines{fmt::format("Class: {}{}{}", class_text(finding.kind, finding.undecided),
                                             finding.allowed ? ", allowed" : "",
                                             !finding.undecided ? ""
                                             : clear            ? ", seems clear"
                                                                : ", undecided")};
  if (finding.rule < answer.options.rules.size() && !answer.options.rules[finding.rule].name.empty())
    lines.push_back("Rule: " + answer.options.rules[finding.rule].name);
  if (finding.pairs.empty()) return lines;
  const ClashPair& worst = worst_pair(answer, finding);
  if (finding.total_volume > 0) {
    lines.push_back("Shared volume: " + volume_with_unit(worst.volume, worst.volume_error, answer.unit) +
                    (finding.pairs.size() > 1 ? " at the worst place" : ""));
    if (finding.pairs.size() > 1)
      lines.push_back("Shared volume of all places: " + volume_with_unit(finding.total_volume, 0, answer.unit));
  }
  if (finding.largest_depth > 0)
    lines.push_back((finding.pairs.size() > 1 ? "Largest depth: " : "Depth: ") +
                    length_text(finding.largest_depth, answer.unit));
  if (seems_apart(finding.kind, finding.undecided) && std::isfinite(finding.smallest_distance))
    lines.push_back("Smallest distance: " + length_text(finding.smallest_distance, answer.unit));
  for (std::string& line : doubt_lines(answer, worst)) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> finding_lines(const ClashAnswer& answer, const ClashFinding& finding) {
  std::vector<std::string> lines = finding_facts(answer, finding);
  if (finding.pairs.empty()) return lines;
  lines.push_back(finding.pairs.size() == 1 ? "Place:" : counted(finding.pairs.size(), "place") + ", the worst first:");
  for (std::string& line : place_lines(answer, finding)) lines.push_back(std::move(line));
  return lines;
}

ClashChange change_of(const ClashAnswer& answer, const ClashFinding& finding) {
  ClashChange worst = ClashChange::unknown;
  for (const std::uint32_t pair : finding.pairs) {
    if (pair >= answer.changes.size()) continue;
    const ClashChange change = answer.changes[pair];
    if (worst == ClashChange::unknown || (change != ClashChange::unknown && change < worst)) worst = change;
  }
  return worst;
}

std::vector<std::string> unusable_warnings(const ClashAnswer& answer) {
  std::vector<std::string> warnings;
  warn_of_parts(
      answer, answer.report.unusable_parts,
      "not tested against anything: it has no usable triangle (no vertex is finite, or all are in one place); "
      "mend it or leave it out",
      warnings);
  warn_of_parts(answer, answer.report.damaged_parts,
                "not all of it is tested: it has triangles whose vertices are not finite, or too far away; mend it",
                warnings);
  return warnings;
}

}  // namespace lamella::cli
