#pragma once

#include <vector>

#include "bench/gi/methods.hpp"

namespace CLI {
class App;
}

namespace lamella::bench {

/// Registers `gi` with `app`, as subcommands.hpp says. `others` take part where methods are compared.
void add_gi(CLI::App& app, int& status, const std::vector<OtherMethod>& others = {});

}  // namespace lamella::bench
