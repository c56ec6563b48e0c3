#pragma once

#include "cli/command.hpp"

namespace lamella::bench::peers {

/// Registers `clash`: clash reports of assemblies beside FCL and CGAL, times and answers, in one run on one thread.
void add_clash(const cli::Command& app, int& status);

}  // namespace lamella::bench::peers
