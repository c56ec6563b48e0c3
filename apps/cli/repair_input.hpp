#pragma once

#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "lamella/repair.hpp"

namespace lamella::cli {

/// Adds --repair to a command that reads meshes: load_mesh() then repairs every one.
void add_repair_option(const Command& command);

/// Whether --repair was given.
[[nodiscard]] bool repair_wanted();

/// Repairs a mesh that was read, and says on stderr what was done, in lines that begin with `name`; nothing for a mesh
/// that was clean.
void repair_input(Mesh& mesh, std::string_view name);

/// What was done, and what remains wrong: a sentence each.
[[nodiscard]] std::vector<std::string> describe_repairs(const RepairReport& report);
[[nodiscard]] std::vector<std::string> describe_remains(const RepairReport& report);

}  // namespace lamella::cli
