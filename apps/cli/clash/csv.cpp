#include "cli/clash/csv.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/clash/words.hpp"
#include "lamella/file.hpp"

namespace lamella::cli {
namespace {

constexpr std::string_view kColumns[] = {
    "a",       "b",       "group_a", "group_b",      "layer_a",       "layer_b",  "class",     "result",    "verdict",
    "certain", "rule",    "volume",  "volume_error", "depth",         "distance", "x",         "y",         "z",
    "min_x",   "min_y",   "min_z",   "max_x",        "max_y",         "max_z",    "way_out_x", "way_out_y", "way_out_z",
    "regions", "finding", "change",  "unit",         "tolerance_met", "doubts"};

/// One line. Fields that are not set stay empty.
class Row {
 public:
  void set(std::string_view column, std::string field) { fields_[index_of(column)] = std::move(field); }
  void text(std::string_view column, std::string_view value) { set(column, csv_field(value)); }
  void number(std::string_view column, double value) {
    if (std::isfinite(value)) set(column, fmt::format("{}", value + 0.0));
  }
  void vector(const std::string& prefix, Vec3d v) {
    number(prefix + "x", v.x);
    number(prefix + "y", v.y);
    number(prefix + "z", v.z);
  }
  [[nodiscard]] std::string line() const { return fmt::format("{}\r\n", fmt::join(fields_, ",")); }

 private:
  static std::size_t index_of(std::string_view column) {
    return static_cast<std::size_t>(std::find(std::begin(kColumns), std::end(kColumns), column) - std::begin(kColumns));
  }
  std::vector<std::string> fields_ = std::vector<std::string>(std::size(kColumns));
};

void set_parts(Row& row, const AssemblyPart& a, const AssemblyPart& b) {
  row.text("a", a.name);
  row.text("b", b.name);
  row.text("group_a", a.group);
  row.text("group_b", b.group);
  row.text("layer_a", a.layer);
  row.text("layer_b", b.layer);
}

/// Why the verdict is undecided, or what the answer leaves out.
std::string doubts_text(const ClashAnswer& answer, const ClashPair& pair) {
  const std::array<std::string, 2> names{answer.assembly.parts[pair.a].name, answer.assembly.parts[pair.b].name};
  std::vector<std::string> sentences;
  for (const Doubt& doubt : pair.doubts) sentences.push_back(describe(doubt, names));
  return fmt::format("{}", fmt::join(sentences, "; "));
}

std::string pair_line(const ClashAnswer& answer, const ClashPair& pair, ClashResult result, std::size_t finding,
                      ClashChange change) {
  Row row;
  set_parts(row, answer.assembly.parts[pair.a], answer.assembly.parts[pair.b]);
  row.text("class", to_string(pair.kind));
  row.text("result", to_string(result));
  row.text("verdict", to_string(pair.verdict));
  row.text("certain", pair.certain ? "true" : "false");
  if (pair.rule != kNoRule) row.text("rule", rule_name(answer.options.rules, pair.rule));
  row.number("volume", pair.volume);
  row.number("volume_error", pair.volume_error);
  if (pair.depth > 0) row.number("depth", pair.depth);
  row.number("distance", pair.distance);
  row.vector("", pair.centroid);
  row.vector("min_", pair.min);
  row.vector("max_", pair.max);
  if (pair.way_out != Vec3d{}) row.vector("way_out_", pair.way_out);
  row.set("regions", std::to_string(pair.region_count));
  if (finding != 0) row.set("finding", std::to_string(finding));
  row.text("change", to_string(change));
  row.text("unit", answer.unit.name);
  row.text("tolerance_met", pair.tolerance_met ? "true" : "false");
  row.text("doubts", doubts_text(answer, pair));
  return row.line();
}

std::string gone_line(const GoneClash& gone, const std::string& unit) {
  Row row;
  row.text("a", gone.a);
  row.text("b", gone.b);
  row.text("class", to_string(gone.kind));
  row.number("volume", gone.volume);
  row.text("change", "gone");
  row.text("unit", unit);
  return row.line();
}

/// So that a table of a run that was stopped does not pass for a whole one.
std::string incomplete_line(const ClashReport& report) {
  Row row;
  row.text("a", incomplete_text(report));
  row.text("class", "incomplete");
  return row.line();
}

/// The number of each pair's finding, from 1; 0 for none.
std::vector<std::size_t> finding_numbers(const ClashReport& report) {
  std::vector<std::size_t> numbers(report.pairs.size());
  for (std::size_t f = 0; f < report.findings.size(); ++f)
    for (const std::uint32_t pair : report.findings[f].pairs) numbers[pair] = f + 1;
  return numbers;
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field = printable(text);
  if (!field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos)
    field.insert(0, 1, '\'');
  if (field.find_first_of(",;\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void write_clash_csv(const ClashAnswer& answer, const std::vector<ClashResult>& results,
                     const std::function<void(std::string_view)>& sink) {
  sink(fmt::format("{}\r\n", fmt::join(kColumns, ",")));
  const ClashReport& report = answer.report;
  const std::vector<std::size_t> findings = finding_numbers(report);
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    const ClashChange change = answer.changes.empty() ? ClashChange::unknown : answer.changes[i];
    sink(pair_line(answer, report.pairs[i], results[i], findings[i], change));
  }
  for (const GoneClash& gone : answer.gone) sink(gone_line(gone, answer.unit.name));
  if (!report.complete) sink(incomplete_line(report));
}

}  // namespace lamella::cli
