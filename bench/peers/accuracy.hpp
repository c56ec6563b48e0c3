#pragma once

#include <filesystem>
#include <vector>

#include "cli/command.hpp"

// `lamella-bench-peers accuracy`: error bars and tolerances against exact volumes of random poses.

namespace lamella::bench::peers {

struct AccuracyArgs {
  std::vector<std::filesystem::path> meshes;  ///< empty: built-in models
  std::uint32_t poses = 200;
  std::uint32_t seed = 1;
  std::filesystem::path chart;  ///< picture to write; empty: none
  bool json = false;
};

void run_accuracy(const AccuracyArgs& args);
void add_accuracy(const cli::Command& app, int& status);

}  // namespace lamella::bench::peers
