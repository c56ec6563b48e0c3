#pragma once

#include "cli/command.hpp"

namespace lamella::bench::peers {

/// Registers `gradient`: gradients of shared volumes against exact ones, and what they cost beside three queries.
void add_gradient(const cli::Command& app, int& status);

}  // namespace lamella::bench::peers
