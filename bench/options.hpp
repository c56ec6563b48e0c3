#pragma once

#include <vector>

#include "bench/gi/methods.hpp"
#include "bench/peers/method.hpp"
#include "cli/command.hpp"

namespace lamella::bench {

/// Registers `gi` with `app`, as subcommands.hpp says. `others` take part where methods are compared.
void add_gi(const cli::Command& app, int& status, const std::vector<OtherMethod>& others = {});

/// Registers `peers` likewise, with the libraries that take part.
void add_peers(const cli::Command& app, int& status, const peers::Libraries& others = {});

}  // namespace lamella::bench
