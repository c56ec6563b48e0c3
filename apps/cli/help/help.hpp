#pragma once

#include <string>

#include "cli/help/outline.hpp"

namespace lamella::cli {

/// What --help prints.
[[nodiscard]] std::string help_text(const CommandOutline& command);

/// The program's manual, for `man`: troff with the macros of man(7).
[[nodiscard]] std::string man_page(const CommandOutline& program);

/// A script for bash that completes commands, options and their values, models and file names.
[[nodiscard]] std::string bash_completion(const CommandOutline& program);

/// Makes --help of every command print help_text. Before the commands are added.
void use_help_text(CLI::App& program);

/// `lamella help`, which also prints the other two. After all other commands were added.
void add_help(CLI::App& program, int& status);

}  // namespace lamella::cli
