#include "cli/usage.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

namespace lamella::cli {
namespace {

/// Edits that nearest() still takes for a typing error.
constexpr std::size_t kMostEdits = 2;

/// Letters to add, drop or change to turn `a` into `b` (Levenshtein), or kMostEdits + 1 when they are more. Of the
/// table only the cells near the diagonal can stay within that number (Ukkonen 1985): the cost is linear, since words
/// come from files as well and may be very long.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kTooMany = kMostEdits + 1, kBand = 2 * kMostEdits + 1;
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > kMostEdits) return kTooMany;
  // Of row i, cell k is column i + k - kMostEdits.
  std::array<std::size_t, kBand + 1> row;
  row.fill(kTooMany);
  for (std::size_t k = kMostEdits; k < kBand; ++k) row[k] = k - kMostEdits;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t k = 0; k < kBand; ++k) {
      const std::size_t j = i + k - kMostEdits;  // wraps around left of the table: larger than any column
      const std::size_t left = k == 0 ? kTooMany : row[k - 1] + 1, above = row[k + 1] + 1;
      if (j > b.size()) {
        row[k] = kTooMany;
      } else {
        const std::size_t change = j == 0 ? kTooMany : row[k] + (a[i - 1] == b[j - 1] ? 0 : 1);
        row[k] = std::min({change, left, above, kTooMany});
      }
    }
  }
  return row[b.size() + kMostEdits - a.size()];
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The innermost subcommand that was parsed, and how to type it.
std::pair<const CLI::App*, std::string> innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string typed = "lamella";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().back();
    typed += " " + command->get_name();
  }
  return {command, typed};
}

std::string explain_extra(const CLI::App& command, const std::string& extra) {
  if (extra.starts_with('-')) {
    const std::string name = extra.substr(0, extra.find('='));
    const std::string meant = nearest(name, option_names(command));
    return fmt::format("unknown option {}{}", name, meant.empty() ? "" : fmt::format("; did you mean {}?", meant));
  }
  if (!subcommand_names(command).empty()) return explain_subcommand(command, extra);
  return fmt::format("'{}' is one argument too many", extra);
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = kMostEdits + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance || distance * 2 >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view prefix,
                       std::string_view suffix) {
  const std::string meant = nearest(word, candidates);
  return fmt::format(
      "{}: {}", meant.empty() ? "; there are" : fmt::format("; did you mean {}{}{}? There are", prefix, meant, suffix),
      fmt::join(candidates, ", "));
}

bool has_subcommand(const CLI::App& app, std::string_view word) {
  const auto names = subcommand_names(app);
  return std::find(names.begin(), names.end(), word) != names.end();
}

std::string explain_subcommand(const CLI::App& app, std::string_view word) {
  return fmt::format("'{}' is no subcommand{}", word, suggestion(word, subcommand_names(app)));
}

Explanation explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto [command, typed] = innermost(app);
  const std::vector<std::string> extras = app.remaining(true);
  // An unknown option often makes something else go missing: name it first.
  const auto option = std::find_if(extras.begin(), extras.end(), [](const auto& e) { return e.starts_with('-'); });
  std::string problem = error.what();
  if (option != extras.end()) {
    problem = explain_extra(*command, *option);
  } else if (!extras.empty()) {
    problem = explain_extra(*command, extras.front());
  }
  return {problem, fmt::format("`{} --help` shows what to type", typed)};
}

}  // namespace lamella::cli
