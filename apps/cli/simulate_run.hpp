#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "simulate/simulation.hpp"

namespace lamella::cli {

struct SimulateArgs {
  simulate::Options options;
  std::uint32_t frames = 300;
  std::uint32_t every = 2;                         ///< frames from one picture to the next
  unsigned width = 640, height = 480;              ///< of pictures
  std::filesystem::path csv, picture, frames_dir;  ///< empty: not asked for
  bool json = false;
};

/// Runs a simulation, writes what was asked for and prints a summary. Files appear whole or, after an Error, not at
/// all; pictures in a folder one by one.
void simulate(const std::string& name, const SimulateArgs& args);

}  // namespace lamella::cli
