#pragma once

#include "bench/peers/method.hpp"
#include "cli/command.hpp"

namespace lamella::bench::peers {

/// Registers `certify`: certified verdicts against those of the exact library, and what they cost beside the others.
void add_certify(const cli::Command& app, int& status, const Libraries& others);

}  // namespace lamella::bench::peers
