#include "cli/help/outline.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lamella::cli {
namespace {

OptionOutline outline_of(const CLI::Option& option) {
  OptionOutline out;
  if (option.get_positional()) {
    out.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
    if (option.get_type_size() != 0) out.value = option.get_type_name();
  }
  out.default_value = option.get_default_str();
  out.description = option.get_description();
  out.many = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  out.required = option.get_required();
  return out;
}

std::vector<OptionGroup> groups_of(const CLI::App& command) {
  std::vector<std::string> headings = command.get_groups();
  std::stable_partition(headings.begin(), headings.end(), [](const std::string& h) { return h != "Options"; });
  std::vector<OptionGroup> groups;
  for (const std::string& heading : headings) {
    OptionGroup group{heading, {}};
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_group() == heading && option->nonpositional()) group.options.push_back(outline_of(*option));
    }
    if (!heading.empty() && !group.options.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::string path_of(const CLI::App& command) {
  if (command.get_parent() == nullptr) return "";
  const std::string parent = path_of(*command.get_parent());
  return parent.empty() ? command.get_name() : parent + " " + command.get_name();
}

CommandOutline outline_of(const CLI::App& command, const std::string& path) {
  CommandOutline out{.path = path,
                     .heading = command.get_group(),
                     .description = command.get_description(),
                     .footer = command.get_footer(),
                     .arguments = {},
                     .groups = groups_of(command),
                     .subcommands = {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) out.arguments.push_back(outline_of(*option));
  }
  for (const CLI::App* sub : command.get_subcommands({})) {
    out.subcommands.push_back(outline_of(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name()));
  }
  return out;
}

}  // namespace

std::string CommandOutline::usage() const {
  std::string text = path.empty() ? "" : path + " ";
  if (!subcommands.empty()) return text + "SUBCOMMAND";
  text += "[OPTIONS]";
  for (const OptionOutline& argument : arguments) {
    const std::string name = argument.names.front() + (argument.many ? "..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  return text;
}

CommandOutline outline_of(const CLI::App& command) { return outline_of(command, path_of(command)); }

}  // namespace lamella::cli
