#pragma once

#include "cli/command.hpp"

namespace lamella::bench::peers {

/// Registers `contacts`: how contact patches of deep pairs converge, and whether rigid bodies come apart by themselves.
void add_contacts(const cli::Command& app, int& status);

}  // namespace lamella::bench::peers
