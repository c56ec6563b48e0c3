#pragma once

#include "cli/command.hpp"

namespace lamella::bench::peers {

/// Registers `separation`: ways out of deep overlaps against brute force over directions, and their cost.
void add_separation(const cli::Command& app, int& status);

}  // namespace lamella::bench::peers
