#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/help/help.hpp"
#include "lamella/version.hpp"

namespace lamella::cli {
namespace {

/// `text` as troff prints it: hyphens that can be copied as they are, no line that is taken for a request.
std::string troff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// With the lines as they are.
std::string verbatim(std::string_view text) { return fmt::format(".PP\n.nf\n{}\n.fi\n", troff(text)); }

std::string option_entry(const OptionOutline& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", troff(name)));
  std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (!option.value.empty()) text += fmt::format(" \\fI{}\\fR", troff(option.value));
  text += fmt::format("\n{}", troff(option.description));
  if (!option.default_value.empty()) text += fmt::format(" (default: {})", troff(option.default_value));
  return text + "\n";
}

/// --help is said once, of the program.
bool is_help(const OptionOutline& option) { return option.names.back() == "--help"; }

std::string options_text(const CommandOutline& command) {
  std::string text;
  for (const OptionOutline& argument : command.arguments) text += option_entry(argument);
  for (const OptionGroup& group : command.groups) {
    std::string entries;
    for (const OptionOutline& option : group.options) {
      if (!is_help(option)) entries += option_entry(option);
    }
    if (!entries.empty()) text += fmt::format(".PP\n{}:\n{}", troff(group.heading), entries);
  }
  return text;
}

std::string program_options_text(const CommandOutline& program) {
  std::string text;
  for (const OptionGroup& group : program.groups) {
    for (const OptionOutline& option : group.options) {
      text += option_entry(option);
      if (is_help(option)) text += "(the program, or the command before it)\n";
    }
  }
  return text;
}

/// A command and all below it.
std::string command_text(const CommandOutline& command) {
  std::string text = fmt::format(".SS lamella {}\n{}.\n", troff(command.usage()), troff(command.description));
  text += options_text(command);
  if (!command.footer.empty()) text += verbatim(command.footer);
  for (const CommandOutline& sub : command.subcommands) text += command_text(sub);
  return text;
}

/// The footer's paragraphs that begin with "Heading:" as sections, the others as text.
std::string footer_text(std::string_view footer) {
  std::string text;
  while (!footer.empty()) {
    const std::size_t end = std::min(footer.find("\n\n"), footer.size());
    const std::string_view paragraph = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 2, footer.size()));
    const std::size_t line_end = std::min(paragraph.find('\n'), paragraph.size());
    if (line_end > 0 && line_end < paragraph.size() && paragraph[line_end - 1] == ':') {
      text +=
          fmt::format(".SH {}\n{}", troff(paragraph.substr(0, line_end - 1)), verbatim(paragraph.substr(line_end + 1)));
    } else {
      text += verbatim(paragraph);
    }
  }
  return text;
}

}  // namespace

std::string man_page(const CommandOutline& program) {
  std::string text = fmt::format(
      ".TH LAMELLA 1 \"\" \"lamella {}\" \"User Commands\"\n"
      ".SH NAME\nlamella \\- where closed triangle meshes overlap, and by how much\n"
      ".SH SYNOPSIS\n.B lamella\n\\fISUBCOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}\n",
      kVersion, troff(program.description));
  text += ".SH OPTIONS\n" + program_options_text(program);
  text += ".SH COMMANDS\n";
  for (const CommandOutline& command : program.subcommands) text += command_text(command);
  return text + footer_text(program.footer);
}

}  // namespace lamella::cli
