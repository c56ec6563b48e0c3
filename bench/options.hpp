#pragma once

#include <vector>

#include "bench/gi/methods.hpp"
#include "cli/command.hpp"

namespace lamella::bench {

/// Registers `gi` with `app`, as subcommands.hpp says. `others` take part where methods are compared.
void add_gi(const cli::Command& app, int& status, const std::vector<OtherMethod>& others = {});

}  // namespace lamella::bench
