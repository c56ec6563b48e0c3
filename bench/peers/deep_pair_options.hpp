#pragma once

#include <cstdint>
#include <filesystem>

#include "cli/command.hpp"

namespace lamella::bench::peers {

/// Arguments of the studies of random deep pairs (deep_pairs.hpp).
struct DeepPairArgs {
  std::filesystem::path meshes;
  std::uint32_t pairs = 60, first = 0, threads = 0;
  bool json = false;
};

/// Adds --meshes, --pairs, --first, --threads and --json. `args` must outlive the command.
void add_deep_pair_options(const cli::Command& command, DeepPairArgs& args);

}  // namespace lamella::bench::peers
