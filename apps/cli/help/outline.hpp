#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lamella::cli {

// The program's commands and options as plain data, read from their definitions: the help, the man page and the bash
// completion are made of the same things.

struct OptionOutline {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its one name
  std::string value;               ///< what it takes ("N", "OUT.png", "x|y|z"); empty for a flag and an argument
  std::string default_value;       ///< empty: none
  std::string description;
  bool many = false;      ///< may be given again and again
  bool required = false;  ///< of arguments
};

struct OptionGroup {
  std::string heading;
  std::vector<OptionOutline> options;
};

struct CommandOutline {
  std::string path;     ///< what to type behind "lamella": "gi make"; empty for the program itself
  std::string heading;  ///< under which its parent lists it
  std::string description, footer;
  std::vector<OptionOutline> arguments;
  std::vector<OptionGroup> groups;  ///< hidden options left out; the one named "Options" is last
  std::vector<CommandOutline> subcommands;

  /// "gi make [OPTIONS] MESH".
  [[nodiscard]] std::string usage() const;
};

/// Of a command, or of the program, and all below it.
[[nodiscard]] CommandOutline outline_of(const CLI::App& command);

}  // namespace lamella::cli
