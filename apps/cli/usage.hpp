#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lamella::cli {

/// The candidate that `word` was probably meant to be: at most two letters added, dropped or changed, and fewer than
/// half of them. Empty when there is none.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// The end of an error about an unknown word: "; did you mean A? There are: A, B", or "; there are: A, B". `prefix` and
/// `suffix` stand around what was meant.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                                     std::string_view prefix = "", std::string_view suffix = "");

/// What is wrong with the command line, and how to see what to type instead.
struct Explanation {
  std::string problem, hint;
};
/// Call after app.parse() threw `error`.
[[nodiscard]] Explanation explain(const CLI::App& app, const CLI::ParseError& error);

/// The same for a first word that is no subcommand.
[[nodiscard]] std::string explain_subcommand(const CLI::App& app, std::string_view word);

/// Whether `word` names a subcommand of `app`.
[[nodiscard]] bool has_subcommand(const CLI::App& app, std::string_view word);

}  // namespace lamella::cli
