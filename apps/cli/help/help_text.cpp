#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/help/help.hpp"

namespace lamella::cli {
namespace {

constexpr std::size_t kColumn = 30, kWidth = 110;

/// The words of `text` from column kColumn on, in lines of kWidth, when `used` columns of the first are taken.
std::string beside(std::size_t used, const std::string& text) {
  std::string out;
  std::size_t at = used;
  const auto new_line = [&] {
    out += '\n';
    at = 0;
  };
  if (used + 1 >= kColumn) new_line();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (at > kColumn && at + 1 + end - begin > kWidth) new_line();
    const std::size_t gap = at < kColumn ? kColumn - at : 1;
    out.append(gap, ' ').append(text, begin, end - begin);
    at += gap + end - begin;
    begin = end + 1;
  }
  return out + '\n';
}

std::string line(const std::string& what, const std::string& description) {
  return "  " + what + beside(2 + what.size(), description);
}

std::string described(const OptionOutline& option) {
  if (option.default_value.empty()) return option.description;
  return fmt::format("{} (default: {})", option.description, option.default_value);
}

std::string option_line(const OptionOutline& option) {
  std::string what = fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.value.empty()) what += " " + option.value;
  return line(what, described(option));
}

/// Those of one heading together, in the order of the first of each.
std::string subcommand_lines(const CommandOutline& command) {
  std::vector<std::string> headings;
  for (const CommandOutline& sub : command.subcommands) {
    if (std::find(headings.begin(), headings.end(), sub.heading) == headings.end()) headings.push_back(sub.heading);
  }
  std::string text;
  for (const std::string& heading : headings) {
    text += fmt::format("\n{}:\n", heading);
    for (const CommandOutline& sub : command.subcommands) {
      if (sub.heading == heading) text += line(sub.path.substr(sub.path.rfind(' ') + 1), sub.description);
    }
  }
  return text;
}

}  // namespace

std::string help_text(const CommandOutline& command) {
  std::string text = fmt::format("{}\nUsage: lamella {}\n", command.description, command.usage());
  if (!command.arguments.empty()) text += "\nArguments:\n";
  for (const OptionOutline& argument : command.arguments) text += option_line(argument);
  text += subcommand_lines(command);
  for (const OptionGroup& group : command.groups) {
    text += fmt::format("\n{}:\n", group.heading);
    for (const OptionOutline& option : group.options) text += option_line(option);
  }
  if (!command.footer.empty()) text += fmt::format("\n{}\n", command.footer);
  return text;
}

}  // namespace lamella::cli
